import { checkBooksAtRest } from '../../robots/oracle/at-rest.ts'
import { waitPatiently, anIntruder } from './intruder.ts'
import type { Intruder } from './intruder.ts'
import type { PlatformStage } from './stage.ts'
import type { PlatformStrategy } from './strategy.ts'
import { computeStrategyCost } from './verdict.ts'
import type { StrategyCost } from './verdict.ts'

/** Outcome of a strategy against the whole platform. */
export interface PlatformResult extends StrategyCost {
  readonly name: string
  /** Actions that must be refused but were accepted, and the number of tries. */
  readonly accepted: readonly string[]
  readonly tried: number
  /** Reason why the attack proves nothing: an honest step that it needs failed. */
  readonly broken: string
  readonly mayOwe: bigint
}

export interface PlatformVerdict {
  readonly results: readonly PlatformResult[]
  /** Server errors, and books that differ once nothing moves any more. */
  readonly faults: readonly string[]
}

type PlayedStrategy = Omit<PlatformResult, keyof StrategyCost> & { readonly users: readonly string[] }

/** Plays the strategies, so many side by side; then compares all books. */
export async function attackPlatform(
  platform: PlatformStage,
  strategies: readonly PlatformStrategy[],
  { sideBySide = 3, tell = () => undefined as void }: { readonly sideBySide?: number; readonly tell?: (line: string) => void } = {},
): Promise<PlatformVerdict> {
  const waiting = [...strategies]
  const played: PlayedStrategy[] = []
  const worker = async (): Promise<void> => {
    for (let strategy = waiting.shift(); strategy !== undefined; strategy = waiting.shift()) {
      const began = performance.now()
      const one = await play(platform, strategy)
      played.push(one)
      const seconds = ((performance.now() - began) / 1000).toFixed(0)
      tell(`${one.name}: ${one.tried} tries, ${one.accepted.length} accepted, ${seconds} s ${one.broken}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(sideBySide, strategies.length) }, worker))
  await platform.atRest()
  const results: PlatformResult[] = []
  for (const { users, ...one } of played) results.push({ ...one, ...(await computeStrategyCost(platform.product.db, users)) })
  const differing = (await checkBooksAtRest(platform.product)).map(({ rule, subject, seen, expected }) => `${rule}: ${subject}: ${seen}; expected ${expected}`)
  return { results, faults: [...platform.faults, ...differing] }
}

async function play(platform: PlatformStage, strategy: PlatformStrategy): Promise<PlayedStrategy> {
  const users: string[] = []
  const accepted: string[] = []
  let tried = 0
  let broken = ''
  const tools = {
    platform,
    intruder: async (dollars = 5, ip?: string): Promise<Intruder> => {
      const made = await anIntruder(platform, dollars, ip)
      users.push(made.userId)
      return made
    },
    must: (what: string, isRefused: boolean, seen?: unknown): void => {
      tried++
      if (!isRefused) accepted.push(seen === undefined ? what : `${what}: ${JSON.stringify(seen)}`)
    },
    needs: (what: string, isThere: boolean, seen?: unknown): void => {
      if (!isThere) throw new Error(`needs ${what}: ${JSON.stringify(seen)}`)
    },
  }
  await strategy.run(tools).catch((error: Error) => (broken = error.stack?.split('\n').slice(0, 3).join(' ') ?? error.message))
  await waitPatiently(50)
  return { name: strategy.name, accepted, tried, broken, mayOwe: strategy.mayOwe?.most ?? 0n, users }
}
