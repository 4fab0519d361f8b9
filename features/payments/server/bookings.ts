import type { Tx } from '#platform/server/database/transact.ts'
import { minorToNano, subtractNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { creditUser, postTransaction, refundTransaction as giveBack, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import type { Leg } from '#features/wallet/server/door.ts'
import type { MovementKind } from '#features/wallet/contract-movements.ts'
import { ORDER_TYPE } from '../words.ts'
import type { OrderRow } from './data.ts'
import { claimDiscount } from './data-discounts.ts'
import type { PaymentReceiptRow } from './trades/data-receipts.ts'
import type { RefundRow } from './states/data-refunds.ts'
import type { OrderKind } from './kinds/port.ts'

/**
 * All postings of payments except those of disputes (states/book-dispute.ts). Dollars unless a currency is named; each is posted once per
 * reference.
 */

/** Posting kind of a payment: through a channel, or from the balance, unless the service holds the price and charges it itself. */
export function resolvePaymentKind(orderType: number, earns: OrderKind['earns'], isFromBalance: boolean): MovementKind {
  if (!isFromBalance) return earns === 'service' ? 'order.paid' : 'topup'
  if (earns === 'service') return BALANCE_KIND
  return orderType === ORDER_TYPE.RECHARGE ? 'card.recharge' : 'service.charged'
}

/** Books money of an order that arrived through a channel: credit of the buyer, or our income. The fee is ours. */
export async function bookPayment(
  tx: Tx,
  order: OrderRow,
  { earns, ref, grantedUntil }: { readonly earns: OrderKind['earns']; readonly ref: string; readonly grantedUntil?: Date },
): Promise<void> {
  if (resolvePaymentKind(order.orderType, earns, false) === 'topup') {
    await bookTopUp(tx, order, { ref, amount: order.amountNano, fee: order.feeNano })
    return bookDiscount(tx, order, { ref, expiresAt: grantedUntil })
  }
  await postTransaction(tx, { kind: 'order.paid', ref, legs: buildMoveLegs('wash', 'revenue', { amount: order.amountNano, fee: order.feeNano }) })
}

const DAY_MS = 86_400_000

/** Expiry of credit granted now, by the setting `payments.granted_days`; undefined if it does not expire. */
export const computeGrantExpiry = (now: Date, days: number): Date | undefined => (days > 0 ? new Date(now.getTime() + days * DAY_MS) : undefined)

/** Credits the discount with the top-up, once per person, as a granted lot of the same order. */
async function bookDiscount(tx: Tx, order: OrderRow, { ref, expiresAt }: { readonly ref: string; readonly expiresAt?: Date }): Promise<void> {
  if (order.discountNano === 0n) return
  if (!(await claimDiscount(tx, order)))
    return void (await tx.audit('order.discount_withheld', `order:${order.orderNo}`, { amount: formatUsd(order.discountNano) }))
  const leg: Leg = {
    from: systemAccount('grants'),
    to: userAccount(order.userId),
    amount: order.discountNano,
    lot: { kind: 'granted', orderRef: order.orderNo, ...(expiresAt ? { expiresAt } : {}) },
  }
  await postTransaction(tx, { kind: 'order.discount', ref, legs: [leg] })
}

/** Purchased credit of the buyer, which can be withdrawn, named after the order. */
export async function bookTopUp(
  tx: Tx,
  order: OrderRow,
  { ref, amount, fee = 0n }: { readonly ref: string; readonly amount: Nano; readonly fee?: Nano },
): Promise<void> {
  await creditUser(tx, { userId: order.userId, amount, fee, from: 'wash', lot: 'purchased', ref, orderRef: order.orderNo })
}

/** The same credit as a refund of the order, so that the customer sees a refund and not a top-up. */
async function bookRefundCredit(tx: Tx, order: OrderRow, { ref, amount }: { readonly ref: string; readonly amount: Nano }): Promise<void> {
  await creditUser(tx, { userId: order.userId, amount, from: 'wash', lot: 'purchased', kind: 'refund.credited', ref, orderRef: order.orderNo })
}

/**
 * Charges an order to the balance: the given part from purchased credit, the rest from granted credit first. Errors: INSUFFICIENT_FUNDS.
 */
export async function bookBalancePayment(tx: Tx, order: OrderRow, bought: Nano): Promise<void> {
  const way = { from: userAccount(order.userId), to: systemAccount('revenue') }
  const legs: Leg[] = [
    { ...way, amount: bought, take: { kind: 'purchased' } },
    { ...way, amount: subtractNano(order.amountNano, bought) },
  ]
  await postTransaction(tx, { kind: BALANCE_KIND, ref: order.orderNo, legs: legs.filter(({ amount }) => amount > 0n) })
}
const BALANCE_KIND = 'order.balance'

/** Books money that matches no order into suspense, in its own currency. */
export async function bookSuspense(tx: Tx, ref: string, { minor, currency }: { readonly minor: bigint; readonly currency: string }): Promise<void> {
  await postTransaction(tx, {
    kind: 'topup.suspense',
    ref,
    legs: [{ from: systemAccount('wash'), to: systemAccount('suspense'), amount: minorToNano(minor), currency }],
  })
}

/** Moves money from suspense to the buyer's balance, exchanged: the two currencies meet only in the external account. */
export async function bookResolution(
  tx: Tx,
  order: OrderRow,
  { receipt, amount }: { readonly receipt: PaymentReceiptRow; readonly amount: Nano },
): Promise<string> {
  const ref = `resolved:${receipt.channelType}:${receipt.channelTxn}`
  await leaveSuspense(tx, 'suspense.resolved', { ref, minor: receipt.paidMinor, currency: receipt.currency })
  await bookTopUp(tx, order, { ref, amount })
  return ref
}

/** Reserves the money of a refund. Only unspent credit of the same order can be refunded (R6). Errors: INSUFFICIENT_FUNDS. */
export async function setRefundAside(tx: Tx, order: OrderRow, refund: RefundRow): Promise<void> {
  if (refund.source !== 'balance') return
  const take = { kind: 'purchased', orderRef: order.orderNo } as const
  const leg: Leg = { from: userAccount(order.userId), to: systemAccount('in_transit'), amount: refund.amountNano, take }
  await postTransaction(tx, { kind: 'refund.taken', ref: refund.refundNo, legs: [leg] })
}

/** Books the fees that a channel withheld from a settlement and those it returned, in minor units of the channel's currency. */
export async function bookCosts(
  tx: Tx,
  ref: string,
  { currency, kept, back }: { readonly currency: string; readonly kept: bigint; readonly back: bigint },
): Promise<void> {
  const legs: Leg[] = [
    { from: systemAccount('channel_costs'), to: systemAccount('wash'), amount: minorToNano(kept), currency },
    { from: systemAccount('wash'), to: systemAccount('channel_costs'), amount: minorToNano(back), currency },
  ]
  await postTransaction(tx, { kind: 'channel.costs', ref, legs: legs.filter(({ amount }) => amount > 0n) })
}

/** Books a refund that has arrived. */
export async function finishRefund(tx: Tx, order: OrderRow, refund: RefundRow): Promise<void> {
  const { refundNo: ref, amountNano: amount, feeNano: fee } = refund
  if (refund.source === 'suspense') return leaveSuspense(tx, 'refund.done', { ref, minor: refund.minor, currency: refund.currency })
  if (refund.goesTo === 'channel') {
    await postTransaction(tx, {
      kind: 'refund.done',
      ref,
      legs: buildMoveLegs(refund.source === 'balance' ? 'in_transit' : 'revenue', 'wash', { amount, fee }),
    })
    return
  }
  if (refund.receiptId === null) {
    // Refill the lots that the balance payment used: granted credit stays granted.
    await giveBack(tx, { userId: order.userId, amount, kind: 'refund.done', ref, of: { kind: BALANCE_KIND, ref: order.orderNo } })
    return
  }
  await postTransaction(tx, { kind: 'refund.done', ref, legs: buildMoveLegs('revenue', 'wash', { amount, fee }) })
  await bookRefundCredit(tx, order, { ref, amount })
  if (fee > 0n) await bookRefundCredit(tx, order, { ref: `${ref}:fee`, amount: fee })
}

/** Books a failed refund: the reserved money returns to the lots it came from. */
export async function releaseRefund(tx: Tx, order: OrderRow, refund: RefundRow): Promise<void> {
  if (refund.source !== 'balance') return
  await giveBack(tx, {
    userId: order.userId,
    amount: refund.amountNano,
    kind: 'refund.released',
    ref: refund.refundNo,
    of: { kind: 'refund.taken', ref: refund.refundNo },
    from: 'in_transit',
  })
}

/** Books a refund that the channel returned after it had succeeded (R4): reverses `finishRefund`, then credits the user. */
export async function reverseRefund(tx: Tx, order: OrderRow, refund: RefundRow): Promise<void> {
  const { refundNo: ref, amountNano: amount, feeNano: fee } = refund
  if (refund.source === 'suspense') return bookSuspense(tx, `back:${ref}`, { minor: refund.minor, currency: refund.currency })
  if (refund.source === 'balance') {
    await postTransaction(tx, { kind: 'refund.reversed', ref, legs: buildMoveLegs('wash', 'in_transit', { amount, fee }) })
    return releaseRefund(tx, order, refund)
  }
  await bookRefundCredit(tx, order, { ref: `back:${ref}`, amount })
  if (fee > 0n) await postTransaction(tx, { kind: 'refund.reversed', ref, legs: [{ from: systemAccount('wash'), to: systemAccount('fees'), amount: fee }] })
}

/** Books the fee of an invoice. Errors: INSUFFICIENT_FUNDS. */
export async function bookInvoiceFee(tx: Tx, userId: string, { paperNo, fee }: { readonly paperNo: string; readonly fee: Nano }): Promise<void> {
  await postTransaction(tx, { kind: 'invoice.fee', ref: paperNo, legs: [{ from: userAccount(userId), to: systemAccount('fees'), amount: fee }] })
}

async function leaveSuspense(
  tx: Tx,
  kind: 'suspense.resolved' | 'refund.done',
  { ref, minor, currency }: { readonly ref: string; readonly minor: bigint; readonly currency: string },
): Promise<void> {
  await postTransaction(tx, { kind, ref, legs: [{ from: systemAccount('suspense'), to: systemAccount('wash'), amount: minorToNano(minor), currency }] })
}

/** Moves an amount between two system accounts, and its fee between `wash` and `fees` in the same direction. */
function buildMoveLegs(
  from: 'wash' | 'revenue' | 'in_transit',
  to: 'wash' | 'revenue' | 'in_transit',
  { amount, fee }: { readonly amount: Nano; readonly fee: Nano },
): Leg[] {
  const inward = from === 'wash'
  const feeLeg = inward ? { from: systemAccount('wash'), to: systemAccount('fees') } : { from: systemAccount('fees'), to: systemAccount('wash') }
  return [{ from: systemAccount(from), to: systemAccount(to), amount }, ...(fee > 0n ? [{ ...feeLeg, amount: fee }] : [])]
}
