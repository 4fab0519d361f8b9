import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { Shape } from '#platform/server/config.ts'

/**
 * A company that registers accounts for our members by its own staff. Each act carries a key: the same key again is the same act. Calls
 * throw `SupplierError`; a rejection means that nothing was begun, its reason is one of `Refused`.
 */
export interface RegistrationSupplier {
  readonly name: string
  submit(call: SubmitCall): Promise<Job>
  /** Finds the job that `submit` began under the key, after a lost response. */
  find(key: string): Promise<Job | undefined>
  look(ref: string): Promise<Job>
  /** Cancels a job. `cancelled`: nothing is owed. `done`: too late, the account is registered and owed. Idempotent. */
  cancel(ref: string): Promise<'cancelled' | 'done'>
}

export interface SubmitCall {
  readonly key: string
  readonly account: string
  readonly password: string
  /** Attempt from 1; each must be made from another network address. */
  readonly attempt: number
}

/** Why one failed, as the suppliers' words are understood; `other` is none of ours. */
export const REASONS = ['ip_limit', 'mailbox_refused', 'account_exists', 'code_missing', 'other'] as const
export type Reason = (typeof REASONS)[number]

export interface Job {
  readonly ref: string
  readonly state: 'working' | 'done' | 'failed' | 'cancelled'
  readonly reason?: Reason
}

/** Reasons of a rejection. */
export type Refused = 'busy' | 'account' | Reason

export const FAULTS = [
  'none',
  'slow',
  'lost',
  'double',
  'down',
  'text',
  'late',
  'busy',
  'ip_limit',
  'mailbox_refused',
  'account_exists',
  'code_missing',
] as const
export type Fault = (typeof FAULTS)[number]

export interface RegistrationTools extends SupplierTools {
  /** The sandbox's wish of now. */
  readonly fault: () => Promise<Fault>
}

export interface SupplierVendor {
  readonly name: string
  readonly sandbox: boolean
  readonly env: Shape
  /** Undefined: its credentials are missing. */
  readonly connect: (config: Readonly<Record<string, unknown>>, tools: RegistrationTools) => RegistrationSupplier | undefined
}
