import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { subtractNano, computePartShare, floorToCents } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { moveTask, selectTasks } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'

/** The subscription that this one adds time to. */
export const readExtendedTaskId = ({ facts }: Task): string | undefined => facts['extends'] as string | undefined

/** Refunds renewals of a subscription whose account was lost, by the same share as the subscription itself: their days come last. */
export async function refundRenewals(deps: Deps, tx: Tx, main: Task): Promise<void> {
  if (main.cause !== 'account_lost') return
  const done = await selectTasks(tx, { userId: main.user_id, service: 'flex', phases: ['done'], limit: 200 })
  for (const { id, charged, returned, state } of done.filter((task) => readExtendedTaskId(task) === main.id)) {
    const giveBack = computeUnusedRefund({ ...main, charged: subtractNano(charged, returned) })
    if (state === 'extended' && giveBack > 0n) await moveTask(deps, tx, id, ['extended'], { to: 'extended', giveBack, note: 'account_lost' })
  }
}

/** Refund in whole cents for the unused share of the time. */
export function computeUnusedRefund(task: Pick<Task, 'charged' | 'delivered_at' | 'expires_at' | 'now'>): Nano {
  if (!task.delivered_at || !task.expires_at || task.charged === 0n) return 0n
  const all = BigInt(task.expires_at.getTime() - task.delivered_at.getTime())
  const left = BigInt(Math.max(0, task.expires_at.getTime() - task.now.getTime()))
  return floorToCents(computePartShare(task.charged, left, all))
}
