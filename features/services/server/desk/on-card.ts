import type { Sql } from '#platform/server/database/db.ts'
import type { Task } from '../kit/data.ts'
import { specOf } from '../kit/registry.ts'
import type { OnCard } from '../kit/spec.ts'

/** Of those whose money is kept on a card, a question a service. */
export async function cardsOf(sql: Sql, tasks: readonly Task[]): Promise<ReadonlyMap<string, OnCard>> {
  const all = new Map<string, OnCard>()
  for (const [service, those] of Map.groupBy(tasks, (task) => task.service))
    for (const [id, card] of (await specOf(service).onCard?.(sql, those)) ?? []) all.set(id, card)
  return all
}
