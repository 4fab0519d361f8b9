import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { ConfigShape } from '#platform/server/config.ts'

/**
 * A company that registers accounts for our members by its own staff. Each act carries a key: the same key again is the same act. Calls
 * throw `SupplierError`; a rejection means that nothing was begun, its reason is one of `Refused`.
 */
export interface RegistrationSupplier {
  readonly name: string
  submit(call: SubmitCall): Promise<RegistrationJob>
  /** Finds the job that `submit` began under the key, after a lost response. */
  find(key: string): Promise<RegistrationJob | undefined>
  look(ref: string): Promise<RegistrationJob>
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
export const REGISTRATION_REASONS = ['ip_limit', 'mailbox_refused', 'account_exists', 'code_missing', 'other'] as const
export type RegistrationReason = (typeof REGISTRATION_REASONS)[number]

export interface RegistrationJob {
  readonly ref: string
  readonly state: 'working' | 'done' | 'failed' | 'cancelled'
  readonly reason?: RegistrationReason
}

/** Reasons of a rejection. */
export type RegistrationRefusal = 'busy' | 'account' | RegistrationReason

export const REGISTRATION_FAULTS = [
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
export type RegistrationFault = (typeof REGISTRATION_FAULTS)[number]

export interface RegistrationTools extends SupplierTools {
  /** The sandbox's wish of now. */
  readonly fault: () => Promise<RegistrationFault>
}

export interface RegistrationSupplierVendor {
  readonly name: string
  readonly sandbox: boolean
  readonly env: ConfigShape
  /** Undefined: its credentials are missing. */
  readonly connect: (config: Readonly<Record<string, unknown>>, tools: RegistrationTools) => RegistrationSupplier | undefined
}
