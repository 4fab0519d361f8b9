import type { Sql } from '#platform/server/database/db.ts'
import { shareOf, sum } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { affectedCalls } from '#features/gateway/server/door.ts'
import type { CompensationTerms } from '../../contract-bulk.console.ts'
import { doneAlready } from '../bulk/data.ts'

export const MOST_CALLS = 100_000

export interface Chosen {
  readonly calls: readonly { readonly callId: string; readonly userId: string; readonly amount: Nano }[]
  /** Compensated by a campaign before. */
  readonly already: number
  readonly customers: number
  readonly total: Nano
  /** Customers, from the one who gets the most. */
  readonly byCustomer: readonly { readonly userId: string; readonly calls: number; readonly amount: Nano }[]
  /** There are more than one campaign takes. */
  readonly isCut: boolean
}

/** Whom a campaign would give what. */
export async function chooseCalls(sql: Sql, { from, to, percent, ...filter }: CompensationTerms): Promise<Chosen> {
  const found = await affectedCalls(sql, { ...filter, from: new Date(from), to: new Date(to) }, MOST_CALLS + 1)
  const before = await doneAlready(
    sql,
    found.map(({ call_id }) => `call:${call_id}`),
  )
  const calls = found
    .slice(0, MOST_CALLS)
    .filter(({ call_id }) => !before.has(`call:${call_id}`))
    .map(({ call_id: callId, user_id: userId, amount }) => ({ callId, userId, amount: shareOf(amount, BigInt(percent), 100n) }))
    .filter(({ amount }) => amount > 0n)
  const customers = Map.groupBy(calls, ({ userId }) => userId)
  const byCustomer = [...customers]
    .map(([userId, own]) => ({ userId, calls: own.length, amount: sum(own.map(({ amount }) => amount)) }))
    .toSorted((a, b) => (a.amount === b.amount ? (a.userId < b.userId ? -1 : 1) : a.amount < b.amount ? 1 : -1))
  return { calls, already: before.size, customers: customers.size, total: sum(calls.map(({ amount }) => amount)), byCustomer, isCut: found.length > MOST_CALLS }
}
