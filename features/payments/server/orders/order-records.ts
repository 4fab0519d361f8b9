import type { Handler } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'
import { ordersByIds, pageOfRecords } from './data-orders.ts'
import { recordView } from '../states/view.ts'
import { withdrawalsByIds } from '../set-aside/data.ts'
import { partsOf } from '../set-aside/data-parts.ts'
import { withdrawalRecord } from '../withdrawals/view.ts'

/** Recharges, withdrawals and other orders in one list; each says which it is. */
export const orderRecords: Handler<typeof paymentsContract.orderRecords> = async (ctx, { pageNum, pageSize, orderType }) => {
  const { keys, total } = await pageOfRecords(ctx.db, { userId: ctx.userId, type: orderType, offset: (pageNum - 1) * pageSize, limit: pageSize })
  const idsOf = (isWithdrawal: boolean) => keys.filter(({ type }) => (type === 2) === isWithdrawal).map(({ id }) => id)
  const orders = new Map((await ordersByIds(ctx.db, idsOf(false))).map((row) => [row.id, row]))
  const withdrawals = new Map((await withdrawalsByIds(ctx.db, idsOf(true))).map((row) => [row.id, row]))
  const parts = withdrawals.size ? await partsOf(ctx.db, [...withdrawals.keys()]) : []
  const rowList = keys.map(({ type, id }) => (type === 2 ? withdrawalRecord(withdrawals.get(id)!, parts) : recordView(orders.get(id)!)))
  return { rowList, pageNum, pageSize, totalPage: Math.ceil(total / pageSize), totalRecord: total }
}
