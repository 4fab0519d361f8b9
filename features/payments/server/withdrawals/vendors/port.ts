import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'

/** A payment to a person, idempotent by `payoutNo`. */
export interface PayoutCall {
  readonly payoutNo: string
  /** Fen. */
  readonly minor: bigint
  /** The payee's sign-in name at the vendor. */
  readonly account: string
  readonly name: string
  readonly identityNumber: string
  /** Text shown to the receiver. */
  readonly title: string
}

/** `away`: no attempt got through for a day. */
export const PAYOUT_REFUSALS = ['account', 'name', 'limit', 'refused', 'away'] as const

/**
 * The vendor's report on a payout. `refused`: no money moved or will move; `reason` is one of the texts `withdraw_reason_*`. `held`:
 * not sent yet for a reason on our side (balance, quota), so send it again later. `returned`: it had arrived and came back.
 */
export type PayoutFact =
  | { readonly status: 'paid'; readonly txn: string }
  | { readonly status: 'pending' }
  | { readonly status: 'refused'; readonly reason: (typeof PAYOUT_REFUSALS)[number] }
  | { readonly status: 'held'; readonly why: string }
  | { readonly status: 'returned'; readonly txn: string }
  | { readonly status: 'not_found' }

/** A connected payout vendor. Calls throw `SupplierError` if they end without a result; an unknown result is resolved by `query`. */
export interface Payout {
  readonly name: string
  /** Smallest accepted payout, in fen. */
  readonly minMinor: bigint
  /** Sends the payout, or reports on the one sent before under this number. */
  send(tools: SupplierTools, call: PayoutCall): Promise<PayoutFact>
  query(tools: SupplierTools, payoutNo: string): Promise<PayoutFact>
}

export type { SupplierTools }

export type PayoutConfig = Readonly<Record<string, unknown>>

export type PayoutVendor = SupplierVendor<Payout>
