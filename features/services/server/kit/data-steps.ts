import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { ServicesStepsRow } from '../tables.ts'

/** The states that a task went through, and who moved it. */

export async function insertStep(
  tx: Tx,
  id: string,
  { from, to, told = {} }: { readonly from: string | null; readonly to: string; readonly told?: { cause?: string; note?: string } },
): Promise<void> {
  await tx.query('insert into services_steps (task_id, from_state, to_state, cause, actor, note) values ($1,$2,$3,$4,$5,$6)', [
    id,
    from,
    to,
    told.cause ?? '',
    `${tx.actor.kind}:${tx.actor.id}`,
    told.note ?? '',
  ])
}

export type TaskStep = Pick<ServicesStepsRow, 'at' | 'fromState' | 'toState' | 'cause' | 'actor' | 'note'>
export async function selectSteps(sql: Sql, id: string): Promise<TaskStep[]> {
  return sql.query<TaskStep>('select at, from_state, to_state, cause, actor, note from services_steps where task_id = $1 order by id', [id])
}

export async function selectStepsOfTasks(sql: Sql, ids: readonly string[]): Promise<(TaskStep & { readonly taskId: string })[]> {
  return sql.query('select task_id, at, from_state, to_state, cause, actor, note from services_steps where task_id = any($1) order by id', [ids])
}
