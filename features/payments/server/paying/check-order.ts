import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { clearWait, noteWait } from '#platform/server/suppliers/waits.ts'
import { unknown } from '#platform/shared/supplier-error.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { PAYABLE } from '../../words.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { askChannels } from '../trades/ask-channels.ts'
import type { Answer } from '../trades/ask-channels.ts'
import { nextCheck } from './next-check.ts'
import { blockedPayers, keepMarks } from '#features/risk/server/door.ts'
import { channelById } from '../vendors/index.ts'
import { disputeFee, grantedDays, lateMoney } from '../settings.ts'
import { settleCharge } from '../plans/settle-charge.ts'
import { settleDispute } from '../refunds/settle-dispute.ts'
import { settlePayment } from './settle-payment.ts'
import type { MoneyRules } from './settle-payment.ts'

/** Asks the channels about every trade of an order, outside any lock, then applies the answers under it. */
export async function checkOrder(deps: Deps, actor: Actor, orderId: bigint): Promise<void> {
  const answers = await askChannels(deps, orderId)
  const rules = await moneyRules(deps)
  crashPoint('payments.after-query')
  const order = await transact(deps.db, actor, (tx) => applyAnswers(tx, orderId, answers, rules))
  await noteSilence(deps, order, answers)
}

/** A channel that does not say what became of a trade is asked for a day, then ever more seldom, and operators see the order. */
async function noteSilence(deps: Deps, order: OrderRow, answers: readonly Answer[]): Promise<void> {
  const subject = `order:${order.order_no}`
  const silent = answers.find(({ fact }) => fact === undefined)
  if (!silent) {
    if (order.checks > 0) await clearWait(deps.db, subject)
    return
  }
  const supplier = channelById(deps.config, silent.trade.channel_type)?.manifest.name ?? String(silent.trade.channel_type)
  const plan = await noteWait(deps.db, { subject, port: 'payments.channel', supplier, operation: 'query' }, unknown('no_answer', silent.why))
  if (plan.needsOperator) await transact(deps.db, SYSTEM, (tx) => data.scheduleCheck(tx, order.id, plan.nextCheckAt)) // nothing but the time of the next question
}

/** Read before the order is locked. */
export async function moneyRules({ settings }: Deps): Promise<MoneyRules> {
  return { late: await settings.get(lateMoney), disputeFee: parseUsd(await settings.get(disputeFee)), grantedDays: await settings.get(grantedDays) }
}

/**
 * Notice, return page, poller and reconciler all end here. The order row is locked first; facts taken before the lock are
 * safe to apply, because a payment never disappears from a channel and everything else is judged by the locked state.
 */
export async function applyAnswers(tx: Tx, orderId: bigint, answers: readonly Answer[], rules: MoneyRules): Promise<OrderRow> {
  const before = await data.lockOrder(tx, orderId)
  let order = before
  for (const { trade, fact, payers } of answers) {
    const marks = [...(payers?.values() ?? [])]
    await keepMarks(tx, order.user_id, marks, order.now)
    const blocked = await blockedPayers(tx, marks, order.now)
    for (const paid of fact?.payments ?? []) {
      const payer = payers?.get(paid.channelTxn)
      order = await settlePayment(tx, order, trade, paid, { ...rules, isBlocked: payer !== undefined && blocked.has(payer) })
    }
    for (const dispute of fact?.disputes ?? []) order = await settleDispute(tx, order, trade, dispute, rules.disputeFee)
  }
  if (PAYABLE.includes(order.state)) order = await advance(tx, order, answers)
  if (order.source === 'auto') order = await settleCharge(tx, order, answers[0]?.fact)
  if (order.state !== before.state) await tx.audit('order.moved', `order:${order.order_no}`, { from: before.state, to: order.state })
  await data.scheduleCheck(tx, orderId, nextCheck(order, answers.length > 0))
  return order
}

/** Nothing was paid yet: scanned and declined for the page, doubt resolved, or the time is over. */
async function advance(tx: Tx, order: OrderRow, answers: readonly Answer[]): Promise<OrderRow> {
  const [latest] = answers
  const scanned = latest?.fact ? latest.fact.scanned : order.scanned
  const declined = latest?.fact ? latest.fact.status === 'declined' : order.declined
  if (scanned !== order.scanned || declined !== order.declined) await data.noteOrder(tx, order.id, { scanned, declined })
  const isOver = order.expires_at <= order.now
  // A channel that cannot be asked keeps the order open: only its word ends it (P5).
  if (isOver && answers.every(({ fact }) => fact)) return data.moveOrder(tx, order, 'expired', 'not paid in time')
  if (order.state === 'unknown' && answers.every(({ fact }) => fact && fact.status !== 'not_found'))
    return data.moveOrder(tx, order, 'paying', 'the channel has it')
  return order
}
