import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import { PAID } from '../../words.ts'
import { searchOrders } from './data-orders.ts'

export interface PaidOrderSummary {
  readonly orderNo: string
  readonly amount: Nano
  readonly total: Nano
  readonly paidAt: Date
}
const MAX_ORDERS = 1000

/** A user's paid orders of one type, newest first. */
export async function listPaidOrders(sql: Sql, userId: string, orderType: number): Promise<PaidOrderSummary[]> {
  const rows = await searchOrders(sql, { userId, orderType, states: PAID, limit: MAX_ORDERS })
  return rows.flatMap(({ orderNo, amountNano: amount, totalNano: total, paidAt }) => (paidAt ? [{ orderNo, amount, total, paidAt }] : []))
}
