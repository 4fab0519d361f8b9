import type { Sql } from '#platform/server/database/db.ts'
import { parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectOrderByNo } from '../data.ts'

interface OrderFigures {
  readonly orderType: number
  readonly amount: Nano
  readonly deposit: Nano
}

/** Frozen figures of a user's order, with the deposit within the amount; undefined if the user has no such order. */
export async function readOrderFigures(sql: Sql, userId: string, orderNo: string): Promise<OrderFigures | undefined> {
  const row = await selectOrderByNo(sql, orderNo, userId)
  return row && { orderType: row.orderType, amount: row.amountNano, deposit: parseUsd(row.wishes.deposit ?? '0') }
}
