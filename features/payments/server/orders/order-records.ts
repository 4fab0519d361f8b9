import type { Handler } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'
import { selectOrdersByIds, selectRecordPage } from './data-orders.ts'
import { toOrderRecord } from '../states/view.ts'
import { selectWithdrawalsByIds } from '../set-aside/data.ts'
import { selectWithdrawalParts } from '../set-aside/data-parts.ts'
import { toWithdrawalRecord } from '../withdrawals/view.ts'

/** Recharges, withdrawals and other orders in one list; each row names its type. */
export const orderRecords: Handler<typeof paymentsContract.orderRecords> = async (ctx, { pageNum, pageSize, orderType }) => {
  const { keys, total } = await selectRecordPage(ctx.db, { userId: ctx.userId, type: orderType, offset: (pageNum - 1) * pageSize, limit: pageSize })
  const idsOf = (isWithdrawal: boolean) => keys.filter(({ type }) => (type === 2) === isWithdrawal).map(({ id }) => id)
  const orders = new Map((await selectOrdersByIds(ctx.db, idsOf(false))).map((row) => [row.id, row]))
  const withdrawals = new Map((await selectWithdrawalsByIds(ctx.db, idsOf(true))).map((row) => [row.id, row]))
  const parts = withdrawals.size ? await selectWithdrawalParts(ctx.db, [...withdrawals.keys()]) : []
  const rowList = keys.map(({ type, id }) => (type === 2 ? toWithdrawalRecord(withdrawals.get(id)!, parts) : toOrderRecord(orders.get(id)!)))
  return { rowList, pageNum, pageSize, totalPage: Math.ceil(total / pageSize), totalRecord: total }
}
