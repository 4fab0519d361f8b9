import { crashPoint } from '#platform/server/crash.ts'
import { countEvent } from '#platform/server/metrics.ts'
import type { Tx } from '#platform/server/transact.ts'
import { minorText, minorToNano, usd } from '#platform/shared/money.ts'
import { credit, post, systemAccount } from '#features/wallet/server/door.ts'
import { PAYABLE } from '../../words.ts'
import * as data from '../data.ts'
import type { OrderRow, Receipt, TradeRow } from '../data.ts'
import type { Paid } from '../vendors/port.ts'

/**
 * One payment that a channel reports, once for its transaction number; the order must be locked. Whatever arrives has a
 * place: the amount asked for is credited (late too, and again when it comes twice), another amount waits in suspense.
 */
export async function settlePayment(tx: Tx, order: OrderRow, trade: TradeRow, paid: Paid): Promise<OrderRow> {
  const known = await data.receiptsOf(tx, order.id)
  if (known.some((receipt) => receipt.channel_type === trade.channel_type && receipt.channel_txn === paid.channelTxn)) return order
  crashPoint('payments.before-journal')
  const isRight = paid.minor === order.pay_minor && paid.currency === order.currency
  const isFirst = !known.some((receipt) => receipt.outcome === 'credited' || receipt.outcome === 'late')
  const settled = !isRight
    ? await park(tx, order, trade, paid)
    : isFirst
      ? await creditOrder(tx, order, trade, paid)
      : await creditAgain(tx, order, trade, paid)
  crashPoint('payments.after-journal')
  return settled
}

async function creditOrder(tx: Tx, order: OrderRow, trade: TradeRow, paid: Paid): Promise<OrderRow> {
  const inTime = PAYABLE.includes(order.state) && paid.paidAt <= order.expires_at
  const ledgerRef = `order:${order.order_no}`
  await credit(tx, {
    userId: order.user_id,
    amount: order.amount_nano,
    fee: order.fee_nano,
    from: 'wash',
    lot: 'purchased',
    ref: ledgerRef,
    orderRef: order.order_no,
  })
  await insertReceipt(tx, order, trade, paid, { outcome: inTime ? 'credited' : 'late', worth: order.amount_nano, ledgerRef })
  let moved = order.state === 'created' ? await data.moveOrder(tx, order, 'paying', 'paid at a channel') : order
  if (!inTime && PAYABLE.includes(moved.state)) moved = await data.moveOrder(tx, moved, 'expired', 'not paid in time')
  moved = await data.moveOrder(tx, moved, inTime ? 'paid' : 'paid_late', `the channel confirms ${paid.channelTxn}`)
  if (inTime) moved = await data.moveOrder(tx, moved, 'fulfilled', 'balance credited')
  await tell(tx, order, 'order.paid', { late: !inTime, channelTxn: paid.channelTxn })
  return moved
}

/** Paid twice: the balance gets it too, with its own record; the fee is the same, the channel charged for it again. */
async function creditAgain(tx: Tx, order: OrderRow, trade: TradeRow, paid: Paid): Promise<OrderRow> {
  const ledgerRef = `order:${order.order_no}:${paid.channelTxn}`
  await credit(tx, {
    userId: order.user_id,
    amount: order.amount_nano,
    fee: order.fee_nano,
    from: 'wash',
    lot: 'purchased',
    ref: ledgerRef,
    orderRef: order.order_no,
  })
  await insertReceipt(tx, order, trade, paid, { outcome: 'again', worth: order.amount_nano, ledgerRef })
  await tell(tx, order, 'order.paid_again', { channelTxn: paid.channelTxn })
  return order
}

/** Another amount or currency: never full credit. It waits in suspense, in its own currency, for an operator. */
async function park(tx: Tx, order: OrderRow, trade: TradeRow, paid: Paid): Promise<OrderRow> {
  const ledgerRef = `order:${order.order_no}:${paid.channelTxn}`
  const worth = minorToNano(paid.minor)
  await post(tx, {
    kind: 'topup.suspense',
    ref: ledgerRef,
    legs: [{ from: systemAccount('wash'), to: systemAccount('suspense'), amount: worth, currency: paid.currency }],
  })
  await insertReceipt(tx, order, trade, paid, { outcome: 'suspense', worth, ledgerRef })
  countEvent('payments.amount_mismatch')
  const credited = ['paid', 'fulfilled', 'paid_late', 'integrity_failure'].includes(order.state)
  const opened = order.state === 'created' ? await data.moveOrder(tx, order, 'paying', 'paid at a channel') : order
  const moved = credited
    ? order
    : await data.moveOrder(
        tx,
        opened,
        'integrity_failure',
        `${minorText(paid.minor)} ${paid.currency} came instead of ${minorText(order.pay_minor)} ${order.currency}`,
      )
  await tell(tx, order, 'order.mismatch', { channelTxn: paid.channelTxn, paidMinor: paid.minor.toString(), paidCurrency: paid.currency })
  return moved
}

async function insertReceipt(tx: Tx, order: OrderRow, trade: TradeRow, paid: Paid, end: Pick<Receipt, 'outcome' | 'worth' | 'ledgerRef'>): Promise<void> {
  await data.insertReceipt(tx, {
    ...end,
    channelType: trade.channel_type,
    channelTxn: paid.channelTxn,
    orderId: order.id,
    tradeNo: trade.trade_no,
    minor: paid.minor,
    currency: paid.currency,
    paidAt: paid.paidAt,
  })
}

/** Audit row and news: other features and the user hear of every arrival of money. */
async function tell(tx: Tx, order: OrderRow, event: string, more: Record<string, unknown>): Promise<void> {
  const facts = {
    orderNo: order.order_no,
    userId: order.user_id,
    orderType: order.order_type,
    amount: usd(order.amount_nano),
    fee: usd(order.fee_nano),
    total: usd(order.total_nano),
    payAmount: minorText(order.pay_minor),
    rate: order.rate,
    channelType: order.channel_type,
    transactionType: order.transaction_type,
    ...more,
  }
  await tx.audit(event, `order:${order.order_no}`, facts)
  await tx.emit(event, facts)
}
