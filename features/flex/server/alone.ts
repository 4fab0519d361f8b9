import type { Sql } from '#platform/server/database/db.ts'
import { accountsOfPerson, MOST_ACCOUNTS } from '#features/risk/server/door.ts'
import { tasksOf } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import { packageOf, renews } from '../packages.ts'
import type { Package } from '../packages.ts'

interface Asking {
  readonly userId: string
  /** The order that asks, where it has begun itself. */
  readonly id?: string
}

/** Subscriptions on the platforms of a package that are used or being set up, newest first. What adds time to one counts as none. */
export async function onPlatforms(sql: Sql, { userId, id }: Asking, wanted: Package): Promise<Task[]> {
  const live = await tasksOf(sql, { userId, service: 'flex', phases: ['waiting', 'using'], limit: 100 })
  const platforms = wanted.seats.map(({ platform }) => platform)
  const isThere = (task: Task) => packageOf(Number(task.product))?.seats.some(({ platform }) => platforms.includes(platform)) ?? false
  return live.filter((task) => task.id !== id && !task.facts['extends'] && isThere(task))
}

/** What stands in the way of it: another kind, or the same one that is not there yet. */
export const inTheWay = (there: readonly Task[], wanted: Package): Task | undefined =>
  there.find((task) => task.phase === 'waiting' || !renews(wanted, Number(task.product)))

/** Paid for one and got it, or is about to, on whichever account of theirs: a code's discount is for a person's first one. */
export async function hasBought(sql: Sql, { userId, id }: Asking): Promise<boolean> {
  const accounts = await accountsOfPerson(sql, userId)
  if (accounts.length > MOST_ACCOUNTS) return true
  for (const account of accounts) {
    const all = await tasksOf(sql, { userId: account, service: 'flex', phases: ['waiting', 'using', 'done'], limit: 200 })
    if (all.some((task) => task.id !== id && task.money !== 'none')) return true
  }
  return false
}
