import type { Sql } from '#platform/server/database/db.ts'
import { selectAccountsOfPerson } from '#features/risk/server/door.ts'
import { selectTasks } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import { findFlexPackage, isPackageRenewal } from '../packages.ts'
import type { FlexPackage } from '../packages.ts'

interface PlatformQuery {
  readonly userId: string
  /** The task itself, once it has begun; excluded from the result. */
  readonly id?: string
}

/** Subscriptions on the package's platforms, in use or being set up, newest first. Excludes orders that only add time. */
export async function listPlatformTasks(sql: Sql, { userId, id }: PlatformQuery, wanted: FlexPackage): Promise<Task[]> {
  const live = await selectTasks(sql, { userId, service: 'flex', phases: ['waiting', 'using'], limit: 100 })
  const platforms = wanted.seats.map(({ platform }) => platform)
  const isThere = (task: Task) => findFlexPackage(Number(task.product))?.seats.some(({ platform }) => platforms.includes(platform)) ?? false
  return live.filter((task) => task.id !== id && !task.facts['extends'] && isThere(task))
}

/** The task that rules out the order: another package on the platform, or the same one still being set up. */
export const findBlockingTask = (there: readonly Task[], wanted: FlexPackage): Task | undefined =>
  there.find((task) => task.phase === 'waiting' || !isPackageRenewal(wanted, Number(task.product)))

/** True if the person has paid for a subscription on any of their accounts, set up or not: a code's discount applies to a person's first one only. */
export async function hasBought(sql: Sql, { userId, id }: PlatformQuery): Promise<boolean> {
  const accounts = await selectAccountsOfPerson(sql, userId)
  if (accounts === 'crowd') return true
  for (const account of accounts) {
    const all = await selectTasks(sql, { userId: account, service: 'flex', phases: ['waiting', 'using', 'done'], limit: 200 })
    if (all.some((task) => task.id !== id && task.money !== 'none')) return true
  }
  return false
}
