import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { UpgradeCause } from '../../words.ts'

export { UPGRADE_CAUSES } from '../../words.ts'
export type { UpgradeCause } from '../../words.ts'

/**
 * A company that upgrades accounts behind an interface. Each act carries a key: the same key again is the same act. Calls throw
 * `SupplierError`. It pays the merchant itself: what it delivered is taken from the member's kept sum.
 */
export interface UpgradeSupplier {
  readonly name: string
  place(call: PlaceCall): Promise<Placed>
  /** What `place` made under the key: asked for when an answer was lost. */
  byKey(key: string): Promise<Placed | undefined>
  look(ref: string): Promise<Progress>
  /** What is gone is gone: a second time is no error. */
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
  /** The link is used up or too old. */
  | { readonly state: 'expired' }
  /** A check that only a person may answer. */
  | { readonly state: 'captcha' }

export type { SupplierTools }

export interface SupplierVendor {
  readonly name: string
  readonly sandbox: boolean
  readonly connect: (tools: SupplierTools) => UpgradeSupplier
}
