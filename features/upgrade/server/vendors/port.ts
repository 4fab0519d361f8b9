import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { UpgradeCause } from '../../words.ts'

export { UPGRADE_CAUSES } from '../../words.ts'
export type { UpgradeCause } from '../../words.ts'

/**
 * A supplier that upgrades accounts through an API. Calls with the same key are idempotent and throw `SupplierError`. The supplier pays the
 * merchant: its delivery is charged to the member's hold.
 */
export interface UpgradeSupplier {
  readonly name: string
  place(call: PlaceCall): Promise<Placed>
  /** Finds the order placed under a key, after a lost response. */
  byKey(key: string): Promise<Placed | undefined>
  look(ref: string): Promise<Progress>
  /** Cancels an order. Idempotent. */
  cancel(ref: string): Promise<void>
}

export interface PlaceCall {
  readonly key: string
  readonly plan: string
  readonly seats: number
  readonly account: string
  readonly link: string
}

export interface Placed {
  readonly ref: string
}

export type Progress =
  | { readonly state: 'working' }
  | { readonly state: 'done'; readonly receipt: string }
  | { readonly state: 'failed'; readonly cause: UpgradeCause }
  /** The link is used or expired. */
  | { readonly state: 'expired' }
  /** A captcha that only a person can solve. */
  | { readonly state: 'captcha' }

export type { SupplierTools }

export interface SupplierVendor {
  readonly name: string
  readonly sandbox: boolean
  readonly connect: (tools: SupplierTools) => UpgradeSupplier
}
