import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { clearWait, recordFailedQuery, recordWait } from '#platform/server/suppliers/waits.ts'
import { isRejected, asSupplierError, SupplierError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import { arePayoutsFrozen } from '#features/account/server/door.ts'
import * as data from '../data.ts'
import { selectTrades } from '../trades/data-attempts.ts'
import { selectReceipts } from '../trades/data-receipts.ts'
import type { PaymentReceiptRow } from '../trades/data-receipts.ts'
import { selectOrderDisputes, moveRefund, sumOtherRefunds, selectRefundById, selectRefundByNo, scheduleRefund } from '../states/data-refunds.ts'
import type { RefundRow } from '../states/data-refunds.ts'
import { findChannelById, createChannelTools } from '../vendors/index.ts'
import type { Channel, RefundFact, RefundRef } from '../vendors/port.ts'
import { checkOrder } from '../paying/check-order.ts'
import { toTradeRef } from '../trades/query-channels.ts'
import { startRefund } from '../refunds/start-refund.ts'
import { failRefund, reverseDoneRefund, succeedRefund } from '../refunds/conclude-refund.ts'
import { settleDebts } from '#features/wallet/server/door.ts'
import type { OrderRow } from '../data.ts'
import { restartPart } from '../withdrawals/channel-first.ts'
import { lockWithdrawalOfRefund } from '../set-aside/data-parts.ts'

/**
 * Final check before a refund is sent. If the user owes since the money was reserved, the refund ends and the money pays the debt: unspent
 * credit returns to the balance, the rest of a withdrawal's part leaves the same way, and income becomes balance. Money in suspense was
 * never the user's. The order must be locked. Returns true if the refund has ended.
 */
async function stopForDebt(deps: Deps, tx: Tx, { order, refund }: { readonly order: OrderRow; readonly refund: RefundRow }): Promise<boolean> {
  if (refund.source !== 'balance' && refund.source !== 'revenue') return false
  // Lock the withdrawal's row before the accounts of its user.
  const withdrawal = await lockWithdrawalOfRefund(tx, refund.id)
  if ((await settleDebts(tx, order.userId)) === 0n) return false
  const failed = await failRefund(tx, order, { refund, failure: 'what is owed comes first' })
  if (withdrawal) await restartPart(deps, tx, { withdrawalId: withdrawal.id, order: failed })
  else if (refund.source === 'revenue') {
    const { amountNano: amount, reason } = refund
    await startRefund(tx, failed, { amount, withFee: refund.feeNano > 0n, goesTo: 'balance', reason, state: 'approved', sources: ['revenue'] })
  }
  return true
}

const FIRST_SECONDS = 5
const MAX_DELAY_SECONDS = 3600
/** Exceeds the deadline of every channel's call: after that, the process that made it has died. */
const CALL_SECONDS = 35
const STUCK_SECONDS = 3600
const FROZEN_SECONDS = 900
const FINAL_CHECK_SECONDS = 5 * 86_400
/** States that need no further query. */
const ENDED_STATES: ReadonlySet<string> = new Set<RefundRow['state']>(['failed', 'rejected', 'reversed'])

/**
 * Advances a due refund by one step: sends it, or queries its outcome. A lost response makes it `unknown`; the channel is queried first,
 * and the refund is resent under the same number only if the channel certainly does not have it (R3).
 */
export async function workRefund(deps: Deps, id: bigint): Promise<void> {
  const refund = await selectRefundById(deps.db, id)
  if (!refund || refund.goesTo !== 'channel' || ENDED_STATES.has(refund.state)) return
  if (refund.state === 'approved') return sendRefund(deps, refund)
  const asked = (await queryRefundFact(deps, refund.refundNo)) ?? { fact: undefined, why: undefined }
  const { fact } = asked
  if (fact?.status === 'not_found' && refund.state !== 'succeeded') return sendRefund(deps, refund)
  const seconds = fact
    ? await noteFact(deps, refund, fact)
    : (await recordFailedQuery(deps.db, toWaitCall(refund), asked.why ?? unknownError('not_connected'))).seconds
  await transact(deps.db, SYSTEM, async (tx) => {
    if (fact) await applyRefundFact(tx, id, fact)
    else await scheduleRefund(tx, id, seconds)
  })
}

const toWaitCall = (refund: RefundRow) => ({
  ...{ subject: `refund:${refund.refundNo}`, port: 'payments.channel', supplier: refund.goesTo, operation: 'refund' },
})

/** A refund that the channel could not deliver and leaves to an operator becomes a work item at once. Seconds until the next query. */
async function noteFact(deps: Deps, refund: RefundRow, fact: RefundFact): Promise<number> {
  const call = toWaitCall(refund)
  if (fact.status === 'stuck') {
    const why = unknownError('stuck', fact.reason ?? 'the channel could not deliver it')
    return (await recordWait(deps.db, { ...call, finalAt: new Date(0) }, why)).seconds
  }
  await clearWait(deps.db, call.subject)
  return computeDelay(refund)
}

/** Queries the channel about one of our refunds; no fact if the query failed. Undefined: the refund does not go to a channel. */
export async function queryRefundFact(deps: Deps, refundNo: string): Promise<{ id: bigint; fact: RefundFact | undefined; why?: SupplierError } | undefined> {
  const refund = await selectRefundByNo(deps.db, refundNo)
  if (!refund || refund.goesTo !== 'channel') return undefined
  const about = await buildRefundRef(deps, refund)
  try {
    return { id: refund.id, fact: about && (await about.channel.queryRefund(createChannelTools(deps), about.ref)) }
  } catch (error) {
    deps.log.warn({ err: error, refundNo }, 'a channel could not be asked about a refund')
    return { id: refund.id, fact: undefined, why: asSupplierError(error) }
  }
}

/** Applies a channel's answer under the order's lock. Late answers are harmless: an edge is taken only once. */
export async function applyRefundFact(tx: Tx, id: bigint, fact: RefundFact): Promise<void> {
  const found = await selectRefundById(tx, id)
  if (!found) return
  const order = await data.lockOrder(tx, found.orderId)
  const refund = (await selectRefundById(tx, id))!
  const isOut = refund.state === 'dispatched' || refund.state === 'unknown'
  const about = fact.reason ?? fact.status
  if (fact.status === 'succeeded' && isOut) await succeedRefund(tx, order, { refund, channelRefund: fact.channelRefund })
  else if ((fact.status === 'failed' || fact.status === 'refused') && isOut)
    await creditUndeliverable(tx, await failRefund(tx, order, { refund, failure: about }), refund)
  else if (fact.status === 'failed' && refund.state === 'succeeded') await reverseDoneRefund(tx, order, { refund, failure: about })
  else if (refund.state === 'succeeded') await scheduleRefund(tx, id, refund.checks < 2 ? FINAL_CHECK_SECONDS : null)
  else if (isOut) {
    if (fact.status === 'stuck') countEvent('payments.refund_stuck')
    await scheduleRefund(tx, id, fact.status === 'stuck' ? STUCK_SECONDS : computeDelay(refund))
  } else return
  await tx.audit('refund.answered', `order:${order.orderNo}`, { refundNo: refund.refundNo, status: fact.status, was: refund.state })
}

/** Money of an undelivered order belongs to its buyer: if the channel cannot refund it, it becomes balance, fee included. */
async function creditUndeliverable(tx: Tx, order: data.OrderRow, refund: RefundRow): Promise<void> {
  if (refund.source !== 'revenue' || !(await data.wasUndeliverable(tx, order.id))) return
  const reason = `refund ${refund.refundNo} could not be delivered`
  await startRefund(tx, order, { amount: refund.amountNano, withFee: refund.feeNano > 0n, goesTo: 'balance', state: 'approved', reason })
}

/**
 * Sends a refund. The channel is queried about disputes before each call, so that money which the payer's bank took back is not refunded
 * twice (R7).
 */
async function sendRefund(deps: Deps, refund: RefundRow): Promise<void> {
  await checkOrder(deps, SYSTEM, refund.orderId)
  const sent = await transact(deps.db, SYSTEM, async (tx) => {
    const order = await data.lockOrder(tx, refund.orderId)
    const fresh = (await selectRefundById(tx, refund.id))!
    if (fresh.state !== refund.state) return undefined
    const { busy } = await sumOtherRefunds(tx, fresh)
    const isDisputed = (await selectOrderDisputes(tx, order.id)).some((each) => each.receiptId === fresh.receiptId && each.state !== 'won')
    await tx.audit('refund.sending', `order:${order.orderNo}`, { refundNo: fresh.refundNo })
    if (isDisputed && fresh.state === 'approved') {
      await failRefund(tx, order, { refund: fresh, failure: 'the payment is disputed' })
      return undefined
    }
    if (fresh.state === 'approved' && (await stopForDebt(deps, tx, { order, refund: fresh }))) return undefined
    // While payouts are frozen, a refund requested by the user waits; one ordered by an operator, to the payer of a stolen card, is sent.
    if (fresh.state === 'approved' && fresh.askedBy === `user:${order.userId}` && (await arePayoutsFrozen(tx, order.userId))) {
      await scheduleRefund(tx, fresh.id, FROZEN_SECONDS)
      return undefined
    }
    if (busy && (await requiresSequentialRefunds(deps, tx, fresh))) {
      await scheduleRefund(tx, fresh.id, FIRST_SECONDS)
      return undefined
    }
    if (fresh.state === 'approved') await data.noteStep(tx, order, { event: 'refund_sent', reason: 'sent to the channel', facts: { refundNo: fresh.refundNo } })
    return fresh.state === 'dispatched' ? fresh : moveRefund(tx, fresh, { to: 'dispatched', more: { seconds: CALL_SECONDS } })
  })
  if (!sent) return
  crashPoint('payments.before-refund-call')
  const answer = await callChannel(deps, sent)
  crashPoint('payments.after-refund-call')
  const plan = answer instanceof SupplierError ? await recordWait(deps.db, toWaitCall(sent), answer) : undefined
  // Certainly not sent for a day: stop trying.
  const fact = answer instanceof SupplierError ? (plan!.isOver ? ({ status: 'refused', reason: answer.message } as const) : undefined) : answer
  if (fact) await noteFact(deps, sent, fact)
  await transact(deps.db, SYSTEM, async (tx) => {
    if (fact) return applyRefundFact(tx, sent.id, fact)
    await tx.audit('refund.lost', `refund:${sent.refundNo}`)
    await moveRefund(tx, sent, { to: 'unknown', more: { seconds: Math.max(FIRST_SECONDS, plan!.seconds) } })
  })
}

/** Without a refund number at the channel, refunds are identified by their running sum, so each waits for the previous one to end. */
async function requiresSequentialRefunds(deps: Deps, tx: Tx, refund: RefundRow): Promise<boolean> {
  const receipt = (await selectReceipts(tx, refund.orderId)).find(({ id }) => id === refund.receiptId)
  return receipt === undefined || findChannelById(deps, receipt.channelType)?.manifest.supports.refund !== 'numbered'
}

async function callChannel(deps: Deps, refund: RefundRow): Promise<RefundFact | SupplierError> {
  const about = await buildRefundRef(deps, refund)
  if (!about) return unknownError('not_connected')
  const tools = createChannelTools(deps)
  try {
    const notifyUrl = `${tools.publicUrl()}/notify/${about.channel.manifest.name}`
    return await about.channel.refund(tools, { ...about.ref, reason: refund.reason, notifyUrl })
  } catch (error) {
    deps.log.warn({ err: error, refundNo: refund.refundNo }, 'a channel did not say whether it refunds')
    return isRejected(error) ? { status: 'refused', reason: error.detail || error.reason } : asSupplierError(error)
  }
}

async function buildRefundRef(deps: Deps, refund: RefundRow): Promise<{ channel: Channel; ref: RefundRef } | undefined> {
  const receipt = (await selectReceipts(deps.db, refund.orderId)).find(({ id }) => id === refund.receiptId)
  const channel = receipt && findChannelById(deps, receipt.channelType)
  if (!channel) return undefined
  const trade = (await selectTrades(deps.db, refund.orderId)).find((each) => each.channelType === receipt.channelType && each.tradeNo === receipt.tradeNo)
  if (!trade) return undefined
  const { minor: earlierMinor } = await sumOtherRefunds(deps.db, refund)
  return { channel, ref: { refundNo: refund.refundNo, trade: toTradeRef(trade), paid: toPaidRef(receipt), minor: refund.minor, earlierMinor } }
}

function toPaidRef({ channelTxn, paidMinor, currency, paidAt }: PaymentReceiptRow): RefundRef['paid'] {
  return { channelTxn, minor: paidMinor, currency, paidAt }
}

const computeDelay = ({ checks }: RefundRow) => Math.min(MAX_DELAY_SECONDS, FIRST_SECONDS * 2 ** Math.min(checks, 10))
