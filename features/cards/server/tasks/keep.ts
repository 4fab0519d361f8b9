import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { least, minus, plus, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { capture, cardBalancesOf } from '#features/wallet/server/door.ts'
import { ceilingOf, monthOf } from '../figures.ts'
import { bringHold } from '../money/hold.ts'
import { changeBill, showBill } from '../bills/data.ts'
import { forceMonth } from '../cards/data-months.ts'
import { addTotals, lockCard } from '../cards/data.ts'
import { standOf } from '../money/bookings.ts'
import type { Merchant } from '../vendors/port.ts'
import { addUse, armedFor, changeTaskHold, insertTaskHold, lowerUse, taskHold, usesOf } from './data.ts'
import type { TaskHold } from './data.ts'

/** A sum set aside on a card for one task (G6): the task's merchant alone spends it, what is left goes back at the outcome. */

const PURPOSE = 'card.task'
const ledgerId = (id: string) => `card.task.${id}`
const billId = (id: string) => `task_${id}`

export interface Keep {
  readonly id: string
  readonly cardId: string
  /** Purpose, as shown in the card's bills. */
  readonly name: string
  readonly amount: Nano
  /** Prefixes of the merchant's names on a statement. */
  readonly merchants: readonly string[]
}

/** Keeps a sum for a task. Returns false, without a change, when the card has too little. Locks the card. */
export async function keepForTask(tx: Tx, wanted: Keep): Promise<boolean> {
  const card = await lockCard(tx, wanted.cardId)
  const { available } = (await cardBalancesOf(tx, [card.id])).get(card.id)!
  if (card.state !== 'active' || available < wanted.amount) return false
  const fresh = { id: ledgerId(wanted.id), card_id: card.id, held: 0n, hold_id: null, holds: 0 }
  const { hold_id: holdId } = await bringHold(tx, fresh, wanted.amount, { free: available, purpose: PURPOSE })
  const kept = await insertTaskHold(tx, { ...wanted, holdId: holdId! })
  await showBill(tx, {
    id: billId(kept.id),
    cardId: card.id,
    userId: card.user_id,
    at: kept.created_at,
    kind: 'kept',
    state: 'processing',
    amount: minus(0n, kept.amount),
    merchant: { name: wanted.name, city: '', country: '', mcc: '' },
  })
  await tx.audit('card.task_kept', `card:${card.id}`, { task: wanted.id, amount: usd(wanted.amount) })
  return true
}

/** Lets the merchant spend the kept sum, just before an operator pays. Idempotent. */
export async function armTask(tx: Tx, id: string, at: Date): Promise<void> {
  const kept = await locked(tx, id)
  if (kept && !kept.closed_at && !kept.armed_at) await changeTaskHold(tx, id, { armed_at: at })
}

/** Stops the merchant from spending the kept sum, until `armTask` runs again. */
export async function disarmTask(tx: Tx, id: string): Promise<void> {
  const kept = await locked(tx, id)
  if (kept?.armed_at && !kept.closed_at) await changeTaskHold(tx, id, { armed_at: null })
}

/** Ends a task: releases the rest of the kept sum. Idempotent. */
export async function freeTask(tx: Tx, id: string, at: Date): Promise<void> {
  const kept = await locked(tx, id)
  if (!kept || kept.closed_at) return
  await bringTo(tx, kept, 0n, { closed_at: at, outcome: 'freed' })
  await tx.audit('card.task_freed', `card:${kept.card_id}`, { task: id, left: usd(kept.left_nano), used: usd(kept.used) })
}

/**
 * Ends a task that a supplier delivered: charges the sum, once, and releases the rest. It counts as spent on the card, as if a
 * merchant had taken it. Returns the sum charged.
 */
export async function chargeTask(deps: Pick<Deps, 'settings'>, tx: Tx, id: string, amount: Nano, at: Date): Promise<Nano> {
  const kept = await locked(tx, id)
  if (!kept || kept.closed_at) return 0n
  const taken = least(amount, kept.left_nano)
  if (taken > 0n) {
    await capture(tx, { holdId: kept.hold_id!, amount: taken, kind: 'card.task', ref: id })
    const { user_id: userId } = await lockCard(tx, kept.card_id)
    await forceMonth(tx, kept.card_id, monthOf(at), taken, await ceilingOf(deps, tx, userId))
    await addTotals(tx, kept.card_id, taken, 0n, 0n)
  }
  await changeTaskHold(tx, id, { left_nano: 0n, used: plus(kept.used, taken), hold_id: null, closed_at: at, outcome: 'charged' })
  const after = await standOf(tx, kept.card_id)
  await changeBill(tx, billId(id), taken > 0n ? { state: 'success', kind: 'purchase', amount: minus(0n, taken), after, at } : { state: 'merged', amount: 0n })
  await tx.audit('card.task_charged', `card:${kept.card_id}`, { task: id, amount: usd(taken) })
  return taken
}

/** The kept sum that a task's merchant may spend beside the free balance; the card must be locked. */
export const armedAt = (tx: Tx, cardId: string, merchant: Merchant): Promise<TaskHold | undefined> => armedFor(tx, cardId, merchant.name)

/** Spends part of a kept sum on an authorisation or capture of the merchant, in its transaction. The card must be locked. */
export async function spendOfTask(tx: Tx, kept: TaskHold, ref: string, wanted: Nano): Promise<Nano> {
  const taken = least(kept.left_nano, wanted)
  if (taken <= 0n) return 0n
  await bringTo(tx, kept, minus(kept.left_nano, taken), { used: plus(kept.used, taken) })
  await addUse(tx, kept.id, ref, taken)
  return taken
}

/** Returns a sum that the merchant released without a capture to the task it came from, while that task is open. */
export async function backToTask(tx: Tx, ref: string, released: Nano): Promise<void> {
  let rest = released
  for (const use of await usesOf(tx, ref)) {
    const back = least(use.amount, rest)
    const kept = back > 0n ? await taskHold(tx, use.hold_id) : undefined
    if (!kept) continue
    rest = minus(rest, back)
    await lowerUse(tx, kept.id, ref, back)
    if (!kept.closed_at) await bringTo(tx, kept, plus(kept.left_nano, back), { used: minus(kept.used, back) })
  }
}

async function locked(tx: Tx, id: string): Promise<TaskHold | undefined> {
  const kept = await taskHold(tx, id)
  if (!kept) return undefined
  await lockCard(tx, kept.card_id)
  return taskHold(tx, id)
}

/** Brings ledger, row and bill to `target`, or to as much as the card still has. */
async function bringTo(tx: Tx, kept: TaskHold, target: Nano, change: Parameters<typeof changeTaskHold>[2]): Promise<void> {
  const { id, card_id, left_nano: held, hold_id, holds } = kept
  const now = await bringHold(tx, { id: ledgerId(id), card_id, held, hold_id, holds }, target, { purpose: PURPOSE })
  const row = await changeTaskHold(tx, id, { left_nano: now.held, hold_id: now.hold_id, holds: now.holds, ...change })
  const isOver = row.closed_at !== null || row.left_nano === 0n
  await changeBill(tx, billId(id), { state: isOver ? 'merged' : 'processing', amount: minus(0n, row.left_nano) })
}
