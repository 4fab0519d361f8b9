import type { Sql } from '#platform/server/database/db.ts'
import { computePartShare, sumNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectAffectedCalls } from '#features/gateway/server/door.ts'
import type { CompensationTerms } from '../../contract-bulk.console.ts'
import { listDoneSubjects } from '../bulk/data.ts'

export const MAX_COMPENSATED_CALLS = 100_000

export interface CompensationSelection {
  readonly calls: readonly { readonly callId: string; readonly userId: string; readonly amount: Nano }[]
  /** Number of calls compensated by an earlier campaign. */
  readonly already: number
  readonly customers: number
  readonly total: Nano
  /** Customers, largest amount first. */
  readonly byCustomer: readonly { readonly userId: string; readonly calls: number; readonly amount: Nano }[]
  /** True if more calls match than a campaign may contain. */
  readonly isCut: boolean
}

/** Selects the calls of a campaign and the amount for each customer. */
export async function selectCompensatedCalls(sql: Sql, { from, to, percent, ...filter }: CompensationTerms): Promise<CompensationSelection> {
  const found = await selectAffectedCalls(sql, { ...filter, from: new Date(from), to: new Date(to) }, MAX_COMPENSATED_CALLS + 1)
  const before = await listDoneSubjects(
    sql,
    found.map(({ callId }) => `call:${callId}`),
  )
  const calls = found
    .slice(0, MAX_COMPENSATED_CALLS)
    .filter(({ callId }) => !before.has(`call:${callId}`))
    .map(({ callId, userId, amount }) => ({ callId, userId, amount: computePartShare(amount, BigInt(percent), 100n) }))
    .filter(({ amount }) => amount > 0n)
  const customers = Map.groupBy(calls, ({ userId }) => userId)
  const byCustomer = [...customers]
    .map(([userId, own]) => ({ userId, calls: own.length, amount: sumNano(own.map(({ amount }) => amount)) }))
    .toSorted((a, b) => (a.amount === b.amount ? (a.userId < b.userId ? -1 : 1) : a.amount < b.amount ? 1 : -1))
  return {
    calls,
    already: before.size,
    customers: customers.size,
    total: sumNano(calls.map(({ amount }) => amount)),
    byCustomer,
    isCut: found.length > MAX_COMPENSATED_CALLS,
  }
}
