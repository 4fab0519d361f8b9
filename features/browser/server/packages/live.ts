import type { Sql } from '#platform/server/database/db.ts'
import { tasksOf } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'

export const PACKAGES = 'browser'

/** What is in use now, the one that ends last; `beside`: not this one. */
export async function livePackage(sql: Sql, userId: string, beside?: string): Promise<Task | undefined> {
  const live = (await tasksOf(sql, { userId, service: PACKAGES, phases: ['using'], limit: 20 })).filter(
    (task) => task.id !== beside && task.expires_at !== null && task.expires_at > task.now,
  )
  return live.sort((one, other) => other.expires_at!.getTime() - one.expires_at!.getTime())[0]
}
