import { Session } from 'node:inspector'
import type { Profiler } from 'node:inspector'

/** Counting begins with this import and never ends: V8 counts blocks only of functions that it compiles while it counts. Import it first. */
const session = new Session()
session.connect()
const post = <T>(method: string, options: object = {}): T | undefined => {
  let answer: T | undefined
  // The callback runs before `post` returns, because the session inspects this thread.
  session.post(method, options, (_error: Error | null, result?: object) => (answer = result as T))
  return answer
}
post('Profiler.enable')
post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** Number of executed blocks of our own code while `work` ran: the same on every machine, unlike the elapsed time. */
export function countSteps(work: () => unknown): number {
  takeExecutedBlocks()
  work()
  return takeExecutedBlocks()
}

/** The same for asynchronous work that yields between its steps. */
export async function countAsyncSteps(work: () => Promise<unknown>): Promise<number> {
  takeExecutedBlocks()
  await work()
  return takeExecutedBlocks()
}

/**
 * Executed blocks since the last call. Throws if a function was compiled before counting began, because its loops would count as one step.
 */
function takeExecutedBlocks(): number {
  const { result = [] } = post<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage') ?? {}
  let steps = 0
  for (const { url, functions } of result) {
    if (!/\/(?:features|platform)\/(?!testing)/.test(url)) continue
    for (const { functionName, isBlockCoverage, ranges } of functions) {
      if (!isBlockCoverage && functionName && ranges[0]!.count > 0) throw new Error(`${functionName} of ${url} was compiled before its steps were counted`)
      for (const { count } of ranges) steps += count
    }
  }
  return steps
}
