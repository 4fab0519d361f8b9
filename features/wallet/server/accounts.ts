import type { Nano } from '#platform/shared/money.ts'
import type { MovementKind } from '../contract-movements.ts'

/** What may be posted: a kind of the table of movements, or a test's own. */
export type PostedKind = MovementKind | `test.${string}`

/** Kinds of accounts; what each means and which may face each other are rows (`wallet_account_kinds`). */
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

export type Owner = 'system' | `user:${string}` | `card:${string}`

export interface AccountName {
  readonly owner: Owner
  readonly kind: AccountKind
}

/** A user's spendable balance, or another account of the same user. */
export function userAccount(userId: string, kind: AccountKind = 'customer'): AccountName {
  return { owner: `user:${userId}`, kind }
}

/** What a card can spend, or what it owes. */
export function cardAccount(cardId: string, kind: 'card' | 'receivable' = 'card'): AccountName {
  return { owner: `card:${cardId}`, kind }
}

/** An account of the house. */
export function systemAccount(kind: AccountKind): AccountName {
  return { owner: 'system', kind }
}

export type LotKind = 'purchased' | 'granted'

/** One movement of money. Amounts are nano-units of `currency` (USD unless told), from 1 to MAX_AMOUNT. */
export interface Leg {
  readonly from: AccountName
  readonly to: AccountName
  readonly amount: Nano
  readonly currency?: string
  /** The lot that a credit to a customer makes; granted when it comes from grants, else purchased. */
  readonly lot?: { readonly kind?: LotKind; readonly orderRef?: string; readonly expiresAt?: Date }
  /** Which lots a customer pays with; all in the usual order unless told. */
  readonly take?: { readonly kind?: LotKind; readonly orderRef?: string }
  /** What the payer does not have is owed: it is debited from the payer's receivable and repaid by the next credit. */
  readonly owe?: boolean
  /** Id of the transaction whose lots a refund gives back, so that granted credit stays granted. */
  readonly undoes?: bigint
}

/** A posting: `ref` makes it happen once within `kind`. */
export interface Posting {
  readonly kind: PostedKind
  readonly ref: string
  readonly legs: readonly Leg[]
}

/** `replayed`: this reference was posted before and nothing moved now. */
export interface Posted {
  readonly transactionId: bigint
  readonly replayed: boolean
}
