import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { computeVisibleAmount, computeVisibleDiscount, computeRefundableByNo } from '#features/payments/server/door.ts'
import type { moneyContract, ConsoleOrderListRow } from '../../contract-money.console.ts'
import {
  listOrderAttempts,
  listDisputeLines,
  findOrder,
  listOrders,
  listOrderNotices,
  listReceiptLines,
  listRefundLines,
  listStepLines,
} from './data-orders.ts'
import type { OrderLine } from './data-orders.ts'
import { parseNumberCursor, buildKeysetPage } from './keyset.ts'

type Contract = typeof moneyContract

function lineOf(row: OrderLine): ConsoleOrderListRow {
  return {
    ...{ orderNo: row.order_no, userId: row.user_id, customer: row.customer, orderType: row.order_type, state: row.state, source: row.source },
    ...{ amount: formatUsd(computeVisibleAmount(row)), fee: formatUsd(row.fee_nano), total: formatUsd(row.total_nano) },
    ...{ payAmount: formatMinor(row.pay_minor), currency: row.currency, channelType: row.channel_type, waits: row.waits },
    ...{ createdAt: row.created_at.toISOString(), paidAt: row.paid_at?.toISOString() ?? null },
  }
}

export async function readOrders(
  ctx: Ctx,
  { q, state, userId, channel, from, to, waits, after, limit }: InputOf<Contract['orders']>,
): Promise<ReplyOf<Contract['orders']>> {
  const rows = await listOrders(ctx.db, { q: q || undefined, state, userId, channel, from, to, waits, after: parseNumberCursor(after), limit: limit + 1 })
  return buildKeysetPage(rows, limit, lineOf, (row) => String(row.id))
}

export async function readOrder(ctx: Ctx, { orderNo }: InputOf<Contract['order']>): Promise<ReplyOf<Contract['order']>> {
  const { db } = ctx
  const row = (await findOrder(db, orderNo)) ?? fail('NOT_FOUND')
  const [attempts, receipts, notices, refunds, disputes, steps, refundable] = await Promise.all([
    ...([listOrderAttempts(db, row.id), listReceiptLines(db, row.id), listOrderNotices(db, row.id)] as const),
    ...([listRefundLines(db, row.id), listDisputeLines(db, row.id), listStepLines(db, row.id), computeRefundableByNo(ctx, db, row.order_no)] as const),
  ])
  return {
    ...lineOf(row),
    ...{
      rate: row.rate,
      feePercent: row.fee_percent,
      discount: formatUsd(computeVisibleDiscount(row)),
      refundable: formatUsd(refundable),
      expiresAt: row.expires_at.toISOString(),
    },
    attempts: attempts.map((one) => ({
      ...{ tradeNo: one.trade_no, channelType: one.channel_type, state: one.state, form: one.form, at: one.created_at.toISOString(), reason: one.reason },
    })),
    receipts: receipts.map((one) => ({
      ...{ id: String(one.id), channelType: one.channel_type, channelTxn: one.channel_txn, tradeNo: one.trade_no, payAmount: formatMinor(one.paid_minor) },
      ...{ currency: one.currency, paidAt: one.paid_at.toISOString(), outcome: one.outcome, worth: formatUsd(one.worth_nano), resolvedBy: one.resolved_by },
    })),
    notices: notices.map((one) => ({ noticeId: one.notice_id, channelType: one.channel_type, event: one.event, at: one.received_at.toISOString() })),
    refunds: refunds.map((one) => ({
      ...{
        refundNo: one.refund_no,
        amount: formatUsd(one.amount_nano),
        fee: formatUsd(one.fee_nano),
        state: one.state,
        goesTo: one.goes_to,
        reason: one.reason,
      },
      ...{ askedBy: one.asked_by, at: one.created_at.toISOString(), finishedAt: one.finished_at?.toISOString() ?? null, failure: one.failure },
    })),
    disputes: disputes.map((one) => ({
      ...{ channelType: one.channel_type, disputeId: one.dispute_id, payAmount: formatMinor(one.minor), currency: one.currency, state: one.state },
      ...{ at: one.created_at.toISOString(), closedAt: one.closed_at?.toISOString() ?? null, dueAt: one.due_at?.toISOString() ?? null },
    })),
    steps: steps.map((one) => ({ event: one.event, at: one.at.toISOString(), actor: one.actor, reason: one.reason })),
  }
}
