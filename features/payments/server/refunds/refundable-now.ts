import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import { orderByNo } from '../data.ts'
import { refundablesOf } from './start-refund.ts'

/** What one refund of an order can still take, in nano-dollars: never above what was paid and is unspent. */
export async function refundableNow(sql: Sql, orderNo: string): Promise<Nano> {
  const order = await orderByNo(sql, orderNo)
  return order ? (await refundablesOf(sql, order)).reduce((best, { left }) => (left > best ? left : best), 0n) : 0n
}
