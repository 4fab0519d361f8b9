import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { subtractNano, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { captureHold, placeHold, refundTransaction, voidHold } from '#features/wallet/server/door.ts'
import { completeOrder, undeliverOrder } from '#features/payments/server/door.ts'
import type { Task } from './data.ts'

/** Every posting that services make, and nothing else. Dollars; each happens once for its task. */

/** Longer than anything waits: what is held ends when its task does, never by itself. */
const HOLD_SECONDS = 400 * 86_400
const toHoldId = (task: Pick<Task, 'id'>) => `service.${task.id}`

/** Sets the price aside in the balance. Errors: INSUFFICIENT_FUNDS. */
export async function holdPrice(tx: Tx, task: Task): Promise<void> {
  const made = await placeHold(tx, { id: toHoldId(task), userId: task.user_id, amount: task.amount, ttlSeconds: HOLD_SECONDS, purpose: 'service' })
  if (made.status !== 'pending') fail('INSUFFICIENT_FUNDS')
}

/** Delivered: so much becomes income, the rest is free again. Returns the ledger's transaction; null where nothing was taken. */
export async function chargePrice(tx: Tx, task: Task, amount: Nano): Promise<bigint | null> {
  const rest = subtractNano(task.amount, amount)
  const taken = amount > 0n ? await captureHold(tx, { holdId: toHoldId(task), amount, kind: 'service.charged', ref: task.id }) : undefined
  if (!taken) await voidHold(tx, toHoldId(task))
  await completeOrder(tx, task.order_no!)
  if (rest > 0n) await undeliverOrder(tx, task.order_no!, rest, 'not used')
  return taken?.transactionId ?? null
}

/** Never delivered: nothing was taken. */
export async function voidPrice(tx: Tx, task: Task, reason: string): Promise<void> {
  await voidHold(tx, toHoldId(task))
  await undeliverOrder(tx, task.order_no!, task.amount, reason)
}

/** Taken back after it was charged, to the credit that it came from. `returned` is the sum so far. */
export async function returnPrice(tx: Tx, task: Task, amount: Nano, reason: string): Promise<void> {
  const ref = `${task.id}:${addNano(task.returned, amount)}`
  await refundTransaction(tx, { userId: task.user_id, amount, kind: 'service.returned', ref, of: task.charge_id! })
  await undeliverOrder(tx, task.order_no!, amount, reason)
}
