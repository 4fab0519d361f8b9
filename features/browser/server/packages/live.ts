import type { Sql } from '#platform/server/database/db.ts'
import { usd } from '#platform/shared/money.ts'
import { tasksOf } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { PackageInfo } from '../../contract.ts'

export const PACKAGES = 'browser'

/** The task in use at the time of the rows' own clock, the one that ends last; `beside`: not this one. */
export async function livePackage(sql: Sql, userId: string, beside?: string): Promise<Task | undefined> {
  return liveIn(await tasksOf(sql, { userId, service: PACKAGES, phases: ['using'], limit: 20 }), beside)
}

function liveIn(tasks: readonly Task[], beside?: string): Task | undefined {
  const live = tasks.filter((task) => task.phase === 'using' && task.id !== beside && task.expires_at !== null && task.expires_at > task.now)
  return live.toSorted((one, other) => other.expires_at!.getTime() - one.expires_at!.getTime())[0]
}

/** What is in use and, if nothing is, how the newest task stands: from one reading, for two readings can straddle the moment that one begins. */
export async function packageState(sql: Sql, userId: string): Promise<{ readonly live: Task | undefined; readonly last: PackageInfo['last'] }> {
  const tasks = await tasksOf(sql, { userId, service: PACKAGES, limit: 20 })
  const live = liveIn(tasks)
  return { live, last: live ? null : lastIn(tasks) }
}

const STATES = { making: 'making', using: 'ended', ended: 'ended', failed: 'failed' } as const

/** What waits to begin, else the newest that ended or failed. One that a later package joined is left out. */
function lastIn(tasks: readonly Task[]): PackageInfo['last'] {
  const told = tasks.filter(({ state, cause }) => state in STATES && cause !== 'joined')
  const task = told.find(({ phase }) => phase === 'waiting') ?? told[0]
  if (!task) return null
  const { product, amount, created_at: createdAt, expires_at: expiresAt, finished_at: finishedAt } = task
  const state = STATES[task.state as keyof typeof STATES]
  // Its time is over the moment that it ends, whenever that is noted
  const time = expiresAt && (!finishedAt || finishedAt > expiresAt) ? expiresAt : (finishedAt ?? createdAt)
  return { kind: product as 'trial' | 'package' | 'single', state, time: time.toISOString(), amount: usd(amount) }
}
