import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectCaptured, selectGivenBack, selectMoved } from '../data-balances.ts'

export interface Movement {
  /** Of the transaction: `topup`, `gateway.usage` ... */
  readonly kind: string
  /** Kinds of the accounts it went between: `wash` is the outside world. */
  readonly from: string
  readonly to: string
  readonly amount: Nano
}

/** What moved in a span of time, by kind of transaction and kinds of accounts; dollars. For comparing books, not for pages. */
export async function movements(sql: Sql, from: Date, before: Date): Promise<Movement[]> {
  return (await selectMoved(sql, from, before)).map((row) => ({ kind: row.kind, from: row.debit_kind, to: row.credit_kind, amount: row.amount }))
}

/** All that was ever captured under a kind. Reads the journal of captures: for nightly work. */
export const capturedInAll = (sql: Sql, kind: string): Promise<Nano> => selectCaptured(sql, kind)

/** All that postings of a kind ever gave back out of revenue. For nightly work. */
export const givenBackInAll = (sql: Sql, kind: string): Promise<Nano> => selectGivenBack(sql, kind)
