import type { Tx } from '#platform/server/database/transact.ts'
import { PAYABLE } from '../../words.ts'
import { moveOrder } from '../data.ts'
import type { OrderRow } from '../data.ts'
import type { ChargeRefusal, TradeFact } from '../vendors/port.ts'
import { endAgreement, lockAgreement } from './data-agreements.ts'
import { finishCharge, lockCharge } from './data-charges.ts'
import type { ChargeRow } from './data-charges.ts'
import { clearRefusals, backOffPlan, countLatePayment, releaseChargeSum, lockPlan, warnPlan } from './data-plans.ts'
import type { AutoPlanRow } from './data-plans.ts'
import { emitChargeEvent } from './emit-auto-event.ts'
import { BACKOFF_HOURS, LAPSE_BACKOFF_HOURS, MAX_REFUSALS } from './rules.ts'

/**
 * Applies a channel's answer about an automatic charge in the transaction that moves its order: updates the charge, the ceilings and the
 * plan. The order must be locked.
 */
export async function settleCharge(tx: Tx, order: OrderRow, fact: TradeFact | undefined): Promise<OrderRow> {
  const charge = await lockCharge(tx, order.id)
  if (!charge || charge.state === 'paid') return order
  const plan = await lockPlan(tx, charge.userId)
  if (PAYABLE.includes(order.state)) {
    const isRefused = charge.state === 'charging' && (fact?.status === 'declined' || fact?.status === 'closed')
    return isRefused ? refuseCharge(tx, order, { charge, plan, refusal: fact.refusal ?? 'declined' }) : order
  }
  if (order.baseState === 'integrity_failure') await flagMismatch(tx, order, { charge, plan })
  else if (order.baseState) await finishPaidCharge(tx, order, charge)
  else if (charge.state === 'charging') await lapseCharge(tx, order, { charge, plan })
  else if (charge.state === 'announced') await skipCharge(tx, order, charge)
  return order
}

/**
 * The channel certainly did not take the money. After a few successive refusals, auto recharge is off until its owner has looked. Lock
 * order, charge, plan.
 */
export async function refuseCharge(
  tx: Tx,
  order: OrderRow,
  { charge, plan, refusal }: { readonly charge: ChargeRow; readonly plan: AutoPlanRow; readonly refusal: ChargeRefusal },
): Promise<OrderRow> {
  await finishCharge(tx, order.id, { state: 'refused', refusal })
  await releaseChargeSum(tx, charge, { total: order.totalNano, tried: true })
  const moved = await moveOrder(tx, order, { to: 'cancelled', reason: `the channel refused: ${refusal}` })
  const refusals = plan.refusals + 1
  const isOver = refusal === 'ended' || refusals >= MAX_REFUSALS
  await backOffPlan(tx, charge.userId, { refusals, hours: BACKOFF_HOURS[Math.min(refusals, BACKOFF_HOURS.length) - 1]! })
  if (refusal === 'ended') await endMissingAgreement(tx, charge.agreementNo)
  const isOurs = plan.agreementNo === charge.agreementNo
  const isWarned = isOver && isOurs && plan.state === 'active'
  if (isWarned) await warnPlan(tx, charge.userId, refusal)
  await emitChargeEvent(tx, order, { event: isWarned ? 'auto.off' : 'auto.refused', more: { refusal } })
  return moved
}

/** Ends an agreement that no longer exists at the channel, whatever our state. Lock the plan first. */
async function endMissingAgreement(tx: Tx, agreementNo: string): Promise<void> {
  const { state } = await lockAgreement(tx, agreementNo)
  if (state === 'active' || state === 'ending') await endAgreement(tx, agreementNo, 'channel')
}

/** Never sent: no attempt is counted. Lock order, charge, plan. */
export async function skipCharge(tx: Tx, order: OrderRow, charge: ChargeRow): Promise<void> {
  await finishCharge(tx, order.id, { state: 'skipped' })
  await releaseChargeSum(tx, charge, { total: order.totalNano, tried: false })
  await tx.audit('auto.skipped', `order:${order.orderNo}`)
}

/** The channel may still take the money: the charge stays counted, and the next one waits. */
async function lapseCharge(tx: Tx, order: OrderRow, { charge, plan }: { readonly charge: ChargeRow; readonly plan: AutoPlanRow }): Promise<void> {
  await finishCharge(tx, order.id, { state: 'lapsed' })
  await backOffPlan(tx, charge.userId, { refusals: plan.refusals, hours: LAPSE_BACKOFF_HOURS })
  await tx.audit('auto.lapsed', `order:${order.orderNo}`)
}

async function finishPaidCharge(tx: Tx, order: OrderRow, charge: ChargeRow): Promise<void> {
  // The channel took the money after the charge had been cancelled.
  if (charge.state === 'refused' || charge.state === 'skipped') await countLatePayment(tx, charge, order.totalNano)
  await finishCharge(tx, order.id, { state: 'paid' })
  await clearRefusals(tx, charge.userId, charge.agreementNo)
  await tx.audit('auto.paid', `order:${order.orderNo}`, { agreementNo: charge.agreementNo })
}

/** The amount differs from the one requested: it waits in suspense, and charging stops until the owner has looked. */
async function flagMismatch(tx: Tx, order: OrderRow, { charge, plan }: { readonly charge: ChargeRow; readonly plan: AutoPlanRow }): Promise<void> {
  if (charge.state === 'mismatch') return
  await finishCharge(tx, order.id, { state: 'mismatch' })
  if (plan.state === 'active') await warnPlan(tx, charge.userId, 'mismatch')
  await tx.audit('auto.mismatch', `order:${order.orderNo}`)
}
