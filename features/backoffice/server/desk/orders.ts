import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
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
    ...{ ...pick(row, 'orderNo', 'userId', 'customer', 'orderType', 'state', 'source') },
    ...{ amount: formatUsd(computeVisibleAmount(row)), fee: formatUsd(row.feeNano), total: formatUsd(row.totalNano) },
    ...{ payAmount: formatMinor(row.payMinor), currency: row.currency, channelType: row.channelType, waits: row.waits },
    ...{ createdAt: row.createdAt.toISOString(), paidAt: row.paidAt?.toISOString() ?? null },
  }
}

export async function readOrders(
  ctx: Ctx,
  { q, state, userId, channel, from, to, waits, after, limit }: InputOf<Contract['orders']>,
): Promise<ReplyOf<Contract['orders']>> {
  const rows = await listOrders(ctx.db, { q: q || undefined, state, userId, channel, from, to, waits, after: parseNumberCursor(after), limit: limit + 1 })
  return buildKeysetPage(rows, limit, { view: lineOf, place: (row) => String(row.id) })
}

export async function readOrder(ctx: Ctx, { orderNo }: InputOf<Contract['order']>): Promise<ReplyOf<Contract['order']>> {
  const { db } = ctx
  const row = (await findOrder(db, orderNo)) ?? fail('NOT_FOUND')
  const [attempts, receipts, notices, refunds, disputes, steps, refundable] = await Promise.all([
    ...([listOrderAttempts(db, row.id), listReceiptLines(db, row.id), listOrderNotices(db, row.id)] as const),
    ...([listRefundLines(db, row.id), listDisputeLines(db, row.id), listStepLines(db, row.id), computeRefundableByNo(ctx, db, row.orderNo)] as const),
  ])
  return {
    ...lineOf(row),
    ...{
      rate: row.rate,
      feePercent: row.feePercent,
      discount: formatUsd(computeVisibleDiscount(row)),
      refundable: formatUsd(refundable),
      expiresAt: row.expiresAt.toISOString(),
    },
    attempts: attempts.map((one) => ({
      ...{ ...pick(one, 'tradeNo', 'channelType', 'state', 'form'), at: one.createdAt.toISOString(), reason: one.reason },
    })),
    receipts: receipts.map((one) => ({
      ...{ id: String(one.id), channelType: one.channelType, channelTxn: one.channelTxn, tradeNo: one.tradeNo, payAmount: formatMinor(one.paidMinor) },
      ...{ currency: one.currency, paidAt: one.paidAt.toISOString(), outcome: one.outcome, worth: formatUsd(one.worthNano), resolvedBy: one.resolvedBy },
    })),
    notices: notices.map((one) => ({ noticeId: one.noticeId, channelType: one.channelType, event: one.event, at: one.receivedAt.toISOString() })),
    refunds: refunds.map((one) => ({
      ...{
        refundNo: one.refundNo,
        amount: formatUsd(one.amountNano),
        fee: formatUsd(one.feeNano),
        state: one.state,
        goesTo: one.goesTo,
        reason: one.reason,
      },
      ...{ askedBy: one.askedBy, at: one.createdAt.toISOString(), finishedAt: one.finishedAt?.toISOString() ?? null, failure: one.failure },
    })),
    disputes: disputes.map((one) => ({
      ...{ channelType: one.channelType, disputeId: one.disputeId, payAmount: formatMinor(one.minor), currency: one.currency, state: one.state },
      ...{ at: one.createdAt.toISOString(), closedAt: one.closedAt?.toISOString() ?? null, dueAt: one.dueAt?.toISOString() ?? null },
    })),
    steps: steps.map((one) => ({ event: one.event, at: one.at.toISOString(), actor: one.actor, reason: one.reason })),
  }
}
