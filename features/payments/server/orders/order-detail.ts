import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { ordersContract } from '../../contract-orders.ts'
import { PAYABLE, PAID } from '../../words.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { selectReceipts } from '../trades/data-receipts.ts'
import type { PaymentReceiptRow } from '../trades/data-receipts.ts'
import { selectTradeMethods, sumOrderRefunds, selectOrderTimeline } from './data-orders.ts'
import { selectOrderDisputes, selectRefunds } from '../states/data-refunds.ts'
import { findOrderKind } from '../kinds/index.ts'
import { userRefunds, withdrawKeep } from '../settings.ts'
import { toOrderDispute, toOrderPayment, toOrderRefund, toCustomerOrderRow, toTimelineEntry } from './view-orders.ts'
import { queryWhileWatched } from '../paying/query-while-watched.ts'
import { computeRefundable } from '../refunds/refundable-now.ts'

const QUERY_SECONDS = 10

/** Returns one order in full, with the actions open to its owner. */
export const orderDetail: Handler<typeof ordersContract.orderDetail> = async (ctx, { orderNo }) => {
  const seen = (await data.selectOrderByNo(ctx.db, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  if (PAYABLE.includes(seen.state)) await queryWhileWatched(ctx, seen, QUERY_SECONDS)
  const order = (await data.selectOrderByNo(ctx.db, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  const [timeline, receipts, refunds, disputes, methods, refunded] = await Promise.all([
    selectOrderTimeline(ctx.db, order.id),
    selectReceipts(ctx.db, order.id),
    selectRefunds(ctx.db, order.id),
    selectOrderDisputes(ctx.db, order.id),
    selectTradeMethods(ctx.db, order.id),
    sumOrderRefunds(ctx.db, order.id),
  ])
  const methodOf = (receipt: PaymentReceiptRow) =>
    methods.find((each) => each.channelType === receipt.channelType && each.tradeNo === receipt.tradeNo)?.transactionType ?? order.transactionType
  const row = toCustomerOrderRow(order, refunded, ctx.lang)
  return {
    order: row,
    timeline: timeline.map(toTimelineEntry),
    payments: receipts.map((receipt) => toOrderPayment(receipt, methodOf(receipt))),
    refunds: refunds.map(toOrderRefund),
    disputes: disputes.map(toOrderDispute),
    can: {
      pay: row.payable,
      cancel: PAYABLE.includes(order.state),
      receipt: PAID.includes(order.state),
      refund: await findRefundable(ctx, order),
      keep: await ctx.settings.get(withdrawKeep),
      again: !PAYABLE.includes(order.state) && findOrderKind(order.orderType) !== undefined,
    },
  }
}

async function findRefundable(ctx: Ctx, order: OrderRow): Promise<string | null> {
  if ((await ctx.settings.get(userRefunds)) === 'off') return null
  const left = await computeRefundable(ctx, ctx.db, { order, by: 'user' })
  return left > 0n ? formatUsd(left) : null
}
