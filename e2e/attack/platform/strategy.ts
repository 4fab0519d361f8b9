import type { Intruder } from './intruder.ts'
import type { PlatformStage } from './stage.ts'

/** An attempt to get more from the whole platform than was paid for, or to reach the data of others. */
export interface PlatformStrategy {
  readonly name: string
  /** The attempt in one line. */
  readonly tries: string
  /** Nano-dollars that its accounts may owe in the end, with the rule that allows it; none by default. */
  readonly mayOwe?: { readonly most: bigint; readonly rule: string }
  run(tools: StrategyTools): Promise<void>
}

export interface StrategyTools {
  readonly platform: PlatformStage
  /** A new customer with a balance of this many dollars, at `ip` or a separate address. */
  intruder(dollars?: number, ip?: string): Promise<Intruder>
  /** Counts a try; `isRefused` is false if the platform accepted an action that must be refused. */
  must(what: string, isRefused: boolean, seen?: unknown): void
  /** Counts an honest step that the attack needs. Throws if it fails, because the attack would then prove nothing. */
  needs(what: string, isThere: boolean, seen?: unknown): void
}
