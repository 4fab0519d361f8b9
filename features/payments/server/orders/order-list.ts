import type { Handler } from '#platform/server/feature.ts'
import type { ordersContract } from '../../contract-orders.ts'
import { FILTER_STATES } from '../../words.ts'
import { searchOrders } from './data-orders.ts'
import { toCustomerOrderRow } from './view-orders.ts'

/** The cursor is the last row's number, which reveals nothing about other users' orders. */
export const orderList: Handler<typeof ordersContract.orderList> = async (ctx, { orderType, status, last4, from, to, cursor, pageSize }) => {
  const rows = await searchOrders(ctx.db, {
    userId: ctx.userId,
    ...(orderType === undefined ? {} : { orderType }),
    ...(status === undefined ? {} : { states: FILTER_STATES[status] }),
    ...(last4 === undefined ? {} : { tail: last4.toUpperCase() }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(cursor === undefined ? {} : { before: BigInt(cursor) }),
    limit: pageSize + 1,
  })
  const page = rows.slice(0, pageSize)
  return { rowList: page.map((row) => toCustomerOrderRow(row, row.refunded, ctx.lang)), nextCursor: rows.length > pageSize ? page.at(-1)!.id.toString() : null }
}
