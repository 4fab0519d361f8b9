import { formatMinor, formatUsd, type Nano, parseUsd } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { OrderDetail, CustomerOrderRow, OrderRefund as RefundView, ordersContract } from '../../contract-orders.ts'
import { formatOrderTitle } from '../../texts-titles.ts'
import * as data from '../data.ts'
import { type OrderRow, selectOrderByNo } from '../data.ts'
import { type PaymentReceiptRow, selectReceipts } from '../trades/data-receipts.ts'
import {
  type OrderTimelineRow,
  searchOrders,
  selectTradeMethods,
  sumOrderRefunds,
  selectOrderTimeline,
  selectOrdersByIds,
  selectRecordPage,
} from './data-orders.ts'
import { type DisputeRow, type RefundRow, selectOrderDisputes, selectRefunds } from '../states/data-refunds.ts'
import { toPaymentOrder, computeSecondsLeft, toOrderRecord } from '../states/view.ts'
import type { Handler, Ctx } from '#platform/server/feature.ts'
import { FILTER_STATES, PAYABLE, PAID } from '../../words.ts'
import { fail } from '#platform/shared/errors.ts'
import { findOrderKind } from '../kinds/index.ts'
import { userRefunds, withdrawKeep } from '../settings.ts'
import { queryWhileWatched } from '../paying/pay-status.ts'
import { computeRefundable } from '../refunds/refundable-now.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { paymentsContract } from '../../contract.ts'
import { selectWithdrawalsByIds } from '../set-aside/data.ts'
import { selectWithdrawalParts } from '../set-aside/data-parts.ts'
import { toWithdrawalRecord } from '../withdrawals/view.ts'

export interface PaidOrderSummary {
  readonly orderNo: string
  readonly amount: Nano
  readonly total: Nano
  readonly paidAt: Date
}
const MAX_ORDERS = 1000

/** A user's paid orders of one type, newest first. */
export async function listPaidOrders(sql: Sql, userId: string, orderType: number): Promise<PaidOrderSummary[]> {
  const rows = await searchOrders(sql, { userId, orderType, states: PAID, limit: MAX_ORDERS })
  return rows.flatMap(({ orderNo, amountNano: amount, totalNano: total, paidAt }) => (paidAt ? [{ orderNo, amount, total, paidAt }] : []))
}

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

interface OrderFigures {
  readonly orderType: number
  readonly amount: Nano
  readonly deposit: Nano
}

/** Frozen figures of a user's order, with the deposit within the amount; undefined if the user has no such order. */
export async function readOrderFigures(sql: Sql, userId: string, orderNo: string): Promise<OrderFigures | undefined> {
  const row = await selectOrderByNo(sql, orderNo, userId)
  return row && { orderType: row.orderType, amount: row.amountNano, deposit: parseUsd(row.wishes.deposit ?? '0') }
}

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

/** The cursor is the last row's number, which reveals nothing about other users' orders. */
export const orderList: Handler<typeof ordersContract.orderList> = async (ctx, { orderType, status, last4, from, to, cursor, pageSize }) => {
  const rows = await searchOrders(ctx.db, {
    userId: ctx.userId,
    ...(orderType === undefined ? {} : { orderType }),
    ...(status === undefined ? {} : { states: FILTER_STATES[status] }),
    ...(last4 === undefined ? {} : { tail: last4.toUpperCase() }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(cursor === undefined ? {} : { before: BigInt(cursor) }),
    limit: pageSize + 1,
  })
  const page = rows.slice(0, pageSize)
  return { rowList: page.map((row) => toCustomerOrderRow(row, row.refunded, ctx.lang)), nextCursor: rows.length > pageSize ? page.at(-1)!.id.toString() : null }
}

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
