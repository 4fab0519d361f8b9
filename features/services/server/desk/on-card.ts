import type { Sql } from '#platform/server/database/db.ts'
import type { Task } from '../kit/data.ts'
import { requireServiceSpec } from '../kit/registry.ts'
import type { TaskCardFacts } from '../kit/spec.ts'

/** Selects the card facts of tasks that are paid on a card, with one query per service. */
export async function selectTaskCards(sql: Sql, tasks: readonly Task[]): Promise<ReadonlyMap<string, TaskCardFacts>> {
  const all = new Map<string, TaskCardFacts>()
  for (const [service, those] of Map.groupBy(tasks, (task) => task.service))
    for (const [id, card] of (await requireServiceSpec(service).onCard?.(sql, those)) ?? []) all.set(id, card)
  return all
}
