import { minorText, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { OrderDetail, OrderListRow, RefundRow as RefundView } from '../../contract-orders.ts'
import { orderTitle } from '../../texts-titles.ts'
import type { OrderRow } from '../data.ts'
import type { ReceiptRow } from '../trades/data-receipts.ts'
import type { TimelineRow } from './data-orders.ts'
import type { DisputeRow, RefundRow } from '../states/data-refunds.ts'
import { orderView, secondsLeft } from '../states/view.ts'

export function rowView(row: OrderRow, refunded: Nano, lang: Lang): OrderListRow {
  return { ...orderView(row), title: orderTitle(row.order_type, lang), refunded: usd(refunded), payable: secondsLeft(row) > 0, source: row.source }
}

/** Maps a timeline row; `by` names the kind of actor, never the operator. */
export function timelineView({ at, event, to_state, actor, facts }: TimelineRow): OrderDetail['timeline'][number] {
  return { at: at.toISOString(), event, state: to_state, facts: { ...facts, by: actor.slice(0, actor.indexOf(':')) } }
}

export function paymentView(receipt: ReceiptRow, transactionType: number): OrderDetail['payments'][number] {
  return {
    channelTxn: receipt.channel_txn,
    transactionType,
    payAmount: minorText(receipt.paid_minor),
    payCurrency: receipt.currency,
    paidTime: receipt.paid_at.toISOString(),
    outcome: receipt.resolved_nano === null ? receipt.outcome : 'credited',
  }
}

export function refundView(refund: RefundRow): RefundView {
  return {
    refundNo: refund.refund_no,
    amount: usd(refund.amount_nano),
    payAmount: minorText(refund.minor),
    payCurrency: refund.currency,
    state: refund.state,
    to: refund.goes_to,
    reason: refund.reason,
    createdTime: refund.created_at.toISOString(),
    finishedTime: refund.finished_at?.toISOString() ?? null,
  }
}

export function disputeView(dispute: DisputeRow): OrderDetail['disputes'][number] {
  return {
    payAmount: minorText(dispute.minor),
    payCurrency: dispute.currency,
    state: dispute.state,
    fee: usd(dispute.fee_nano),
    createdTime: dispute.created_at.toISOString(),
    closedTime: dispute.closed_at?.toISOString() ?? null,
  }
}
