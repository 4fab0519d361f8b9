import type { Handler } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'
import { pageOfOrders } from '../data.ts'
import { recordView } from '../view.ts'

export const orderRecords: Handler<typeof paymentsContract.orderRecords> = async (ctx, { pageNum, pageSize }) => {
  const { rows, total } = await pageOfOrders(ctx.db, ctx.userId, (pageNum - 1) * pageSize, pageSize)
  return { rowList: rows.map(recordView), pageNum, pageSize, totalPage: Math.ceil(total / pageSize), totalRecord: total }
}
