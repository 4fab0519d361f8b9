import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'

/**
 * A company whose staff registers accounts for our members. Calls are idempotent by key and throw `SupplierError`; a rejection means that
 * nothing was begun, and its reason is one of `Refused`.
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

/** Causes of a failure, mapped from the suppliers' names; `other` covers all unknown ones. */
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
  /** Current setting of the sandbox. */
  readonly fault: () => Promise<RegistrationFault>
}

export type RegistrationSupplierVendor = SupplierVendor<RegistrationSupplier, RegistrationTools>
