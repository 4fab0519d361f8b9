import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { OrderDetail, CustomerOrderRow, OrderRefund as RefundView } from '../../contract-orders.ts'
import { formatOrderTitle } from '../../texts-titles.ts'
import type { OrderRow } from '../data.ts'
import type { PaymentReceiptRow } from '../trades/data-receipts.ts'
import type { OrderTimelineRow } from './data-orders.ts'
import type { DisputeRow, RefundRow } from '../states/data-refunds.ts'
import { toPaymentOrder, computeSecondsLeft } from '../states/view.ts'

export function toCustomerOrderRow(row: OrderRow, refunded: Nano, lang: Lang): CustomerOrderRow {
  return {
    ...toPaymentOrder(row),
    title: formatOrderTitle(row.order_type, lang),
    refunded: formatUsd(refunded),
    payable: computeSecondsLeft(row) > 0,
    source: row.source,
  }
}

/** Maps a timeline row; `by` names the kind of actor, never the operator. */
export function toTimelineEntry({ at, event, to_state, actor, facts }: OrderTimelineRow): OrderDetail['timeline'][number] {
  return { at: at.toISOString(), event, state: to_state, facts: { ...facts, by: actor.slice(0, actor.indexOf(':')) } }
}

export function toOrderPayment(receipt: PaymentReceiptRow, transactionType: number): OrderDetail['payments'][number] {
  return {
    channelTxn: receipt.channel_txn,
    transactionType,
    payAmount: formatMinor(receipt.paid_minor),
    payCurrency: receipt.currency,
    paidTime: receipt.paid_at.toISOString(),
    outcome: receipt.resolved_nano === null ? receipt.outcome : 'credited',
  }
}

export function toOrderRefund(refund: RefundRow): RefundView {
  return {
    refundNo: refund.refund_no,
    amount: formatUsd(refund.amount_nano),
    payAmount: formatMinor(refund.minor),
    payCurrency: refund.currency,
    state: refund.state,
    to: refund.goes_to,
    reason: refund.reason,
    createdTime: refund.created_at.toISOString(),
    finishedTime: refund.finished_at?.toISOString() ?? null,
  }
}

export function toOrderDispute(dispute: DisputeRow): OrderDetail['disputes'][number] {
  return {
    payAmount: formatMinor(dispute.minor),
    payCurrency: dispute.currency,
    state: dispute.state,
    fee: formatUsd(dispute.fee_nano),
    createdTime: dispute.created_at.toISOString(),
    closedTime: dispute.closed_at?.toISOString() ?? null,
  }
}
