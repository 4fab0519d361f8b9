import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { CallFilter, Cursor } from '../usage/data-calls.ts'
import type { RefusedBatch } from './recorder.ts'

/** Queries of refused calls. All of them filter by account and use its key: a month of an account is a few thousand rows at most. */

export interface RefusedRow {
  readonly id: string
  readonly at: Date
  readonly keyId: string
  readonly keyName: string
  readonly last4: string
  readonly vendor: string
  readonly cause: string
  readonly status: number
  readonly surface: 'openai' | 'anthropic' | 'gemini'
  readonly path: string
  readonly model: string
  readonly asked: string
  readonly message: string
  readonly field: string | null
  readonly totalMs: number
}

const MAX_MESSAGE_CHARS = 500
const MAX_NAME_CHARS = 120
/** PostgreSQL text cannot hold NUL. */
const truncate = (text: string, most: number) => text.replaceAll('\u0000', '').slice(0, most)

/** Inserts rows and counts in one statement, so that both become visible together. */
export async function insertRefused(sql: Sql, { rows, counts }: RefusedBatch): Promise<void> {
  const column = <T>(of: (row: RefusedBatch['rows'][number]) => T) => rows.map(of)
  await sql.query(
    `with kept as (
       insert into gateway_refused (account_id, at, id, key_id, cause, status, surface, path, model, asked, message, field, total_ms)
       select r.account_id, to_timestamp(r.at / 1000.0), r.id, r.key_id, r.cause, r.status, r.surface, r.path, r.model, r.asked, r.message, r.field, r.total_ms
       from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
         $12::text[], $13::int[]) as r (account_id, at, id, key_id, cause, status, surface, path, model, asked, message, field, total_ms)
       on conflict do nothing)
     insert into gateway_refused_hours as h (account_id, hour, key_id, model, calls, kept)
     select c.account_id, to_timestamp(c.hour / 1000.0), c.key_id, c.model, c.calls, c.kept
     from unnest($14::bigint[], $15::bigint[], $16::text[], $17::text[], $18::bigint[], $19::bigint[]) as c (account_id, hour, key_id, model, calls, kept)
     order by 1, 2, 3, 4
     on conflict (account_id, hour, key_id, model) do update set calls = h.calls + excluded.calls, kept = h.kept + excluded.kept`,
    [
      column((row) => row.accountId),
      column((row) => row.at),
      column((row) => row.requestId.replace(/^req_/, 'ref_')),
      column((row) => row.keyId),
      column((row) => row.cause),
      column((row) => row.status),
      column((row) => row.surface),
      column((row) => truncate(row.path, MAX_NAME_CHARS)),
      column((row) => row.model),
      column((row) => truncate(row.asked, MAX_NAME_CHARS)),
      column((row) => truncate(row.message, MAX_MESSAGE_CHARS)),
      column((row) => row.field ?? null),
      column((row) => row.totalMs),
      counts.map((count) => count.accountId),
      counts.map((count) => count.hour),
      counts.map((count) => count.keyId),
      counts.map((count) => count.model),
      counts.map((count) => count.calls),
      counts.map((count) => count.kept),
    ],
  )
}

const REFUSED_COLUMNS = `r.id, r.at, r.key_id, coalesce(k.name, '') as key_name, coalesce(k.last4, '----') as last4, coalesce(m.vendor, '') as vendor, r.cause, r.status,
  r.surface, r.path, r.model, r.asked, r.message, r.field, r.total_ms`
const NAMES = 'left join gateway_models m on m.model_id = r.model left join gateway_keys k on k.key_id = r.key_id'

/** Lists refused calls after the cursor, newest first. */
export function listRefused(
  sql: Sql,
  filter: CallFilter,
  { cursor, limit }: { readonly cursor: Cursor | undefined; readonly limit: number },
): Promise<RefusedRow[]> {
  const values: unknown[] = [filter.accountId, limit]
  const where = ['account_id = $1']
  if (filter.keyId) where.push(`key_id = $${values.push(filter.keyId)}`)
  if (filter.model) where.push(`model = $${values.push(filter.model)}`)
  if (filter.status) where.push(`status = $${values.push(filter.status)}`)
  if (filter.from) where.push(`at >= $${values.push(filter.from)}`)
  if (filter.before) where.push(`at < $${values.push(filter.before)}`)
  if (cursor) where.push(`(at, id) < ($${values.push(cursor.at)}, $${values.push(cursor.callId)})`)
  return sql.query<RefusedRow>(
    `select ${REFUSED_COLUMNS} from (select * from gateway_refused where ${where.join(' and ')} order by at desc, id desc limit $2) r ${NAMES}
     order by r.at desc, r.id desc`,
    values,
  )
}

/** Finds a refused call by id. The id contains its second, so only a minute around it is read by the account's key. */
export async function selectRefused(sql: Sql, accountId: bigint, id: string): Promise<RefusedRow | undefined> {
  const seconds = /^ref_([0-9a-f]{8})[0-9a-f]{16}$/.exec(id)?.[1]
  if (seconds === undefined) return undefined
  const at = new Date(Number.parseInt(seconds, 16) * 1000)
  return first(
    await sql.query<RefusedRow>(
      `select ${REFUSED_COLUMNS} from gateway_refused r ${NAMES}
       where r.account_id = $1 and r.at between $3::timestamptz - interval '1 minute' and $3::timestamptz + interval '1 minute' and r.id = $2`,
      [accountId, id, at],
    ),
  )
}

/** Limit on rows kept per account, however many its processes wrote. */
const MAX_ACCOUNT_ROWS = 10_000
/** Deletes refused calls older than a month, and those of an account beyond `MAX_ACCOUNT_ROWS`. */
export async function deleteOldRefused(sql: Sql): Promise<void> {
  await sql.query(`delete from gateway_refused where at < now() - interval '30 days'`)
  await sql.query(`delete from gateway_refused_hours where hour < now() - interval '30 days'`)
  await sql.query(
    `delete from gateway_refused r using (
       select a.account_id, (select at from gateway_refused x where x.account_id = a.account_id order by at desc offset $1 limit 1) as last
       from (select account_id from gateway_refused group by account_id having count(*) > $1) a) full_
     where r.account_id = full_.account_id and r.at <= full_.last`,
    [MAX_ACCOUNT_ROWS],
  )
}
