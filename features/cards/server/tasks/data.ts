import { toColumnName } from '#platform/server/database/column-names.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { CardsTaskHoldsRow } from '../tables.ts'

/** A sum kept on a card for one task. Every change requires the lock of its card. */
export type TaskHold = CardsTaskHoldsRow

export interface NewTaskHold extends Pick<CardsTaskHoldsRow, 'cardId' | 'name' | 'amount' | 'merchants'> {
  /** Id of the task. */
  readonly id: string
  /** Id of the hold in the ledger. */
  readonly holdId: string
}

export async function insertTaskHold(tx: Tx, { id, cardId, name, amount, merchants, holdId }: NewTaskHold): Promise<TaskHold> {
  const [row] = await tx.query<TaskHold>(
    'insert into cards_task_holds (id, card_id, name, amount, left_nano, merchants, hold_id, holds) values ($1,$2,$3,$4,$4,$5,$6,1) returning *',
    [id, cardId, name, amount, merchants, holdId],
  )
  return row!
}

/**
 * Sums taken or still held by merchants from kept sums, by task; for a supplier's delivery, the sum charged by us. Excludes releases
 * by a merchant, however late.
 */
export async function selectTakenByTask(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, Nano>> {
  const rows = await sql.query<{ id: string; taken: Nano }>(
    `select h.id, case when h.outcome = 'charged' then h.used else coalesce((
      select sum(case when a.id is null then u.amount else least(u.amount, a.held + (
        select coalesce(sum(t.amount + t.fee), 0) from cards_transactions t where t.authorization_id = a.id and t.kind = 'capture')) end)
      from cards_task_uses u left join cards_authorizations a on a.id = u.ref where u.hold_id = h.id), 0)::bigint end as taken
    from cards_task_holds h where h.id = any($1)`,
    [ids],
  )
  return new Map(rows.map(({ id, taken }) => [id, taken]))
}

export async function selectTaskHold(sql: Sql, id: string): Promise<TaskHold | undefined> {
  return first(await sql.query<TaskHold>('select * from cards_task_holds where id = $1', [id]))
}

/** Sums still kept for tasks, by card. */
export async function selectHeldByCard(sql: Sql, cardIds: readonly string[]): Promise<ReadonlyMap<string, Nano>> {
  const rows = await sql.query<{ cardId: string; kept: Nano }>(
    'select card_id, sum(left_nano)::bigint as kept from cards_task_holds where card_id = any($1) and closed_at is null group by card_id',
    [cardIds],
  )
  return new Map(rows.map(({ cardId: id, kept }) => [id, kept]))
}

/** The oldest kept sum that this merchant may spend now. */
export async function selectArmedHold(sql: Sql, cardId: string, merchant: string): Promise<TaskHold | undefined> {
  return first(
    await sql.query<TaskHold>(
      `select * from cards_task_holds where card_id = $1 and closed_at is null and armed_at is not null and left_nano > 0
        and exists (select 1 from unnest(merchants) begins where starts_with(upper($2), upper(begins))) order by created_at, id limit 1`,
      [cardId, merchant],
      'cards.task-armed',
    ),
  )
}

export type TaskHoldChange = Partial<Pick<TaskHold, 'leftNano' | 'used' | 'holdId' | 'holds' | 'armedAt' | 'closedAt' | 'outcome'>>

export async function changeTaskHold(tx: Tx, id: string, change: TaskHoldChange): Promise<TaskHold> {
  const columns = Object.keys(change).map(toColumnName)
  const [row] = await tx.query<TaskHold>(
    `update cards_task_holds set ${columns.map((column, n) => `${column} = $${n + 2}`).join(', ')} where id = $1 returning *`,
    [id, ...Object.values(change)],
  )
  return row!
}

export async function addTaskUse(tx: Tx, holdId: string, { ref, amount }: { readonly ref: string; readonly amount: Nano }): Promise<void> {
  await tx.query(
    `insert into cards_task_uses as u (hold_id, ref, amount) values ($1,$2,$3) on conflict (hold_id, ref) do update set amount = u.amount + excluded.amount`,
    [holdId, ref, amount],
  )
}

export interface TaskUse {
  readonly holdId: string
  readonly amount: Nano
}
/** Uses of kept sums by an authorisation that it still holds, latest first. */
export async function selectTaskUses(sql: Sql, ref: string): Promise<TaskUse[]> {
  return sql.query<TaskUse>('select hold_id, amount from cards_task_uses where ref = $1 and amount > 0 order by at desc, hold_id', [ref], 'cards.task-uses')
}

export async function reduceTaskUse(tx: Tx, holdId: string, { ref, by }: { readonly ref: string; readonly by: Nano }): Promise<void> {
  await tx.query('update cards_task_uses set amount = amount - $3 where hold_id = $1 and ref = $2', [holdId, ref, by])
}
