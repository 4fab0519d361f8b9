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
    title: formatOrderTitle(row.orderType, lang),
    refunded: formatUsd(refunded),
    payable: computeSecondsLeft(row) > 0,
    source: row.source,
  }
}

/** Maps a timeline row; `by` names the kind of actor, never the operator. */
export function toTimelineEntry({ at, event, toState, actor, facts }: OrderTimelineRow): OrderDetail['timeline'][number] {
  return { at: at.toISOString(), event, state: toState, facts: { ...facts, by: actor.slice(0, actor.indexOf(':')) } }
}

export function toOrderPayment(receipt: PaymentReceiptRow, transactionType: number): OrderDetail['payments'][number] {
  return {
    channelTxn: receipt.channelTxn,
    transactionType,
    payAmount: formatMinor(receipt.paidMinor),
    payCurrency: receipt.currency,
    paidTime: receipt.paidAt.toISOString(),
    outcome: receipt.resolvedNano === null ? receipt.outcome : 'credited',
  }
}

export function toOrderRefund(refund: RefundRow): RefundView {
  return {
    refundNo: refund.refundNo,
    amount: formatUsd(refund.amountNano),
    payAmount: formatMinor(refund.minor),
    payCurrency: refund.currency,
    state: refund.state,
    to: refund.goesTo,
    reason: refund.reason,
    createdTime: refund.createdAt.toISOString(),
    finishedTime: refund.finishedAt?.toISOString() ?? null,
  }
}

export function toOrderDispute(dispute: DisputeRow): OrderDetail['disputes'][number] {
  return {
    payAmount: formatMinor(dispute.minor),
    payCurrency: dispute.currency,
    state: dispute.state,
    fee: formatUsd(dispute.feeNano),
    createdTime: dispute.createdAt.toISOString(),
    closedTime: dispute.closedAt?.toISOString() ?? null,
  }
}
