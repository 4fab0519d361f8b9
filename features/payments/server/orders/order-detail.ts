import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import type { ordersContract } from '../../contract-orders.ts'
import { PAYABLE, PAID } from '../../words.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { receiptsOf } from '../trades/data-receipts.ts'
import type { ReceiptRow } from '../trades/data-receipts.ts'
import { methodsOf, refundedOf, timelineOf } from './data-orders.ts'
import { disputesOf, refundsOf } from '../states/data-refunds.ts'
import { kindOf } from '../kinds/index.ts'
import { userRefunds, withdrawKeep } from '../settings.ts'
import { disputeView, paymentView, refundView, rowView, timelineView } from './view-orders.ts'
import { askWhileWatching } from '../paying/ask-while-watching.ts'
import { refundableOf } from '../refunds/refundable-now.ts'

const ASK_SECONDS = 10

/** Everything about one order, and what its owner can do with it now. */
export const orderDetail: Handler<typeof ordersContract.orderDetail> = async (ctx, { orderNo }) => {
  const seen = (await data.orderByNo(ctx.db, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  if (PAYABLE.includes(seen.state)) await askWhileWatching(ctx, seen, ASK_SECONDS)
  const order = (await data.orderByNo(ctx.db, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  const [timeline, receipts, refunds, disputes, methods, refunded] = await Promise.all([
    timelineOf(ctx.db, order.id),
    receiptsOf(ctx.db, order.id),
    refundsOf(ctx.db, order.id),
    disputesOf(ctx.db, order.id),
    methodsOf(ctx.db, order.id),
    refundedOf(ctx.db, order.id),
  ])
  const methodOf = (receipt: ReceiptRow) =>
    methods.find((each) => each.channel_type === receipt.channel_type && each.trade_no === receipt.trade_no)?.transaction_type ?? order.transaction_type
  const row = rowView(order, refunded, ctx.lang)
  return {
    order: row,
    timeline: timeline.map(timelineView),
    payments: receipts.map((receipt) => paymentView(receipt, methodOf(receipt))),
    refunds: refunds.map(refundView),
    disputes: disputes.map(disputeView),
    can: {
      pay: row.payable,
      cancel: PAYABLE.includes(order.state),
      receipt: PAID.includes(order.state),
      refund: await refundOf(ctx, order),
      keep: await ctx.settings.get(withdrawKeep),
      again: !PAYABLE.includes(order.state) && kindOf(order.order_type) !== undefined,
    },
  }
}

async function refundOf(ctx: Ctx, order: OrderRow): Promise<string | null> {
  if ((await ctx.settings.get(userRefunds)) === 'off') return null
  const left = await refundableOf(ctx, ctx.db, order, 'user')
  return left > 0n ? usd(left) : null
}
