import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact, type Actor, type Tx } from '#platform/server/database/transact.ts'
import { clearWait, recordWait } from '#platform/server/suppliers/waits.ts'
import { unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { PAYABLE, PAID } from '../../words.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { queryChannels, type ChannelAnswer } from '../trades/query-channels.ts'
import { selectBlockedPayers, storeMarks } from '#features/risk/server/door.ts'
import { findChannelById } from '../vendors/index.ts'
import { disputeFee, grantedDays, lateMoney } from '../settings.ts'
import { settleCharge } from '../plans/settle-charge.ts'
import { settleDispute } from '../refunds/settle-dispute.ts'
import { settlePayment, type MoneyRules } from './settle-payment.ts'

const WATCHED_SECONDS = 20
const LONGEST_SECONDS = 240
const FIRST_SECONDS = 10
const DAY_SECONDS = 86_400

/**
 * Time of the reconciler's next query (I11, W8): within a minute while a client polls, within five otherwise, and for a day after
 * the end, because a late payment is possible. Null once the state is final.
 */
export function computeNextOrderCheck(order: OrderRow, hasTrades: boolean): Date | null {
  const now = order.now.getTime()
  const after = (seconds: number) => new Date(now + seconds * 1000)
  const sinceEnd = (now - order.expiresAt.getTime()) / 1000
  if (PAYABLE.includes(order.state)) {
    if (!hasTrades) return order.expiresAt
    const watched = order.seenAt !== null && now - order.seenAt.getTime() < 60_000
    const patience = Math.min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** Math.min(order.checks, 6))
    const wanted = after(watched ? Math.min(WATCHED_SECONDS, patience) : patience)
    return sinceEnd < -1 ? new Date(Math.min(wanted.getTime(), order.expiresAt.getTime())) : wanted
  }
  // A ruling by the payer's bank takes weeks; its notice arrives sooner.
  if (order.state === 'disputed') return after(DAY_SECONDS / 4)
  if (!hasTrades || sinceEnd > DAY_SECONDS + 3600) return null
  // A second payment on a paid order: one check once its trades can no longer be paid.
  if (PAID.includes(order.state)) return sinceEnd < 60 ? after(60 - sinceEnd) : null
  return after(sinceEnd < 3600 ? LONGEST_SECONDS : 3600)
}

/** Queries the channels about every trade of an order without a lock, then applies the answers under it. */
export async function checkOrder(deps: Deps, actor: Actor, orderId: bigint): Promise<void> {
  const answers = await queryChannels(deps, orderId)
  const rules = await readMoneyRules(deps)
  crashPoint('payments.after-query')
  const order = await transact(deps.db, actor, (tx) => applyAnswers(tx, orderId, { answers, rules }))
  await noteUnanswered(deps, order, answers)
}

/** A trade whose outcome the channel does not report is queried for a day, then at growing intervals, and operators see the order. */
async function noteUnanswered(deps: Deps, order: OrderRow, answers: readonly ChannelAnswer[]): Promise<void> {
  const subject = `order:${order.orderNo}`
  const silent = answers.find(({ fact }) => fact === undefined)
  if (!silent) {
    if (order.checks > 0) await clearWait(deps.db, subject)
    return
  }
  const supplier = findChannelById(deps, silent.trade.channelType)?.manifest.name ?? String(silent.trade.channelType)
  const plan = await recordWait(deps.db, { subject, port: 'payments.channel', supplier, operation: 'query' }, unknownError('no_answer', silent.why))
  if (plan.needsOperator) await transact(deps.db, SYSTEM, (tx) => data.scheduleCheck(tx, order.id, plan.nextCheckAt)) // Only reschedule.
}

/** Read before the order is locked. */
export async function readMoneyRules({ settings }: Deps): Promise<MoneyRules> {
  return { late: await settings.get(lateMoney), disputeFee: parseUsd(await settings.get(disputeFee)), grantedDays: await settings.get(grantedDays) }
}

/**
 * Applies the channels' answers to an order; notices, the return page, the poller and the reconciler all call it. The order row is locked
 * first; facts fetched before the lock are safe to apply, because a payment never disappears from a channel and everything else is checked
 * against the locked state.
 */
export async function applyAnswers(
  tx: Tx,
  orderId: bigint,
  { answers, rules }: { readonly answers: readonly ChannelAnswer[]; readonly rules: MoneyRules },
): Promise<OrderRow> {
  const before = await data.lockOrder(tx, orderId)
  let order = before
  for (const { trade, fact, payers } of answers) {
    const marks = [...(payers?.values() ?? [])]
    await storeMarks(tx, order.userId, { marks, now: order.now })
    const blocked = await selectBlockedPayers(tx, marks, order.now)
    for (const paid of fact?.payments ?? []) {
      const payer = payers?.get(paid.channelTxn)
      order = await settlePayment(tx, order, { trade, paid, rules: { ...rules, isBlocked: payer !== undefined && blocked.has(payer) } })
    }
    for (const dispute of fact?.disputes ?? []) order = await settleDispute(tx, order, { trade, fact: dispute, fee: rules.disputeFee })
  }
  if (PAYABLE.includes(order.state)) order = await advanceUnpaid(tx, order, answers)
  if (order.source === 'auto') order = await settleCharge(tx, order, answers[0]?.fact)
  if (order.state !== before.state) await tx.audit('order.moved', `order:${order.orderNo}`, { from: before.state, to: order.state })
  await data.scheduleCheck(tx, orderId, computeNextOrderCheck(order, answers.length > 0))
  return order
}

/** No payment yet: records a declined scan for the page, resolves an unknown state, or expires the order. */
async function advanceUnpaid(tx: Tx, order: OrderRow, answers: readonly ChannelAnswer[]): Promise<OrderRow> {
  const [latest] = answers
  const scanned = latest?.fact ? latest.fact.scanned : order.scanned
  const declined = latest?.fact ? latest.fact.status === 'declined' : order.declined
  if (scanned !== order.scanned || declined !== order.declined) await data.markScannedOrDeclined(tx, order.id, { scanned, declined })
  const isOver = order.expiresAt <= order.now
  // An order stays open while its channel cannot be queried: only the channel's answer ends it (P5).
  if (isOver && answers.every(({ fact }) => fact)) return data.moveOrder(tx, order, { to: 'expired', reason: 'not paid in time' })
  if (order.state === 'unknown' && answers.every(({ fact }) => fact && fact.status !== 'not_found'))
    return data.moveOrder(tx, order, { to: 'paying', reason: 'the channel has it' })
  return order
}
