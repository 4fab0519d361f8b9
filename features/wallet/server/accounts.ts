import type { Nano } from '#platform/shared/money.ts'
import type { MovementKind } from '../contract-movements.ts'

/** Kinds that may be posted: those in the table of movements, and those of tests. */
export type PostedKind = MovementKind | `test.${string}`

/** Kinds of accounts; their meaning and the allowed pairs are rows (`wallet_account_kinds`). */
export type AccountKind =
  | 'customer'
  | 'receivable'
  | 'wash'
  | 'revenue'
  | 'fees'
  | 'channel_costs'
  | 'fx'
  | 'breakage'
  | 'grants'
  | 'suspense'
  | 'in_transit'
  | 'card'
  | 'deposit'
  | 'issuer'
  | 'reward'
  | 'marketing'
  | 'own_use'

export type AccountOwner = 'system' | `user:${string}` | `card:${string}`

export interface AccountName {
  readonly owner: AccountOwner
  readonly kind: AccountKind
}

/** A user's spendable balance, or another account of the same user. */
export function userAccount(userId: string, kind: AccountKind = 'customer'): AccountName {
  return { owner: `user:${userId}`, kind }
}

/** Account of a card: its spendable money, or its debt. */
export function cardAccount(cardId: string, kind: 'card' | 'receivable' = 'card'): AccountName {
  return { owner: `card:${cardId}`, kind }
}

/** One of our own accounts. */
export function systemAccount(kind: AccountKind): AccountName {
  return { owner: 'system', kind }
}

export type LotKind = 'purchased' | 'granted'

/** A movement of money. Amounts are nano-units of `currency` (default USD), from 1 to MAX_AMOUNT. */
export interface Leg {
  readonly from: AccountName
  readonly to: AccountName
  readonly amount: Nano
  readonly currency?: string
  /** The lot that a credit to a customer makes; granted when it comes from grants, else purchased. */
  readonly lot?: { readonly kind?: LotKind; readonly orderRef?: string; readonly expiresAt?: Date }
  /** Lots that the customer pays with; defaults to all in the usual order. */
  readonly take?: { readonly kind?: LotKind; readonly orderRef?: string }
  /** Books any shortfall as debt: debits it from the payer's receivable; the next credit repays it. */
  readonly owe?: boolean
  /** Id of the transaction whose lots a refund restores, so that granted credit stays granted. */
  readonly undoes?: bigint
}

/** A posting, idempotent by `kind` and `ref`. */
export interface Posting {
  readonly kind: PostedKind
  readonly ref: string
  readonly legs: readonly Leg[]
}

/** `replayed`: this reference was posted before and nothing moved now. */
export interface PostingResult {
  readonly transactionId: bigint
  readonly replayed: boolean
}
