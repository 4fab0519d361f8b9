import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { Lang } from '#platform/shared/languages.ts'
/** A company with subscriptions that have seats. Calls are idempotent by key and throw `SupplierError`. */
export interface SeatSupplier {
  readonly name: string
  /** All accounts with their seats. */
  accounts(): Promise<readonly SeatSupplierAccount[]>
  admit(call: AdmitCall): Promise<SeatMember>
  /** Finds the member that `admit` created under the key, after a lost response. */
  memberByKey(key: string): Promise<SeatMember | undefined>
  member(ref: string): Promise<SeatMember>
  extend(call: { readonly key: string; readonly ref: string; readonly until: Date }): Promise<SeatMember>
  /** Creates an address for one browser: single use, valid for a minute. */
  enter(call: { readonly ref: string; readonly service: string; readonly lang: Lang }): Promise<SeatEntry>
  /** Messages used in the current three-hour windows; undefined if the supplier does not report them. */
  windows(ref: string): Promise<readonly UsageWindow[] | undefined>
  /** Removes a member. Idempotent: a missing member is no error. */
  remove(call: { readonly key: string; readonly ref: string }): Promise<void>
}

export interface SeatSupplierAccount {
  readonly ref: string
  readonly platform: 1 | 2 | 6
  readonly tier: string
  readonly seats: number
  readonly lost: boolean
}

export interface AdmitCall {
  readonly key: string
  readonly accountRef: string
  readonly until: Date
  readonly services: readonly string[]
  /** Message limit per three hours, by service. */
  readonly messages: number
}

export interface SeatMember {
  readonly ref: string
  readonly state: 'pending' | 'active' | 'removed'
}

export interface SeatEntry {
  readonly url: string
  /** Password that the chat page asks for; empty if it asks for none. */
  readonly secret: string
  readonly expiresAt: Date
}

export interface UsageWindow {
  readonly service: string
  readonly used: number
  readonly allowed: number
  /** Time at which the oldest message leaves the window; null if the window is empty. */
  readonly resetsAt: Date | null
}

export type SeatSupplierFault = 'none' | 'refused' | 'slow' | 'lost' | 'double' | 'down' | 'text' | 'late'

/** `publicUrl` is the address in the user's browser. */
export interface SeatTools extends SupplierTools {
  /** Current setting of the sandbox. */
  readonly fault: () => Promise<SeatSupplierFault>
}

export type SeatSupplierVendor = SupplierVendor<SeatSupplier, SeatTools>
