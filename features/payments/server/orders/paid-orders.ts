import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import { PAID } from '../../words.ts'
import { searchOrders } from './data-orders.ts'

export interface PaidOrder {
  readonly orderNo: string
  readonly amount: Nano
  readonly total: Nano
  readonly paidAt: Date
}
const MOST = 1000

/** A user's paid orders of one type, newest first. */
export async function paidOrders(sql: Sql, userId: string, orderType: number): Promise<PaidOrder[]> {
  const rows = await searchOrders(sql, { userId, orderType, states: PAID, limit: MOST })
  return rows.flatMap(({ order_no: orderNo, amount_nano: amount, total_nano: total, paid_at: paidAt }) => (paidAt ? [{ orderNo, amount, total, paidAt }] : []))
}
