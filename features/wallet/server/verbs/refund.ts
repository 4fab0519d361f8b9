import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Nano } from '#platform/shared/money.ts'
import { systemAccount, userAccount } from '../accounts.ts'
import type { AccountKind, PostingResult, PostedKind } from '../accounts.ts'
import { selectTakenFromLots, selectTransactionId } from '../data-balances.ts'
import { postTransaction } from './post.ts'

/** Names a transaction by the kind and ref of its posting. */
export interface TransactionKey {
  readonly kind: PostedKind
  readonly ref: string
}

export interface RefundInput {
  readonly userId: string
  readonly amount: Nano
  readonly kind: PostedKind
  readonly ref: string
  /** Transaction to refund: its kind and ref, or its id. */
  readonly of: TransactionKey | bigint
  /** Account that received the money; defaults to revenue. */
  readonly from?: AccountKind
  readonly currency?: string
}

/** Id of the transaction that a leg refunds, if one posting refunds several. Error: TRANSACTION_UNKNOWN. */
export async function requireTransactionId(sql: Sql, kind: PostedKind, ref: string): Promise<bigint> {
  return (await selectTransactionId(sql, kind, ref)) ?? fail('TRANSACTION_UNKNOWN')
}

/** Amount that a transaction took from a user's lots, less refunds; zero if there is no such transaction. */
export async function sumTakenFromLots(sql: Sql, { kind, ref }: TransactionKey): Promise<Nano> {
  return selectTakenFromLots(sql, kind, ref)
}

/**
 * Refunds a user's transaction to the lots it came from: granted credit comes back granted. All refunds of a transaction together never exceed it.
 * Errors: REFUND_TOO_LARGE, TRANSACTION_UNKNOWN, BAD_AMOUNT, LEDGER_REF_REUSED. Source: money.md R2 and R6.
 */
export async function refundTransaction(tx: Tx, given: RefundInput): Promise<PostingResult> {
  const undoes = typeof given.of === 'bigint' ? given.of : await requireTransactionId(tx, given.of.kind, given.of.ref)
  return postTransaction(tx, {
    kind: given.kind,
    ref: given.ref,
    legs: [{ from: systemAccount(given.from ?? 'revenue'), to: userAccount(given.userId), amount: given.amount, currency: given.currency, undoes }],
  })
}
