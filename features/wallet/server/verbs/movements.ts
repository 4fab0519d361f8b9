import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectCapturedTotal, selectRefundedTotal, selectMovedSums } from '../data-balances.ts'

export interface MovementSum {
  /** Kind of the transaction: `topup`, `gateway.usage` ... */
  readonly kind: string
  /** Kinds of the two accounts: `wash` is the outside world. */
  readonly from: string
  readonly to: string
  readonly amount: Nano
}

/** Amounts moved in a period, by kind of transaction and of accounts, in dollars. For reconciliation, not for pages. */
export async function sumMovements(sql: Sql, from: Date, before: Date): Promise<MovementSum[]> {
  return (await selectMovedSums(sql, from, before)).map((row) => ({ kind: row.kind, from: row.debitKind, to: row.creditKind, amount: row.amount }))
}

/** Total ever captured under a kind. Reads the journal of captures: for nightly jobs. */
export const sumCaptured = (sql: Sql, kind: string): Promise<Nano> => selectCapturedTotal(sql, kind)

/** Total ever moved out of revenue by postings of a kind. For nightly jobs. */
export const sumRefunded = (sql: Sql, kind: string): Promise<Nano> => selectRefundedTotal(sql, kind)
