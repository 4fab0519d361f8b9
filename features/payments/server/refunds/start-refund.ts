import type { Tx } from '#platform/server/database/transact.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { atLeast, fromMinorUnits, least, minus, plus, shareOf, sum, usd, wholeCents } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { balanceOf, settleDebts, unspentOf, wholeDebt } from '#features/wallet/server/door.ts'
import { BALANCE_CHANNEL, LIVE_REFUNDS, PAID } from '../../words.ts'
import { takeRefund } from '../bookings.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { earnsOf } from '../kinds/index.ts'
import { receiptsOf } from '../trades/data-receipts.ts'
import type { ReceiptRow } from '../trades/data-receipts.ts'
import { disputesOf, insertRefund, moveRefund, refundsOf } from '../states/data-refunds.ts'
import type { NewRefund, RefundRow, RefundSource } from '../states/data-refunds.ts'
import { recordHeld, succeedRefund } from './conclude-refund.ts'
import { broughtBy, earnedBy, restateOrder } from '../states/restate-order.ts'

/** Refundable part of one payment of an order. Dollars; `minor` is what is left of it in its own currency. */
export interface Refundable {
  readonly receipt: ReceiptRow | undefined
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
export async function refundablesOf(sql: Sql, order: OrderRow, held: Nano = 0n): Promise<Refundable[]> {
  const [receipts, refunds, disputes] = [await receiptsOf(sql, order.id), await refundsOf(sql, order.id), await disputesOf(sql, order.id)]
  const isIncome = order.channel_type === BALANCE_CHANNEL && earnsOf(order.order_type) === 'service'
  const sources: (ReceiptRow | undefined)[] = receipts.length || !isIncome ? receipts : [undefined]
  if (!PAID.includes(order.state) && order.state !== 'integrity_failure') return []
  const unspent = least((await unspentOf(sql, order.user_id, order.order_no)).purchased, plus((await balanceOf(sql, order.user_id)).withdrawable, held))
  return sources.flatMap((receipt) => {
    if (disputes.some((each) => each.receipt_id === receipt?.id && each.state !== 'won')) return []
    const live = refunds.filter((each) => each.receipt_id === (receipt?.id ?? null) && LIVE_REFUNDS.includes(each.state))
    const brought = receipt ? broughtBy(order, receipt) : order.amount_nano
    const paidMinor = receipt?.paid_minor ?? order.pay_minor
    const source = brought === 0n ? 'suspense' : receipt && earnedBy(order, receipt) === 'credit' ? 'balance' : 'revenue'
    const gone = sum(live.map((each) => each.amount_nano))
    const goneFee = sum(live.map((each) => each.fee_nano))
    const goneMinor = sum(live.map((each) => each.minor))
    const rest = atLeast(minus(brought, gone), 0n)
    const left =
      source === 'suspense' ? fromMinorUnits(minus(paidMinor, goneMinor), order.rate) : source === 'balance' ? least(rest, atLeast(unspent, 0n)) : rest
    const fee = receipt?.resolved_nano === null || !receipt ? order.fee_nano : 0n
    return [
      {
        receipt,
        source,
        brought,
        left,
        feeLeft: minus(fee, goneFee),
        minorLeft: minus(paidMinor, goneMinor),
        goneAmount: gone,
        goneNano: plus(gone, goneFee),
        goneMinor,
      },
    ]
  })
}

export interface RefundWish {
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
  /** Days after its payment within which a channel takes it back. */
  readonly daysOf?: (channelType: number) => number
  /** Dollars that stay in the balance afterwards. */
  readonly keep?: Nano
}

/**
 * Sets money of an order aside and records its refund; a worker sends it. The order must be locked.
 * While its user owes, unspent credit stays and income becomes balance, which pays the debt; money in suspense belongs to no account.
 * Errors: ORDER_NOT_REFUNDABLE, ORDER_REFUND_TOO_LARGE with `max`, ORDER_REFUND_KEEPS with `max` and `keep`, DEBT_FIRST.
 */
export async function startRefund(tx: Tx, order: OrderRow, wish: RefundWish): Promise<RefundRow> {
  const owed = await settleDebts(tx, order.user_id)
  const best = await bestRefundable(tx, order, wish)
  if (owed > 0n && best?.source === 'balance') return fail('DEBT_FIRST', { owed: usd(wholeDebt(owed)) })
  if (!best || best.left <= 0n || best.minorLeft <= 0n) return fail('ORDER_NOT_REFUNDABLE')
  const { free, most } = best
  const amount = wish.amount ?? (free < best.left ? most : best.left)
  if (amount > best.left) return fail('ORDER_REFUND_TOO_LARGE', { max: usd(best.left) })
  if (amount > free || amount <= 0n) return fail('ORDER_REFUND_KEEPS', { max: usd(most), keep: usd(wish.keep ?? 0n) })
  const refund = await open(tx, order, best, amount, best.source === 'revenue' && (owed > 0n || !best.isInWindow) ? { ...wish, goesTo: 'balance' } : wish)
  // Checked again after the posting, which locks the account: a concurrent spend must not eat into the minimum.
  if (best.source === 'balance' && wish.keep !== undefined && (await balanceOf(tx, order.user_id)).available < wish.keep)
    return fail('ORDER_REFUND_KEEPS', { max: '0', keep: usd(wish.keep) })
  return refund
}

/** Largest refund possible now; shared by offers, previews and refunds. */
export interface BestRefundable extends Refundable {
  /** The channel still takes it back; income goes to the balance otherwise. */
  readonly isInWindow: boolean
  /** Refundable part of what is left when a minimum stays in the balance. */
  readonly free: Nano
  /** The smaller of `left` and `free`, in whole cents. */
  readonly most: Nano
}

/** The payment of an order with the largest refundable part, within a wish's limits; undefined where none can be refunded. Read-only. */
export async function bestRefundable(sql: Sql, order: OrderRow, wish: Pick<RefundWish, 'sources' | 'daysOf' | 'keep'>): Promise<BestRefundable | undefined> {
  const open = (await refundablesOf(sql, order)).flatMap((each) => {
    const isInWindow = !each.receipt || inWindow(order, each.receipt, wish)
    return (!wish.sources || wish.sources.includes(each.source)) && (isInWindow || each.source === 'revenue') ? [{ ...each, isInWindow }] : []
  })
  const best = open.toSorted((a, b) => (a.left === b.left ? 0 : a.left > b.left ? -1 : 1))[0]
  if (!best) return undefined
  const free = best.source === 'balance' && wish.keep !== undefined ? await spareOf(sql, order.user_id, wish.keep) : best.left
  return { ...best, free, most: wholeCents(least(best.left, free)) }
}

/** Available balance above the minimum that stays. */
async function spareOf(sql: Sql, userId: string, keep: Nano): Promise<Nano> {
  return atLeast(minus((await balanceOf(sql, userId)).available, keep), 0n)
}

async function open(tx: Tx, order: OrderRow, from: Refundable, amount: Nano, wish: RefundWish): Promise<RefundRow> {
  const isRest = plus(amount, from.goneAmount) === from.brought
  const fee = !wish.withFee || from.source === 'suspense' ? 0n : isRest ? from.feeLeft : shareOf(from.feeLeft, amount, from.brought)
  const refund: NewRefund = {
    refundNo: `R${shanghaiDay(order.now).replaceAll('-', '')}-${randomCode(12)}`,
    orderId: order.id,
    receiptId: from.receipt?.id ?? null,
    source: from.source,
    goesTo: wish.goesTo ?? (from.receipt ? 'channel' : 'balance'),
    amount,
    fee,
    minor: minorOf(order, from, plus(amount, fee)),
    currency: from.receipt?.currency ?? order.currency,
    state: wish.state,
    reason: wish.reason,
  }
  if (refund.minor <= 0n) return fail('ORDER_NOT_REFUNDABLE')
  const row = await insertRefund(tx, refund)
  try {
    await tx.savepoint(() => takeRefund(tx, order, row))
  } catch (error) {
    // The balance was spent between the check and the posting.
    if (error instanceof Failure && error.errorName === 'INSUFFICIENT_FUNDS') return fail('ORDER_REFUND_TOO_LARGE', { max: '0' })
    throw error
  }
  await tx.audit('refund.started', `order:${order.order_no}`, {
    refundNo: row.refund_no,
    amount: usd(amount),
    fee: usd(fee),
    minor: row.minor.toString(),
    reason: wish.reason,
  })
  const facts = { refundNo: row.refund_no, amount: usd(amount) }
  const moved = await restateOrder(tx, order, wish.reason, 'refund_requested', facts)
  return row.goes_to === 'balance' && row.state === 'approved' ? credited(tx, moved, row) : row
}

/** Minor units of the payment for a part of the order. Cumulative, so that the parts of a whole add up to it. */
export function minorOf(order: OrderRow, from: Refundable, part: Nano): bigint {
  if (from.source === 'suspense') return from.minorLeft
  const whole = from.receipt && from.receipt.resolved_nano !== null ? from.brought : order.total_nano
  const paidMinor = plus(from.minorLeft, from.goneMinor)
  return least(from.minorLeft, minus(shareOf(paidMinor, plus(from.goneNano, part), whole), from.goneMinor))
}

/** Completes a refund to the balance at once: no money leaves the system. */
async function credited(tx: Tx, order: OrderRow, refund: RefundRow): Promise<RefundRow> {
  const sent = (await moveRefund(tx, refund, 'dispatched', { seconds: 60 }))!
  await succeedRefund(tx, order, sent)
  return { ...sent, state: 'succeeded' }
}

/** Refunds a whole payment that is not kept, without a request (setting payments.late_money). */
export async function returnPayment(tx: Tx, order: OrderRow, receipt: ReceiptRow, reason: string): Promise<OrderRow> {
  const from = (await refundablesOf(tx, order)).find((each) => each.receipt?.id === receipt.id)
  if (from) await open(tx, order, { ...from, left: order.amount_nano }, order.amount_nano, { reason, state: 'approved' })
  return data.lockOrder(tx, order.id)
}

/**
 * An order that is not delivered costs nothing: what is left of it goes back the way it came, with its fee. `days`: to the balance where
 * the channel's time for refunds is over.
 */
export async function giveAllBack(tx: Tx, order: OrderRow, reason: string, days?: RefundWish['daysOf']): Promise<OrderRow> {
  const wish: RefundWish = { reason, state: 'approved', withFee: true, ...(days ? { daysOf: days } : {}) }
  const best = await bestRefundable(tx, order, wish)
  if (!best || best.left <= 0n || best.minorLeft <= 0n) return order
  await startRefund(tx, order, wish)
  return data.lockOrder(tx, order.id)
}

/** A service of kind `held` let money go, or gave it back, itself: the refund's row says so, nothing is posted. The order must be locked. */
export async function returnHeld(tx: Tx, order: OrderRow, amount: Nano, reason: string): Promise<OrderRow> {
  const row = await insertRefund(tx, {
    refundNo: `R${shanghaiDay(order.now).replaceAll('-', '')}-${randomCode(12)}`,
    orderId: order.id,
    receiptId: null,
    source: 'held',
    goesTo: 'balance',
    amount,
    fee: 0n,
    minor: atLeast(shareOf(order.pay_minor, amount, order.total_nano), 1n),
    currency: order.currency,
    state: 'approved',
    reason,
  })
  const sent = (await moveRefund(tx, row, 'dispatched', { seconds: 60 }))!
  return recordHeld(tx, order, sent)
}

export function inWindow(order: OrderRow, receipt: ReceiptRow, { daysOf }: Pick<RefundWish, 'daysOf'>): boolean {
  return !daysOf || order.now.getTime() - receipt.paid_at.getTime() < daysOf(receipt.channel_type) * 86_400_000
}
