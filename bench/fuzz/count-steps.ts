import { Session } from 'node:inspector'
import type { Profiler } from 'node:inspector'

/** How often blocks of our own code were executed while `work` ran: the same on every machine, unlike the time it took. */
export function countSteps(work: () => unknown): number {
  const counter = startCounter()
  try {
    work()
    return counter.read()
  } finally {
    counter.stop()
  }
}

/** The same of work that lets others go on between its steps. */
export async function countStepsInTurns(work: () => Promise<unknown>): Promise<number> {
  const counter = startCounter()
  try {
    await work()
    return counter.read()
  } finally {
    counter.stop()
  }
}

function startCounter(): { readonly read: () => number; readonly stop: () => void } {
  const session = new Session()
  session.connect()
  const post = <T>(method: string, options: object = {}): T | undefined => {
    let answer: T | undefined
    // Answered before it returns: the session is of this thread.
    session.post(method, options, (_error: Error | null, result?: object) => (answer = result as T))
    return answer
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return {
    read() {
      const { result = [] } = post<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage') ?? {}
      const ours = result.filter(({ url }) => /\/(?:features|platform)\/(?!testing)/.test(url))
      return ours.reduce(
        (sum, { functions }) => sum + functions.reduce((all, { ranges }) => all + ranges.reduce((inside, { count }) => inside + count, 0), 0),
        0,
      )
    },
    stop() {
      post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}
