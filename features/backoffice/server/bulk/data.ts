import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { BackofficeBulkRowsRow, BackofficeBulksRow } from '../tables.ts'

export type BulkState = 'running' | 'stopped' | 'done'
export interface BulkRow extends Omit<BackofficeBulksRow, 'terms'> {
  readonly terms: Readonly<Record<string, unknown>>
}
export interface BulkItem extends Omit<BackofficeBulkRowsRow, 'bulkId' | 'input'> {
  readonly input: Readonly<Record<string, unknown>>
}

export async function insertBulk(sql: Sql, made: Omit<BulkRow, 'state' | 'endedAt'>): Promise<void> {
  await sql.query(`insert into backoffice_bulks (id, kind, title, reason, level, terms, made_by, made_at, rows) values ($1,$2,$3,$4,$5,$6,$7,$8,$9)`, [
    ...[made.id, made.kind, made.title, made.reason, made.level],
    ...[JSON.stringify(made.terms), made.madeBy, made.madeAt, made.rows],
  ])
}

export async function insertItems(sql: Sql, bulkId: string, items: readonly Pick<BulkItem, 'unit' | 'subject' | 'input' | 'amountNano'>[]): Promise<void> {
  await sql.query(
    `insert into backoffice_bulk_rows (bulk_id, position, unit, subject, input, amount_nano)
      select $1, n, unit, subject, input, amount from unnest($2::text[], $3::text[], $4::jsonb[], $5::bigint[]) with ordinality as r (unit, subject, input, amount, n)`,
    [
      bulkId,
      items.map(({ unit }) => unit),
      items.map(({ subject }) => subject),
      items.map(({ input }) => JSON.stringify(input)),
      items.map(({ amountNano }) => amountNano),
    ],
  )
}

export async function findBulk(sql: Sql, id: string): Promise<BulkRow | undefined> {
  return first(await sql.query<BulkRow>('select * from backoffice_bulks where id = $1', [id]))
}

/** Locks a running bulk until the transaction ends, so stopping it waits for the unit in progress. */
export async function lockRunningBulk(sql: Sql, id: string): Promise<BulkRow | undefined> {
  return first(await sql.query<BulkRow>(`select * from backoffice_bulks where id = $1 and state = 'running' for share`, [id]))
}

export async function listRunningBulks(sql: Sql): Promise<string[]> {
  return (await sql.query<{ id: string }>(`select id from backoffice_bulks where state = 'running' order by id`)).map(({ id }) => id)
}

export async function moveBulk(
  sql: Sql,
  id: string,
  { from, to, endedAt = null }: { readonly from: BulkState; readonly to: BulkState; readonly endedAt?: Date | null },
): Promise<boolean> {
  return (
    (await sql.query('update backoffice_bulks set state = $3, ended_at = $4 where id = $1 and state = $2 returning id', [id, from, to, endedAt])).length === 1
  )
}

/** Marks the bulk as done if no rows are waiting. */
export async function endBulk(sql: Sql, id: string, now: Date): Promise<boolean> {
  const rows = await sql.query(
    `update backoffice_bulks set state = 'done', ended_at = $2 where id = $1 and state = 'running'
      and not exists (select from backoffice_bulk_rows where bulk_id = $1 and state = 'waiting') returning id`,
    [id, now],
  )
  return rows.length === 1
}

/** Name of a waiting unit that no other worker has locked. */
export async function findNextUnit(sql: Sql, id: string): Promise<string | undefined> {
  return first(
    await sql.query<{ unit: string }>(
      `select unit from backoffice_bulk_rows where bulk_id = $1 and state = 'waiting' order by unit limit 1 for update skip locked`,
      [id],
    ),
  )?.unit
}

/** Locks and returns the waiting rows of a unit. */
export function lockUnit(sql: Sql, id: string, unit: string): Promise<BulkItem[]> {
  return sql.query<BulkItem>(`select * from backoffice_bulk_rows where bulk_id = $1 and unit = $2 and state = 'waiting' order by position for update`, [
    id,
    unit,
  ])
}

export async function decideItems(
  sql: Sql,
  id: string,
  { positions, why, at }: { readonly positions: readonly number[]; readonly why: string | null; readonly at: Date },
): Promise<void> {
  if (!positions.length) return
  await sql.query(`update backoffice_bulk_rows set state = $3, why = $4, at = $5 where bulk_id = $1 and position = any($2::int[])`, [
    ...[id, positions, why === null ? 'done' : 'refused', why, at],
  ])
}

/** Subjects that any bulk has already processed. */
export async function listDoneSubjects(sql: Sql, subjects: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ subject: string }>(
    `select subject from backoffice_bulk_rows where subject = any($1) and state = 'done' and subject like 'call:%'`,
    [subjects],
  )
  return new Set(rows.map(({ subject }) => subject))
}

export interface BulkTally {
  readonly waiting: number
  readonly done: number
  readonly refused: number
  /** Total amount of the rows that are done. */
  readonly amount: Nano
}

export async function readBulkTally(sql: Sql, id: string): Promise<BulkTally> {
  const rows = await sql.query<{ state: keyof BulkTally; n: number; amount: bigint }>(
    `select state, count(*)::int as n, coalesce(sum(amount_nano), 0)::bigint as amount from backoffice_bulk_rows where bulk_id = $1 group by state`,
    [id],
  )
  const of = (state: string) => rows.find((row) => row.state === state)
  return { waiting: of('waiting')?.n ?? 0, done: of('done')?.n ?? 0, refused: of('refused')?.n ?? 0, amount: of('done')?.amount ?? 0n }
}

export function listBulkRefusals(sql: Sql, id: string): Promise<{ why: string; n: number }[]> {
  return sql.query(`select why, count(*)::int as n from backoffice_bulk_rows where bulk_id = $1 and state = 'refused' group by why order by n desc, why`, [id])
}

export function listBulks(sql: Sql, after: string | null, limit: number): Promise<BulkRow[]> {
  return sql.query<BulkRow>('select * from backoffice_bulks where ($1::text is null or id < $1) order by id desc limit $2', [after, limit])
}

export function listItems(
  sql: Sql,
  id: string,
  { state, after, limit }: { readonly state: string | null; readonly after: number; readonly limit: number },
): Promise<BulkItem[]> {
  return sql.query<BulkItem>(
    'select * from backoffice_bulk_rows where bulk_id = $1 and ($2::text is null or state = $2) and position > $3 order by position limit $4',
    [id, state, after, limit],
  )
}
