import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { TaskPhase, TaskMoney } from '../../words.ts'
import { insertStep } from './data-steps.ts'

/** One thing ordered or used. `now` is the database's clock. */
export interface Task {
  readonly id: string
  readonly service: string
  readonly userId: string
  readonly orderNo: string | null
  readonly product: string
  readonly state: string
  readonly phase: TaskPhase
  readonly cause: string
  readonly amount: Nano
  readonly money: TaskMoney
  readonly charged: Nano
  /** The ledger's transaction of the charge. */
  readonly chargeId: bigint | null
  readonly returned: Nano
  readonly free: 'no' | 'taken' | 'back'
  /** Period to which the free use belongs. */
  readonly freePeriod: string | null
  readonly facts: Readonly<Record<string, unknown>>
  readonly supplier: string
  readonly supplierRef: string | null
  readonly atSupplier: boolean
  readonly takenBy: string | null
  readonly takenUntil: Date | null
  readonly waitsForPerson: boolean
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly enteredAt: Date
  readonly deadlineAt: Date | null
  readonly deliveredAt: Date | null
  readonly expiresAt: Date | null
  readonly finishedAt: Date | null
  readonly checks: number
  readonly lateToldAt: Date | null
  readonly now: Date
}
const ALL = '*, clock_timestamp() as now'

export interface NewTask {
  readonly id: string
  readonly service: string
  readonly userId: string
  readonly product: string
  readonly amount: Nano
  readonly facts: Readonly<Record<string, unknown>>
  /** Seconds until the draft is checked. */
  readonly seconds: number
}

export async function insertTask(tx: Tx, task: NewTask): Promise<Task> {
  const [row] = await tx.query<Task>(
    `insert into services_tasks (id, service, user_id, product, state, phase, amount, facts, next_check_at)
    values ($1,$2,$3,$4,'draft','draft',$5,$6, clock_timestamp() + make_interval(secs => $7)) returning ${ALL}`,
    [task.id, task.service, task.userId, task.product, task.amount, JSON.stringify(task.facts), task.seconds],
  )
  await insertStep(tx, task.id, { from: null, to: 'draft' })
  return row!
}

export async function selectTask(sql: Sql, id: string, userId?: string): Promise<Task | undefined> {
  return first(await sql.query<Task>(`select ${ALL} from services_tasks where id = $1 and ($2::text is null or user_id = $2)`, [id, userId ?? null]))
}

export async function lockTask(tx: Tx, id: string): Promise<Task | undefined> {
  return first(await tx.query<Task>(`select ${ALL} from services_tasks where id = $1 for update`, [id]))
}

export interface TaskChange {
  readonly state: string
  readonly phase: TaskPhase
  readonly cause: string
  readonly money: TaskMoney
  readonly charged: Nano
  readonly chargeId: bigint | null
  readonly returned: Nano
  readonly free: Task['free']
  readonly freePeriod: string | null
  readonly facts: Readonly<Record<string, unknown>>
  readonly orderNo: string | null
  readonly supplier: string
  readonly supplierRef: string | null
  readonly waitsForPerson: boolean
  readonly deadlineSeconds: number | null
  readonly expiresAt: Date | null
  /** Seconds until the next check; null if nothing is left to do. */
  readonly checkSeconds: number | null
}

/** Changes the state or the fields of a task. The task must be locked. */
export async function changeTask(tx: Tx, task: Task, to: TaskChange): Promise<Task> {
  const [row] = await tx.query<Task>(
    `update services_tasks set state = $2, phase = $3, cause = $4, money = $5, charged = $6, returned = $7, free = $8, facts = $9, order_no = $10,
      supplier = $11, supplier_ref = $12, waits_for_person = $13, deadline_at = clock_timestamp() + make_interval(secs => $14), expires_at = $15,
      next_check_at = clock_timestamp() + make_interval(secs => $16), checks = 0, entered_at = clock_timestamp(), late_told_at = null,
      taken_by = case when $13 then taken_by end, taken_until = case when $13 then taken_until end,
      started_at = coalesce(started_at, case when $3 <> 'draft' then clock_timestamp() end),
      delivered_at = coalesce(delivered_at, case when $3 in ('using','done') then clock_timestamp() end),
      finished_at = case when $3 in ('done','failed') then coalesce(finished_at, clock_timestamp()) end, free_period = $17,
      charge_id = $18
    where id = $1 returning ${ALL}`,
    [
      task.id,
      to.state,
      to.phase,
      to.cause,
      to.money,
      to.charged,
      to.returned,
      to.free,
      JSON.stringify(to.facts),
      to.orderNo,
      to.supplier,
      to.supplierRef,
      to.waitsForPerson,
      to.deadlineSeconds,
      to.expiresAt,
      to.checkSeconds,
      to.freePeriod,
      to.chargeId,
    ],
  )
  return row!
}

/** Claims due tasks and postpones each by half a minute, so a crashed process only delays them. */
export async function claimDueTasks(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update services_tasks set next_check_at = clock_timestamp() + interval '30 seconds', checks = checks + 1 where id in (
      select id from services_tasks where next_check_at <= clock_timestamp() order by next_check_at limit $1 for update skip locked) returning id`,
    [limit],
    'services.due',
  )
  return rows.map(({ id }) => id)
}

export async function scheduleTask(sql: Sql, id: string, { state, seconds }: { readonly state: string; readonly seconds: number | null }): Promise<void> {
  await sql.query(
    `update services_tasks set next_check_at = clock_timestamp() + make_interval(secs => $3)
      where id = $1 and state = $2 and ($3::float8 is not null or phase in ('done','failed'))`,
    [id, state, seconds],
  )
}

/** Marks that nothing of the task is left at the supplier. */
export async function clearAtSupplier(sql: Sql, id: string): Promise<void> {
  await sql.query(`update services_tasks set at_supplier = false, next_check_at = null where id = $1 and phase in ('done','failed')`, [id])
}

/** Marks a state as late; returns true the first time only. */
export async function markTaskLate(sql: Sql, id: string, state: string): Promise<boolean> {
  return (
    (
      await sql.query(`update services_tasks set late_told_at = clock_timestamp() where id = $1 and state = $2 and late_told_at is null returning 1 as told`, [
        id,
        state,
      ])
    ).length > 0
  )
}

/** Number of a user's live tasks of a service; drafts do not count. */
export async function countLiveTasks(sql: Sql, userId: string, service: string): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(
    `select count(*) as n from services_tasks where user_id = $1 and service = $2 and phase in ('waiting','using')`,
    [userId, service],
  )
  return Number(row!.n)
}

/** A user's drafts of a service, except for the newest ones. */
export async function selectOlderDrafts(
  sql: Sql,
  userId: string,
  { service, newest }: { readonly service: string; readonly newest: number },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from services_tasks where user_id = $1 and service = $2 and phase = 'draft' order by created_at desc, id desc offset $3`,
    [userId, service, newest],
  )
  return rows.map(({ id }) => id)
}

/** Deletes personal facts of a user who closed the account. */
export async function deleteTaskFacts(
  sql: Sql,
  userId: string,
  { service, names }: { readonly service: string; readonly names: readonly string[] },
): Promise<void> {
  await sql.query('update services_tasks set facts = facts - $3::text[] where user_id = $1 and service = $2', [userId, service, names])
}

/** Serializes concurrent starts of a user's tasks of one service. */
export async function lockBeginnings(tx: Tx, userId: string, service: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('services.begin:' || $1 || ':' || $2, 0))`, [userId, service])
}

/** Selects a user's tasks, newest first. */
export interface TaskFilter {
  readonly userId: string
  readonly service?: string
  readonly phases?: readonly TaskPhase[]
  readonly limit: number
  readonly offset?: number
}
export async function selectTasks(sql: Sql, { userId, service, phases, limit, offset = 0 }: TaskFilter): Promise<Task[]> {
  return sql.query<Task>(
    `select ${ALL} from services_tasks where user_id = $1 and ($2::text is null or service = $2) and ($3::text[] is null and phase <> 'draft' or phase = any($3))
      order by created_at desc, id desc limit $4 offset $5`,
    [userId, service ?? null, phases ?? null, limit, offset],
  )
}

export async function countTasks(sql: Sql, { userId, service, phases }: Omit<TaskFilter, 'limit'>): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(
    `select count(*) as n from services_tasks where user_id = $1 and ($2::text is null or service = $2) and ($3::text[] is null and phase <> 'draft' or phase = any($3))`,
    [userId, service ?? null, phases ?? null],
  )
  return Number(row!.n)
}
