import type { PlatformConfig, SettingProblem } from '../config.ts'

/** An operation's effect at the supplier: a read whose response was lost is safe to repeat, a write is not. */
export type Effect = 'read' | 'write'

/** A port to one kind of supplier, as fault injection, the work list and the suite of all ports see it. */
export interface SupplierPort {
  /** `payments.channel`, `numbers`: unique; the prefix is the feature. */
  readonly port: string
  /** Calls that leave this machine. Every other method of the port is local. */
  readonly operations: Readonly<Record<string, Effect>>
  /** Registry folders, one per vendor. */
  readonly vendors: readonly string[]
  /** Real vendors whose test accounts cannot be told from live ones. */
  readonly unmarked?: readonly string[]
  /** Settings that point at a test account where none may serve. */
  readonly findTestProblems?: (config: Pick<PlatformConfig, 'STAGE' | 'ALLOW_SANDBOX'> & Readonly<Record<string, unknown>>) => readonly SettingProblem[]
}
