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
  /** A new customer with an account and a balance of so many dollars, at `ip` or an address of its own. */
  intruder(dollars?: number, ip?: string): Promise<Intruder>
  /** Counts a try; `isRefused` false means that something was accepted that must be refused. */
  must(what: string, isRefused: boolean, seen?: unknown): void
  /** Counts an honest step that the attack needs; throws where it fails, since the attack would prove nothing. */
  needs(what: string, isThere: boolean, seen?: unknown): void
}
