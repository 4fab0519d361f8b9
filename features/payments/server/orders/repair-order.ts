import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { fromMinorUnits, isAmount, computePartShare, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { bookResolution } from '../bookings.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { insertResolution, selectReceipts } from '../trades/data-receipts.ts'
import type { PaymentReceiptRow } from '../trades/data-receipts.ts'
import { selectRefunds } from '../states/data-refunds.ts'
import { applyAnswers, readMoneyRules } from '../paying/check-order.ts'
import { queryChannels } from '../trades/query-channels.ts'
import type { ChannelAnswer } from '../trades/query-channels.ts'
import { decideRefund } from '../refunds/decide-refund.ts'
import { readRefundTerms } from '../refunds/refundable-now.ts'
import { restateOrder } from '../states/restate-order.ts'
import { startRefund } from '../refunds/start-refund.ts'
import { emitOrderEvent } from '../states/emit-order-event.ts'

/** Queries the channels about an order without changing anything; call it before taking any lock. */
export async function queryOrderTrades(deps: Deps, orderNo: string): Promise<ChannelAnswer[]> {
  const order = (await data.selectOrderByNo(deps.db, orderNo)) ?? fail('ORDER_NOT_FOUND')
  return queryChannels(deps, order.id)
}

/**
 * Applies the channels' answers (`queryOrderTrades`) in any order state, as the reconciler would, under the operator's name and reason.
 * Only a channel's own answer moves money.
 */
export async function repairOrder(
  deps: Deps,
  operator: Actor,
  { orderNo, reason, answers }: { readonly orderNo: string; readonly reason: string; readonly answers: readonly ChannelAnswer[] },
): Promise<OrderRow> {
  const order = (await data.selectOrderByNo(deps.db, orderNo)) ?? fail('ORDER_NOT_FOUND')
  const rules = await readMoneyRules(deps)
  return transact(deps.db, operator, async (tx) => {
    const before = await data.lockOrder(tx, order.id)
    await tx.audit('order.repaired', `order:${orderNo}`, {
      reason,
      from: before.state,
      facts: answers.map(({ trade, fact }) => `${trade.tradeNo} ${fact?.status ?? 'no answer'}`),
    })
    await data.noteStep(tx, before, { event: 'repaired', reason })
    return applyAnswers(tx, order.id, { answers, rules })
  })
}

export interface OperatorRefund {
  readonly orderNo: string
  /** Defaults to everything that is left. */
  readonly amount?: Nano
  readonly withFee?: boolean
  readonly reason: string
}

/** Refunds an order on an operator's behalf: unspent credit, income, or money in suspense. A worker sends it. */
export async function refundOrder(deps: Deps, operator: Actor, wish: OperatorRefund): Promise<{ refundNo: string; amount: Nano }> {
  return transact(deps.db, operator, async (tx) => {
    const order = await lockByOrderNo(tx, wish.orderNo)
    const row = await startRefund(tx, order, {
      ...(wish.amount === undefined ? {} : { amount: wish.amount }),
      withFee: wish.withFee ?? false,
      reason: wish.reason,
      state: 'approved',
      ...(await readRefundTerms(deps, 'operator')),
    })
    await tx.audit('order.refund_ordered', `order:${wish.orderNo}`, { refundNo: row.refundNo, reason: wish.reason })
    return { refundNo: row.refundNo, amount: row.amountNano }
  })
}

/**
 * Decides an order's pending items: refunds requested by the user, and money in suspense, which becomes balance at the order's rate less
 * the fee's share. Errors: ORDER_NOT_REFUNDABLE if nothing is pending.
 */
export async function approveOrder(deps: Deps, operator: Actor, { orderNo, reason }: { readonly orderNo: string; readonly reason: string }): Promise<string[]> {
  return transact(deps.db, operator, async (tx) => {
    const order = await lockByOrderNo(tx, orderNo)
    await tx.audit('order.approved', `order:${orderNo}`, { reason })
    const asked = (await selectRefunds(tx, order.id)).filter(({ state }) => state === 'requested')
    for (const { id } of asked) await decideRefund(tx, id, { verdict: 'approve', reason })
    const resolved = await resolveSuspense(tx, await data.lockOrder(tx, order.id), reason)
    const done = [...asked.map(({ refundNo }) => `refund ${refundNo} approved`), ...resolved]
    return done.length ? done : fail('ORDER_NOT_REFUNDABLE')
  })
}

/** Rejects the user's request; the money returns to the user. */
export async function rejectRefunds(
  deps: Deps,
  operator: Actor,
  { orderNo, reason }: { readonly orderNo: string; readonly reason: string },
): Promise<string[]> {
  return transact(deps.db, operator, async (tx) => {
    const order = await lockByOrderNo(tx, orderNo)
    await tx.audit('order.refunds_rejected', `order:${orderNo}`, { reason })
    const asked = (await selectRefunds(tx, order.id)).filter(({ state }) => state === 'requested')
    for (const { id } of asked) await decideRefund(tx, id, { verdict: 'reject', reason })
    return asked.map(({ refundNo }) => `refund ${refundNo} rejected`)
  })
}

/** Money in suspense that an approval would credit, and the resulting balance amount. */
export async function listWaitingSuspense(sql: Sql, order: OrderRow): Promise<{ readonly receipt: PaymentReceiptRow; readonly amount: Nano }[]> {
  const refunds = await selectRefunds(sql, order.id)
  return (await selectReceipts(sql, order.id)).flatMap((receipt) => {
    const goesBack = refunds.some((each) => each.receiptId === receipt.id && each.state !== 'failed' && each.state !== 'rejected')
    if (receipt.outcome !== 'suspense' || receipt.resolvedNano !== null || goesBack) return []
    // A currency other than the order's has no frozen rate: the money can only be refunded.
    if (receipt.currency !== order.currency) return []
    const amount = computePartShare(fromMinorUnits(receipt.paidMinor, order.rate), order.amountNano, order.totalNano)
    return isAmount(amount) ? [{ receipt, amount }] : []
  })
}

async function resolveSuspense(tx: Tx, order: OrderRow, reason: string): Promise<string[]> {
  const done: string[] = []
  for (const { receipt, amount } of await listWaitingSuspense(tx, order)) {
    const ledgerRef = await bookResolution(tx, order, { receipt, amount })
    await insertResolution(tx, receipt.id, { amount, ledgerRef, reason })
    await restateOrder(tx, order, { reason, event: 'resolved', facts: { amount: formatUsd(amount) } })
    await emitOrderEvent(tx, order, { event: 'order.resolved', more: { credited: formatUsd(amount), channelTxn: receipt.channelTxn } })
    done.push(`${formatUsd(amount)} USD out of suspense`)
  }
  return done
}

async function lockByOrderNo(tx: Tx, orderNo: string): Promise<OrderRow> {
  const found = (await data.selectOrderByNo(tx, orderNo)) ?? fail('ORDER_NOT_FOUND')
  return data.lockOrder(tx, found.id)
}
