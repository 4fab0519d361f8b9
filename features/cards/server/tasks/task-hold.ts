import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { minNano, subtractNano, addNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { captureHold, readCardBalances } from '#features/wallet/server/door.ts'
import { readSpendingLimit, toShanghaiMonth } from '../figures.ts'
import { resizeCardHold } from '../money/hold.ts'
import { changeBill, upsertBill } from '../bills/data.ts'
import { addForcedSpending } from '../cards/data-months.ts'
import { addCardTotals, lockCard } from '../cards/data.ts'
import { readNetCardBalance } from '../money/bookings.ts'
import type { CardMerchant } from '../vendors/port.ts'
import { addTaskUse, selectArmedHold, changeTaskHold, insertTaskHold, reduceTaskUse, selectTaskHold, selectTaskUses } from './data.ts'
import type { TaskHold } from './data.ts'

/** A sum set aside on a card for one task (G6): the task's merchant alone spends it, what is left goes back at the outcome. */

const PURPOSE = 'card.task'
const ledgerId = (id: string) => `card.task.${id}`
const billId = (id: string) => `task_${id}`

export interface TaskHoldInput {
  readonly id: string
  readonly cardId: string
  /** Purpose, as shown in the card's bills. */
  readonly name: string
  readonly amount: Nano
  /** Prefixes of the merchant's names on a statement. */
  readonly merchants: readonly string[]
}

/** Keeps a sum for a task. Returns false, without a change, when the card has too little. Locks the card. */
export async function holdForTask(tx: Tx, wanted: TaskHoldInput): Promise<boolean> {
  const card = await lockCard(tx, wanted.cardId)
  const { available } = (await readCardBalances(tx, [card.id])).get(card.id)!
  if (card.state !== 'active' || available < wanted.amount) return false
  const fresh = { id: ledgerId(wanted.id), cardId: card.id, held: 0n, holdId: null, holds: 0 }
  const { holdId } = await resizeCardHold(tx, fresh, { target: wanted.amount, free: available, purpose: PURPOSE })
  const kept = await insertTaskHold(tx, { ...wanted, holdId: holdId! })
  await upsertBill(tx, {
    id: billId(kept.id),
    cardId: card.id,
    userId: card.userId,
    at: kept.createdAt,
    kind: 'kept',
    state: 'processing',
    amount: subtractNano(0n, kept.amount),
    merchant: { name: wanted.name, city: '', country: '', mcc: '' },
  })
  await tx.audit('card.task_kept', `card:${card.id}`, { task: wanted.id, amount: formatUsd(wanted.amount) })
  return true
}

/** Lets the merchant spend the kept sum, just before an operator pays. Idempotent. */
export async function armTask(tx: Tx, id: string, at: Date): Promise<void> {
  const kept = await lockTaskHold(tx, id)
  if (kept && !kept.closedAt && !kept.armedAt) await changeTaskHold(tx, id, { armedAt: at })
}

/** Stops the merchant from spending the kept sum, until `armTask` runs again. */
export async function disarmTask(tx: Tx, id: string): Promise<void> {
  const kept = await lockTaskHold(tx, id)
  if (kept?.armedAt && !kept.closedAt) await changeTaskHold(tx, id, { armedAt: null })
}

/** Ends a task: releases the rest of the kept sum. Idempotent. */
export async function releaseTask(tx: Tx, id: string, at: Date): Promise<void> {
  const kept = await lockTaskHold(tx, id)
  if (!kept || kept.closedAt) return
  await resizeTaskHold(tx, kept, { target: 0n, change: { closedAt: at, outcome: 'freed' } })
  await tx.audit('card.task_freed', `card:${kept.cardId}`, { task: id, left: formatUsd(kept.leftNano), used: formatUsd(kept.used) })
}

/**
 * Ends a task that a supplier delivered: charges the sum, once, and releases the rest. It counts as spent on the card, as if a
 * merchant had taken it. Returns the sum charged.
 */
export async function chargeTask(
  deps: Pick<Deps, 'settings'>,
  tx: Tx,
  { id, amount, at }: { readonly id: string; readonly amount: Nano; readonly at: Date },
): Promise<Nano> {
  const kept = await lockTaskHold(tx, id)
  if (!kept || kept.closedAt) return 0n
  const taken = minNano(amount, kept.leftNano)
  if (taken > 0n) {
    await captureHold(tx, { holdId: kept.holdId!, amount: taken, kind: 'card.task', ref: id })
    const { userId } = await lockCard(tx, kept.cardId)
    await addForcedSpending(tx, kept.cardId, { month: toShanghaiMonth(at), delta: taken, ceiling: await readSpendingLimit(deps, tx, userId) })
    await addCardTotals(tx, kept.cardId, { spent: taken, recharged: 0n, uncovered: 0n })
  }
  await changeTaskHold(tx, id, { leftNano: 0n, used: addNano(kept.used, taken), holdId: null, closedAt: at, outcome: 'charged' })
  const after = await readNetCardBalance(tx, kept.cardId)
  await changeBill(
    tx,
    billId(id),
    taken > 0n ? { state: 'success', kind: 'purchase', amount: subtractNano(0n, taken), after, at } : { state: 'merged', amount: 0n },
  )
  await tx.audit('card.task_charged', `card:${kept.cardId}`, { task: id, amount: formatUsd(taken) })
  return taken
}

/** The kept sum that a task's merchant may spend beside the free balance; the card must be locked. */
export const findArmedHold = (tx: Tx, cardId: string, merchant: CardMerchant): Promise<TaskHold | undefined> => selectArmedHold(tx, cardId, merchant.name)

/** Spends part of a kept sum on an authorisation or capture of the merchant, in its transaction. The card must be locked. */
export async function spendTaskHold(tx: Tx, kept: TaskHold, { ref, wanted }: { readonly ref: string; readonly wanted: Nano }): Promise<Nano> {
  const taken = minNano(kept.leftNano, wanted)
  if (taken <= 0n) return 0n
  await resizeTaskHold(tx, kept, { target: subtractNano(kept.leftNano, taken), change: { used: addNano(kept.used, taken) } })
  await addTaskUse(tx, kept.id, { ref, amount: taken })
  return taken
}

/** Returns a sum that the merchant released without a capture to the task it came from, while that task is open. */
export async function returnToTask(tx: Tx, ref: string, released: Nano): Promise<void> {
  let rest = released
  for (const use of await selectTaskUses(tx, ref)) {
    const back = minNano(use.amount, rest)
    const kept = back > 0n ? await selectTaskHold(tx, use.holdId) : undefined
    if (!kept) continue
    rest = subtractNano(rest, back)
    await reduceTaskUse(tx, kept.id, { ref, by: back })
    if (!kept.closedAt) await resizeTaskHold(tx, kept, { target: addNano(kept.leftNano, back), change: { used: subtractNano(kept.used, back) } })
  }
}

async function lockTaskHold(tx: Tx, id: string): Promise<TaskHold | undefined> {
  const kept = await selectTaskHold(tx, id)
  if (!kept) return undefined
  await lockCard(tx, kept.cardId)
  return selectTaskHold(tx, id)
}

/** Brings ledger, row and bill to `target`, or to as much as the card still has. */
async function resizeTaskHold(
  tx: Tx,
  kept: TaskHold,
  { target, change }: { readonly target: Nano; readonly change: Parameters<typeof changeTaskHold>[2] },
): Promise<void> {
  const { id, cardId, leftNano: held, holdId, holds } = kept
  const now = await resizeCardHold(tx, { id: ledgerId(id), cardId, held, holdId, holds }, { target, purpose: PURPOSE })
  const row = await changeTaskHold(tx, id, { leftNano: now.held, holdId: now.holdId, holds: now.holds, ...change })
  const isOver = row.closedAt !== null || row.leftNano === 0n
  await changeBill(tx, billId(id), { state: isOver ? 'merged' : 'processing', amount: subtractNano(0n, row.leftNano) })
}
