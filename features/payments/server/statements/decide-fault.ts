import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { bookSuspense } from '../bookings.ts'
import { closeFault, faultById, insertStray } from './data.ts'
import type { FaultRow } from './data.ts'
import { applyAnswers, moneyRules } from '../paying/check-order.ts'
import { askChannels } from '../trades/ask-channels.ts'
import type { Answer } from '../trades/ask-channels.ts'
import { keepCosts } from './keep-costs.ts'
import { orderOfTrade } from '../trades/data-attempts.ts'
import { orderOfPayment } from '../trades/data-receipts.ts'

/**
 * Decides a statement fault. An approved payment unknown to us is booked: to its order by the channel's own answer, or into suspense
 * when it fits none. Everything else is recorded as seen. Errors: ORDER_NOT_FOUND (no open fault), PAY_PROCESSING (the channel does
 * not confirm the payment, so nothing is decided).
 */
export async function decideFault(
  deps: Deps,
  operator: Actor,
  id: bigint,
  verdict: 'approved' | 'dismissed',
  reason: string,
  answers: readonly Answer[],
): Promise<string> {
  const rules = await moneyRules(deps)
  const open = (await faultById(deps.db, id)) ?? fail('ORDER_NOT_FOUND')
  const orderId = await orderOfTrade(deps.db, open.channel_type, open.trade_no)
  return transact(deps.db, operator, async (tx) => {
    const fault = (await closeFault(tx, id, verdict, reason)) ?? fail('ORDER_NOT_FOUND')
    await tx.audit(`fault.${verdict}`, `fault:${id}`, { class: fault.class, kind: fault.kind, subject: fault.subject, day: fault.day, reason })
    if (verdict === 'approved') await keepTheirs(tx, fault)
    if (verdict === 'dismissed' || fault.class !== 'extra' || fault.kind !== 'payment' || !fault.theirs) return verdict
    // Trades that a channel definitely refused are no longer queried, so no other code books a payment under them.
    if (orderId === undefined || !answers.some(({ trade }) => isAbout(trade, fault))) return stray(tx, fault)
    const order = await applyAnswers(tx, orderId, answers, rules)
    if (!(await orderOfPayment(tx, fault.channel_type, fault.theirs['channelTxn'] ?? ''))) fail('PAY_PROCESSING')
    return `${verdict}: order ${order.order_no} is ${order.state}`
  })
}

/** Channel answers about the order of a fault; queried before any lock. */
export async function answersAbout(deps: Deps, id: bigint, verdict: 'approved' | 'dismissed'): Promise<Answer[]> {
  const open = (await faultById(deps.db, id)) ?? fail('ORDER_NOT_FOUND')
  const orderId = await orderOfTrade(deps.db, open.channel_type, open.trade_no)
  return orderId === undefined || verdict === 'dismissed' ? [] : askChannels(deps, orderId)
}

const isAbout = (trade: Answer['trade'], fault: FaultRow) => trade.channel_type === fault.channel_type && trade.trade_no === fault.trade_no

async function stray(tx: Tx, fault: FaultRow): Promise<string> {
  const { channelTxn = '', minor = '0', currency = '', at = '' } = fault.theirs ?? {}
  const ledgerRef = `stray:${fault.channel_type}:${channelTxn}`
  await bookSuspense(tx, ledgerRef, BigInt(minor), currency)
  await insertStray(tx, {
    channelType: fault.channel_type,
    channelTxn,
    tradeNo: fault.trade_no,
    minor: BigInt(minor),
    currency,
    at,
    faultId: fault.id,
    ledgerRef,
  })
  return 'approved: in suspense'
}

/** Books the channel's fee of an approved line. A line listed twice costs once. */
async function keepTheirs(tx: Tx, { channel_type, day, kind, subject, theirs }: FaultRow): Promise<void> {
  const { channelTxn = '', feeMinor = '0', feeCurrency = '' } = theirs ?? {}
  const refundNo = kind === 'refund' ? subject.slice(channelTxn.length + 1) : ''
  await keepCosts(tx, channel_type, day, [{ kind, channelTxn, refundNo, feeMinor: BigInt(feeMinor), feeCurrency }])
}
