import type { Handler } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'
import { ordersByIds, pageOfRecords } from './data-orders.ts'
import { recordView } from './view.ts'
import { withdrawalsByIds } from '../withdrawals/data.ts'
import { partsOf } from '../withdrawals/data-parts.ts'
import { withdrawalRecord } from '../withdrawals/view.ts'

/** Money in and money out of the balance in one list. */
export const orderRecords: Handler<typeof paymentsContract.orderRecords> = async (ctx, { pageNum, pageSize, orderType }) => {
  const { keys, total } = await pageOfRecords(ctx.db, { userId: ctx.userId, type: orderType, offset: (pageNum - 1) * pageSize, limit: pageSize })
  const idsOf = (type: 1 | 2) => keys.filter((key) => key.type === type).map(({ id }) => id)
  const orders = new Map((await ordersByIds(ctx.db, idsOf(1))).map((row) => [row.id, row]))
  const withdrawals = new Map((await withdrawalsByIds(ctx.db, idsOf(2))).map((row) => [row.id, row]))
  const parts = withdrawals.size ? await partsOf(ctx.db, [...withdrawals.keys()]) : []
  const rowList = keys.map(({ type, id }) => (type === 1 ? recordView(orders.get(id)!) : withdrawalRecord(withdrawals.get(id)!, parts)))
  return { rowList, pageNum, pageSize, totalPage: Math.ceil(total / pageSize), totalRecord: total }
}
