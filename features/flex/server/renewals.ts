import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { minus, shareOf, wholeCents } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { moveTask, tasksOf } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'

/** The subscription that this one adds time to. */
export const mainOf = ({ facts }: Task): string | undefined => facts['extends'] as string | undefined

/** Refunds renewals of a subscription whose account was lost, by the same share as the subscription itself: their days come last. */
export async function returnRenewals(deps: Deps, tx: Tx, main: Task): Promise<void> {
  if (main.cause !== 'account_lost') return
  const done = await tasksOf(tx, { userId: main.user_id, service: 'flex', phases: ['done'], limit: 200 })
  for (const { id, charged, returned, state } of done.filter((task) => mainOf(task) === main.id)) {
    const giveBack = leftOf({ ...main, charged: minus(charged, returned) })
    if (state === 'extended' && giveBack > 0n) await moveTask(deps, tx, id, ['extended'], { to: 'extended', giveBack, note: 'account_lost' })
  }
}

/** Refund in whole cents for the unused share of the time. */
export function leftOf(task: Pick<Task, 'charged' | 'delivered_at' | 'expires_at' | 'now'>): Nano {
  if (!task.delivered_at || !task.expires_at || task.charged === 0n) return 0n
  const all = BigInt(task.expires_at.getTime() - task.delivered_at.getTime())
  const left = BigInt(Math.max(0, task.expires_at.getTime() - task.now.getTime()))
  return wholeCents(shareOf(task.charged, left, all))
}
