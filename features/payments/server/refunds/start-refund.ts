import type { Tx } from '#platform/server/database/transact.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { maxNano, fromMinorUnits, minNano, subtractNano, addNano, computePartShare, sumNano, formatUsd, floorToCents } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { readBalance, settleDebts, readUnspentCredit, roundDebtUp } from '#features/wallet/server/door.ts'
import { BALANCE_CHANNEL_TYPE, LIVE_REFUNDS, PAID } from '../../words.ts'
import { setRefundAside } from '../bookings.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { resolveEarnings } from '../kinds/index.ts'
import { selectReceipts } from '../trades/data-receipts.ts'
import type { PaymentReceiptRow } from '../trades/data-receipts.ts'
import { selectOrderDisputes, insertRefund, moveRefund, selectRefunds } from '../states/data-refunds.ts'
import type { NewRefund, RefundRow, RefundSource } from '../states/data-refunds.ts'
import { recordHeldRefund, succeedRefund } from './conclude-refund.ts'
import { computeBroughtAmount, resolveReceiptEarnings, restateOrder } from '../states/restate-order.ts'

/** Refundable part of one payment of an order. Dollars; `minor` is the remainder in the payment's currency. */
export interface Refundable {
  readonly receipt: PaymentReceiptRow | undefined
  readonly source: RefundSource
  readonly brought: Nano
  readonly left: Nano
  readonly feeLeft: Nano
  readonly minorLeft: bigint
  /** Refunded or being refunded: dollars of the order, the same with fees, minor units. */
  readonly goneAmount: Nano
  readonly goneNano: Nano
  readonly goneMinor: bigint
}

/** Refundable part of each payment: not refunded, not being refunded, not disputed, and unspent credit only. `held` is a hold of the caller. */
export async function listRefundables(sql: Sql, order: OrderRow, held: Nano = 0n): Promise<Refundable[]> {
  const [receipts, refunds, disputes] = [await selectReceipts(sql, order.id), await selectRefunds(sql, order.id), await selectOrderDisputes(sql, order.id)]
  const isIncome = order.channelType === BALANCE_CHANNEL_TYPE && resolveEarnings(order.orderType) === 'service'
  const sources: (PaymentReceiptRow | undefined)[] = receipts.length || !isIncome ? receipts : [undefined]
  if (!PAID.includes(order.state) && order.state !== 'integrity_failure') return []
  const unspent = minNano(
    (await readUnspentCredit(sql, order.userId, { orderRef: order.orderNo })).purchased,
    addNano((await readBalance(sql, order.userId)).withdrawable, held),
  )
  return sources.flatMap((receipt) => {
    if (disputes.some((each) => each.receiptId === receipt?.id && each.state !== 'won')) return []
    const live = refunds.filter((each) => each.receiptId === (receipt?.id ?? null) && LIVE_REFUNDS.includes(each.state))
    const brought = receipt ? computeBroughtAmount(order, receipt) : order.amountNano
    const paidMinor = receipt?.paidMinor ?? order.payMinor
    const source = brought === 0n ? 'suspense' : receipt && resolveReceiptEarnings(order, receipt) === 'credit' ? 'balance' : 'revenue'
    const gone = sumNano(live.map((each) => each.amountNano))
    const goneFee = sumNano(live.map((each) => each.feeNano))
    const goneMinor = sumNano(live.map((each) => each.minor))
    const rest = maxNano(subtractNano(brought, gone), 0n)
    const left =
      source === 'suspense' ? fromMinorUnits(subtractNano(paidMinor, goneMinor), order.rate) : source === 'balance' ? minNano(rest, maxNano(unspent, 0n)) : rest
    const fee = receipt?.resolvedNano === null || !receipt ? order.feeNano : 0n
    return [
      {
        receipt,
        source,
        brought,
        left,
        feeLeft: subtractNano(fee, goneFee),
        minorLeft: subtractNano(paidMinor, goneMinor),
        goneAmount: gone,
        goneNano: addNano(gone, goneFee),
        goneMinor,
      },
    ]
  })
}

export interface StartRefundInput {
  /** Dollars of the order; defaults to everything that is left. */
  readonly amount?: Nano
  /** Refunds the fee too, in proportion: for our own faults. */
  readonly withFee?: boolean
  readonly goesTo?: 'channel' | 'balance'
  readonly reason: string
  /** `approved` is sent at once, `requested` waits for an operator. */
  readonly state: 'requested' | 'approved'
  /** Sources to refund from; defaults to all. */
  readonly sources?: readonly RefundSource[]
  /** Days after the payment within which its channel refunds it. */
  readonly daysOf?: (channelType: number, transactionType: number) => number
  /** Dollars that must stay in the balance afterwards. */
  readonly keep?: Nano
}

/**
 * Reserves money of an order and records its refund; a worker sends it. The order must be locked. While its user owes, unspent credit stays
 * and income becomes balance, which pays the debt; money in suspense belongs to no account. Errors: ORDER_NOT_REFUNDABLE,
 * ORDER_REFUND_TOO_LARGE with `max`, ORDER_REFUND_KEEPS with `max` and `keep`, DEBT_FIRST.
 */
export async function startRefund(tx: Tx, order: OrderRow, wish: StartRefundInput): Promise<RefundRow> {
  const owed = await settleDebts(tx, order.userId)
  const best = await findBestRefundable(tx, order, wish)
  if (owed > 0n && best?.source === 'balance') return fail('DEBT_FIRST', { owed: formatUsd(roundDebtUp(owed)) })
  if (!best || best.left <= 0n || best.minorLeft <= 0n) return fail('ORDER_NOT_REFUNDABLE')
  const { free, most } = best
  const amount = wish.amount ?? (free < best.left ? most : best.left)
  if (amount > best.left) return fail('ORDER_REFUND_TOO_LARGE', { max: formatUsd(best.left) })
  if (amount > free || amount <= 0n) return fail('ORDER_REFUND_KEEPS', { max: formatUsd(most), keep: formatUsd(wish.keep ?? 0n) })
  const refund = await insertOpenRefund(tx, order, {
    from: best,
    amount,
    wish: best.source === 'revenue' && (owed > 0n || !best.isInWindow) ? { ...wish, goesTo: 'balance' } : wish,
  })
  // Checked again after the posting, which locks the account: a concurrent spend must not eat into the minimum.
  if (best.source === 'balance' && wish.keep !== undefined && (await readBalance(tx, order.userId)).available < wish.keep)
    return fail('ORDER_REFUND_KEEPS', { max: '0', keep: formatUsd(wish.keep) })
  return refund
}

/** Largest refund possible now; shared by offers, previews and refunds. */
export interface BestRefundable extends Refundable {
  /** True while the channel still refunds the payment; otherwise income goes to the balance. */
  readonly isInWindow: boolean
  /** Refundable part of what is left when a minimum stays in the balance. */
  readonly free: Nano
  /** The smaller of `left` and `free`, in whole cents. */
  readonly most: Nano
}

/** The payment of an order with the largest refundable part within the requested limits; undefined if none can be refunded. Read-only. */
export async function findBestRefundable(
  sql: Sql,
  order: OrderRow,
  wish: Pick<StartRefundInput, 'sources' | 'daysOf' | 'keep'>,
): Promise<BestRefundable | undefined> {
  const open = (await listRefundables(sql, order)).flatMap((each) => {
    const isInWindow = !each.receipt || isInRefundWindow(order, each.receipt, wish)
    return (!wish.sources || wish.sources.includes(each.source)) && (isInWindow || each.source === 'revenue') ? [{ ...each, isInWindow }] : []
  })
  const best = open.toSorted((a, b) => (a.left === b.left ? 0 : a.left > b.left ? -1 : 1))[0]
  if (!best) return undefined
  const free = best.source === 'balance' && wish.keep !== undefined ? await computeSpareBalance(sql, order.userId, wish.keep) : best.left
  return { ...best, free, most: floorToCents(minNano(best.left, free)) }
}

/** Available balance above the minimum that must stay. */
async function computeSpareBalance(sql: Sql, userId: string, keep: Nano): Promise<Nano> {
  return maxNano(subtractNano((await readBalance(sql, userId)).available, keep), 0n)
}

async function insertOpenRefund(
  tx: Tx,
  order: OrderRow,
  { from, amount, wish }: { readonly from: Refundable; readonly amount: Nano; readonly wish: StartRefundInput },
): Promise<RefundRow> {
  const isRest = addNano(amount, from.goneAmount) === from.brought
  const fee = !wish.withFee || from.source === 'suspense' ? 0n : isRest ? from.feeLeft : computePartShare(from.feeLeft, amount, from.brought)
  const refund: NewRefund = {
    refundNo: `R${toShanghaiDay(order.now).replaceAll('-', '')}-${createRandomCode(12)}`,
    orderId: order.id,
    receiptId: from.receipt?.id ?? null,
    source: from.source,
    goesTo: wish.goesTo ?? (from.receipt ? 'channel' : 'balance'),
    amount,
    fee,
    minor: computeRefundMinor(order, from, addNano(amount, fee)),
    currency: from.receipt?.currency ?? order.currency,
    state: wish.state,
    reason: wish.reason,
  }
  if (refund.minor <= 0n) return fail('ORDER_NOT_REFUNDABLE')
  const row = await insertRefund(tx, refund)
  try {
    await tx.savepoint(() => setRefundAside(tx, order, row))
  } catch (error) {
    // The balance was spent between the check and the posting.
    if (error instanceof Failure && error.errorName === 'INSUFFICIENT_FUNDS') return fail('ORDER_REFUND_TOO_LARGE', { max: '0' })
    throw error
  }
  await tx.audit('refund.started', `order:${order.orderNo}`, {
    refundNo: row.refundNo,
    amount: formatUsd(amount),
    fee: formatUsd(fee),
    minor: row.minor.toString(),
    reason: wish.reason,
  })
  const facts = { refundNo: row.refundNo, amount: formatUsd(amount) }
  const moved = await restateOrder(tx, order, { reason: wish.reason, event: 'refund_requested', facts })
  return row.goesTo === 'balance' && row.state === 'approved' ? completeBalanceRefund(tx, moved, row) : row
}

/** Minor units of the payment for a part of the order. Computed cumulatively, so that all parts add up to the whole. */
export function computeRefundMinor(order: OrderRow, from: Refundable, part: Nano): bigint {
  if (from.source === 'suspense') return from.minorLeft
  const whole = from.receipt && from.receipt.resolvedNano !== null ? from.brought : order.totalNano
  const paidMinor = addNano(from.minorLeft, from.goneMinor)
  return minNano(from.minorLeft, subtractNano(computePartShare(paidMinor, addNano(from.goneNano, part), whole), from.goneMinor))
}

/** Completes a refund to the balance at once: no money leaves the system. */
async function completeBalanceRefund(tx: Tx, order: OrderRow, refund: RefundRow): Promise<RefundRow> {
  const sent = (await moveRefund(tx, refund, { to: 'dispatched', more: { seconds: 60 } }))!
  await succeedRefund(tx, order, { refund: sent })
  return { ...sent, state: 'succeeded' }
}

/** Refunds a whole unwanted payment without a request (setting payments.late_money). */
export async function returnPayment(
  tx: Tx,
  order: OrderRow,
  { receipt, reason }: { readonly receipt: PaymentReceiptRow; readonly reason: string },
): Promise<OrderRow> {
  const from = (await listRefundables(tx, order)).find((each) => each.receipt?.id === receipt.id)
  if (from) await insertOpenRefund(tx, order, { from: { ...from, left: order.amountNano }, amount: order.amountNano, wish: { reason, state: 'approved' } })
  return data.lockOrder(tx, order.id)
}

/**
 * Refunds what is left of an undelivered order over its channel, fee included. `days`: to the balance once the channel's refund window is
 * over.
 */
export async function refundWholeOrder(
  tx: Tx,
  order: OrderRow,
  { reason, days }: { readonly reason: string; readonly days?: StartRefundInput['daysOf'] },
): Promise<OrderRow> {
  const wish: StartRefundInput = { reason, state: 'approved', withFee: true, ...(days ? { daysOf: days } : {}) }
  const best = await findBestRefundable(tx, order, wish)
  if (!best || best.left <= 0n || best.minorLeft <= 0n) return order
  await startRefund(tx, order, wish)
  return data.lockOrder(tx, order.id)
}

/** Records a refund whose money a service of kind `held` released or returned itself, without a posting. The order must be locked. */
export async function recordHeldReturn(tx: Tx, order: OrderRow, { amount, reason }: { readonly amount: Nano; readonly reason: string }): Promise<OrderRow> {
  const row = await insertRefund(tx, {
    refundNo: `R${toShanghaiDay(order.now).replaceAll('-', '')}-${createRandomCode(12)}`,
    orderId: order.id,
    receiptId: null,
    source: 'held',
    goesTo: 'balance',
    amount,
    fee: 0n,
    minor: maxNano(computePartShare(order.payMinor, amount, order.totalNano), 1n),
    currency: order.currency,
    state: 'approved',
    reason,
  })
  const sent = (await moveRefund(tx, row, { to: 'dispatched', more: { seconds: 60 } }))!
  return recordHeldRefund(tx, order, sent)
}

export function isInRefundWindow(order: OrderRow, receipt: PaymentReceiptRow, { daysOf }: Pick<StartRefundInput, 'daysOf'>): boolean {
  return !daysOf || order.now.getTime() - receipt.paidAt.getTime() < daysOf(receipt.channelType, order.transactionType) * 86_400_000
}
