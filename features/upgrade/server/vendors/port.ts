import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
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
  place(call: PlaceUpgradeCall): Promise<PlacedUpgrade>
  /** Finds the order placed under a key, after a lost response. */
  byKey(key: string): Promise<PlacedUpgrade | undefined>
  look(ref: string): Promise<UpgradeProgress>
  /** Cancels an order. Idempotent. */
  cancel(ref: string): Promise<void>
}

export interface PlaceUpgradeCall {
  readonly key: string
  readonly plan: string
  readonly seats: number
  readonly account: string
  readonly link: string
}

export interface PlacedUpgrade {
  readonly ref: string
}

export type UpgradeProgress =
  | { readonly state: 'working' }
  | { readonly state: 'done'; readonly receipt: string }
  | { readonly state: 'failed'; readonly cause: UpgradeCause }
  /** The link is used or expired. */
  | { readonly state: 'expired' }
  /** A captcha that only a person can solve. */
  | { readonly state: 'captcha' }

export type { SupplierTools }

export type UpgradeSupplierVendor = SupplierVendor<UpgradeSupplier, SupplierTools>
