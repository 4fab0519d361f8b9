import type { Sql } from '#platform/server/database/db.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { selectTasks } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { PackageInfo } from '../../contract.ts'

export const PACKAGE_SERVICE = 'browser'

/** Finds the user's task in use that ends last, by the database clock; `beside` is excluded. */
export async function findLivePackage(sql: Sql, userId: string, beside?: string): Promise<Task | undefined> {
  return pickLivePackage(await selectTasks(sql, { userId, service: PACKAGE_SERVICE, phases: ['using'], limit: 20 }), beside)
}

function pickLivePackage(tasks: readonly Task[], beside?: string): Task | undefined {
  const live = tasks.filter((task) => task.phase === 'using' && task.id !== beside && task.expiresAt !== null && task.expiresAt > task.now)
  return live.toSorted((one, other) => other.expiresAt!.getTime() - one.expiresAt!.getTime())[0]
}

/** The package in use, or else the state of the newest task. Both come from one query, because two could straddle the start of a task. */
export async function readPackageState(sql: Sql, userId: string): Promise<{ readonly live: Task | undefined; readonly last: PackageInfo['last'] }> {
  const tasks = await selectTasks(sql, { userId, service: PACKAGE_SERVICE, limit: 20 })
  const live = pickLivePackage(tasks)
  return { live, last: live ? null : pickLastPackage(tasks) }
}

const STATES = { making: 'making', using: 'ended', ended: 'ended', failed: 'failed' } as const

/** The task that waits to begin, or else the newest ended or failed one. Excludes tasks that a later package extends. */
function pickLastPackage(tasks: readonly Task[]): PackageInfo['last'] {
  const told = tasks.filter(({ state, cause }) => state in STATES && cause !== 'joined')
  const task = told.find(({ phase }) => phase === 'waiting') ?? told[0]
  if (!task) return null
  const { product, amount, createdAt, expiresAt, finishedAt } = task
  const state = STATES[task.state as keyof typeof STATES]
  // The time ends when it expires, even if that is recorded later
  const time = expiresAt && (!finishedAt || finishedAt > expiresAt) ? expiresAt : (finishedAt ?? createdAt)
  return { kind: product as 'trial' | 'package' | 'single', state, time: time.toISOString(), amount: formatUsd(amount) }
}
