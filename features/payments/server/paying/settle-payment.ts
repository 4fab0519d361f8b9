import { crashPoint } from '#platform/server/crash.ts'
import { countEvent } from '#platform/server/metrics.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { formatMinor, minorToNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { PAYABLE } from '../../words.ts'
import { bookPayment, bookSuspense, bookTopUp, computeGrantExpiry } from '../bookings.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import type { TradeRow } from '../trades/data-attempts.ts'
import { insertReceipt, selectReceipts } from '../trades/data-receipts.ts'
import type { NewPaymentReceipt, PaymentReceiptRow } from '../trades/data-receipts.ts'
import { resolveEarnings } from '../kinds/index.ts'
import type { ChannelPayment } from '../vendors/port.ts'
import { deliverOrder } from './deliver-order.ts'
import { returnPayment } from '../refunds/start-refund.ts'
import { emitOrderEvent } from '../states/emit-order-event.ts'

/** Handling of a payment after the order's end, or of a second one (setting payments.late_money). */
type LateMoney = 'credit' | 'refund'

/** Operator settings for received payments. */
export interface MoneyRules {
  readonly late: LateMoney
  readonly disputeFee: Nano
  /** Lifetime of granted credit in days; 0 means no expiry. */
  readonly grantedDays: number
}

/** `isBlocked`: the payer is on the block list. The order is not credited and the whole payment is refunded. */
type PaymentRules = MoneyRules & { readonly isBlocked: boolean }

/**
 * Books a payment that a channel reports, once per transaction number; the order must be locked. Every payment has a place: the
 * requested amount is credited (also when late or paid twice) or refunded, by the setting; another amount waits in suspense; a
 * blocked payer's payment is refunded.
 */
export async function settlePayment(
  tx: Tx,
  order: OrderRow,
  { trade, paid, rules }: { readonly trade: TradeRow; readonly paid: ChannelPayment; readonly rules: PaymentRules },
): Promise<OrderRow> {
  const known = await selectReceipts(tx, order.id)
  if (known.some((receipt) => receipt.channelType === trade.channelType && receipt.channelTxn === paid.channelTxn)) return order
  crashPoint('payments.before-journal')
  const payment: Payment = { order, trade, paid, rules }
  const isRight = paid.minor === order.payMinor && paid.currency === order.currency
  const isFirst = !known.some(({ outcome, resolvedNano }) => outcome !== 'suspense' || resolvedNano !== null)
  const settled = !isRight ? await parkInSuspense(tx, payment) : isFirst ? await payOrder(tx, payment) : await paySecondTime(tx, payment)
  crashPoint('payments.after-journal')
  return settled
}

interface Payment {
  readonly order: OrderRow
  readonly trade: TradeRow
  readonly paid: ChannelPayment
  readonly rules: PaymentRules
}

async function payOrder(tx: Tx, payment: Payment): Promise<OrderRow> {
  const { order, paid } = payment
  const { isBlocked, late, grantedDays } = payment.rules
  const inTime = !isBlocked && PAYABLE.includes(order.state) && paid.paidAt <= order.expiresAt
  const keeps = inTime || (!isBlocked && late === 'credit')
  const ledgerRef = `order:${order.orderNo}`
  if (keeps) await bookPayment(tx, order, { earns: resolveEarnings(order.orderType), ref: ledgerRef, grantedUntil: computeGrantExpiry(order.now, grantedDays) })
  else await bookSuspense(tx, ledgerRef, { minor: paid.minor, currency: paid.currency })
  const worth = keeps ? order.amountNano : minorToNano(paid.minor)
  const receipt = await storeReceipt(tx, payment, { outcome: inTime ? 'credited' : keeps ? 'late' : 'returning', worth, ledgerRef })
  const facts = toPaymentFacts(paid)
  let moved =
    order.state === 'created'
      ? await data.moveOrder(tx, order, { to: 'paying', reason: 'paid at a channel', told: toMethodFacts(order.transactionType) })
      : order
  if (!inTime && PAYABLE.includes(moved.state))
    moved = isBlocked
      ? await data.moveOrder(tx, moved, { to: 'expired', reason: 'the payer is blocked', told: { facts, event: 'turned_away' } })
      : await data.moveOrder(tx, moved, { to: 'expired', reason: 'not paid in time' })
  moved = await data.moveOrder(tx, moved, {
    to: inTime ? 'paid' : 'paid_late',
    reason: `the channel confirms ${paid.channelTxn}`,
    told: {
      ...{ facts, paidAt: paid.paidAt },
      ...(keeps ? {} : { event: 'returning' as const }),
    },
  })
  await emitOrderEvent(tx, moved, { event: inTime ? 'order.paid' : 'order.paid_late', more: { ...facts, ...(keeps ? {} : { returning: true }) } })
  if (isBlocked) await auditBlockedPayer(tx, order, paid)
  return keeps
    ? deliverOrder(tx, moved, !inTime)
    : returnPayment(tx, moved, { receipt, reason: isBlocked ? NOT_USABLE_REASON : 'paid after the order had ended' })
}

/** Paid twice: the second payment is also credited, with a separate record and the same fee, because the channel charged for it again. */
async function paySecondTime(tx: Tx, payment: Payment): Promise<OrderRow> {
  const { order, paid } = payment
  const { isBlocked, late } = payment.rules
  const keeps = !isBlocked && late === 'credit'
  const ledgerRef = `order:${order.orderNo}:${paid.channelTxn}`
  if (keeps) await bookTopUp(tx, order, { ref: ledgerRef, amount: order.amountNano, fee: order.feeNano })
  else await bookSuspense(tx, ledgerRef, { minor: paid.minor, currency: paid.currency })
  const worth = keeps ? order.amountNano : minorToNano(paid.minor)
  const receipt = await storeReceipt(tx, payment, { outcome: keeps ? 'again' : 'returning', worth, ledgerRef })
  const facts = toPaymentFacts(paid)
  await data.noteStep(tx, order, { event: 'paid_again', reason: `the channel confirms ${paid.channelTxn} as well`, facts })
  await emitOrderEvent(tx, order, { event: 'order.paid_again', more: { ...facts, amount: formatUsd(order.amountNano), ...(keeps ? {} : { returning: true }) } })
  if (isBlocked) await auditBlockedPayer(tx, order, paid)
  return keeps ? order : returnPayment(tx, order, { receipt, reason: isBlocked ? NOT_USABLE_REASON : 'paid twice' })
}

/** Reason shown to the customer. It reveals neither the block nor the blocked payer. */
const NOT_USABLE_REASON = 'not usable for this order'

/** Audits the blocked payer, for operators only. */
const auditBlockedPayer = (tx: Tx, order: OrderRow, paid: ChannelPayment) => tx.audit('payment.payer-blocked', `order:${order.orderNo}`, toPaymentFacts(paid))

/** Parks a payment with another amount or currency in suspense, in its own currency, for an operator. Never credited in full. */
async function parkInSuspense(tx: Tx, payment: Payment): Promise<OrderRow> {
  const { order, paid } = payment
  const ledgerRef = `order:${order.orderNo}:${paid.channelTxn}`
  await bookSuspense(tx, ledgerRef, { minor: paid.minor, currency: paid.currency })
  await storeReceipt(tx, payment, { outcome: 'suspense', worth: minorToNano(paid.minor), ledgerRef })
  countEvent('payments.amount_mismatch')
  const facts = toPaymentFacts(paid)
  const reason = `${formatMinor(paid.minor)} ${paid.currency} came instead of ${formatMinor(order.payMinor)} ${order.currency}`
  await emitOrderEvent(tx, order, { event: 'order.mismatch', more: { ...facts, payAmount: formatMinor(order.payMinor), paidAmount: formatMinor(paid.minor) } })
  if (order.baseState) {
    await data.noteStep(tx, order, { event: 'mismatch', reason, facts })
    return order
  }
  const opened =
    order.state === 'created'
      ? await data.moveOrder(tx, order, { to: 'paying', reason: 'paid at a channel', told: toMethodFacts(order.transactionType) })
      : order
  return data.moveOrder(tx, opened, { to: 'integrity_failure', reason, told: { facts } })
}

async function storeReceipt(
  tx: Tx,
  { order, trade, paid }: Payment,
  end: Pick<NewPaymentReceipt, 'outcome' | 'worth' | 'ledgerRef'>,
): Promise<PaymentReceiptRow> {
  return insertReceipt(tx, {
    ...end,
    channelType: trade.channelType,
    channelTxn: paid.channelTxn,
    orderId: order.id,
    tradeNo: trade.tradeNo,
    minor: paid.minor,
    currency: paid.currency,
    paidAt: paid.paidAt,
  })
}

/** The timeline names the method. */
const toMethodFacts = (method: number) => ({ facts: { method: String(method) } })

function toPaymentFacts(paid: ChannelPayment): Record<string, string> {
  return { channelTxn: paid.channelTxn, payAmount: formatMinor(paid.minor), payCurrency: paid.currency }
}
