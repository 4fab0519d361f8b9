import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Task } from '../kit/data.ts'
import type { ServicesEvidenceRow } from '../tables.ts'

/** Tasks waiting for an operator, oldest first; `late_told_at` marks those that wait too long. */
export async function selectDeskQueue(sql: Sql, filter: { service?: string; takenBy?: string; after?: string; limit: number }): Promise<Task[]> {
  return sql.query<Task>(
    `select *, clock_timestamp() as now from services_tasks where waits_for_person and ($1::text is null or service = $1)
      and ($2::text is null or taken_by = $2 and taken_until > clock_timestamp())
      and ($3::text is null or (started_at, id) > (select started_at, id from services_tasks where id = $3)) order by started_at, id limit $4`,
    [filter.service ?? null, filter.takenBy ?? null, filter.after ?? null, filter.limit],
  )
}

export interface QueueCount {
  readonly service: string
  readonly waiting: number
  readonly taken: number
  readonly late: number
}
export async function countDeskQueues(sql: Sql): Promise<QueueCount[]> {
  return sql.query<QueueCount>(
    `select service, count(*)::int as waiting, (count(*) filter (where taken_until > clock_timestamp()))::int as taken,
      (count(*) filter (where late_told_at is not null))::int as late from services_tasks where waits_for_person group by service order by service`,
  )
}

/** All tasks that wait too long for an operator or a supplier. */
export async function selectLateTasks(sql: Sql, limit: number): Promise<Task[]> {
  return sql.query<Task>(
    `select *, clock_timestamp() as now from services_tasks where late_told_at is not null and phase = 'waiting' order by entered_at limit $1`,
    [limit],
  )
}

/** Leases a task to an operator; undefined if another operator holds it or the task needs no operator. */
export async function leaseTask(
  tx: Tx,
  id: string,
  { operatorId, minutes }: { readonly operatorId: string; readonly minutes: number },
): Promise<Task | undefined> {
  return first(
    await tx.query<Task>(
      `update services_tasks set taken_by = $2, taken_until = clock_timestamp() + make_interval(mins => $3) where id = $1 and waits_for_person
        and (taken_by is null or taken_by = $2 or taken_until <= clock_timestamp()) returning *, clock_timestamp() as now`,
      [id, operatorId, minutes],
    ),
  )
}

export async function releaseTaskLease(tx: Tx, id: string): Promise<void> {
  await tx.query('update services_tasks set taken_by = null, taken_until = null where id = $1', [id])
}

export type EvidenceKind = 'note' | 'reference' | 'picture'
export async function insertEvidence(tx: Tx, evidence: { taskId: string; operatorId: string; kind: EvidenceKind; body: string }): Promise<void> {
  await tx.query('insert into services_evidence (task_id, operator_id, kind, body) values ($1,$2,$3,$4)', [
    evidence.taskId,
    evidence.operatorId,
    evidence.kind,
    evidence.body,
  ])
}

export type Evidence = Pick<ServicesEvidenceRow, 'at' | 'operatorId' | 'kind' | 'body'>
export async function selectTaskEvidence(sql: Sql, taskId: string): Promise<Evidence[]> {
  return sql.query<Evidence>('select at, operator_id, kind, body from services_evidence where task_id = $1 order by id', [taskId])
}
