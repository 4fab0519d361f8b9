import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import { ACTOR_KINDS } from '#platform/server/database/transact.ts'
import { orderNewestFirst } from '../desk/keyset.ts'
import type { BackofficeRevealsRow } from '../tables.ts'

export interface AuditRow {
  readonly id: bigint
  readonly at: Date
  readonly actorKind: string
  readonly actorId: string
  readonly action: string
  readonly target: string
  readonly data: Record<string, unknown>
  readonly seq: bigint | null
  readonly hash: string | null
}

export interface AuditFilter {
  readonly actor?: string | undefined
  readonly target?: string | undefined
  readonly actions?: readonly string[] | undefined
  readonly except?: readonly string[] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly before?: bigint | undefined
  readonly limit: number
}

/** Builds a filter by action name or prefix that uses the index. Parameters are numbered from `used` on. */
function buildActionFilter(actions: readonly string[] | undefined, used: number): { readonly when: string; readonly values: readonly unknown[] } {
  if (!actions) return { when: 'true', values: [] }
  const begins = actions.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  const ranges = begins.map((_, n) => `(a.action >= $${used + 2 + n} and a.action < $${used + 2 + n} || chr(1114111))`)
  return { when: `(${[`a.action = any($${used + 1})`, ...ranges].join(' or ')})`, values: [actions.filter((name) => !name.endsWith('*')), ...begins] }
}

/** Audit rows, newest first. An action may end with `*`. */
export async function listAuditRows(sql: Sql, filter: AuditFilter): Promise<AuditRow[]> {
  const wanted = buildActionFilter(filter.actions, 8)
  const like = (names: readonly string[] | undefined) => names?.map((name) => name.replaceAll(/[\\%_]/g, String.raw`\$&`).replace(/\*$/, '%')) ?? null
  return sql.query<AuditRow>(
    `select a.*, c.seq, encode(c.hash, 'hex') as hash from audit_rows a left join audit_chain c on c.audit_id = a.id
      where ($1::text is null or a.actor_kind = any($8) and a.actor_id = $1) and ($2::text is null or a.target = $2) and ${wanted.when}
        and ($3::text[] is null or not a.action like any($3)) and ($4::timestamptz is null or a.at >= $4) and ($5::timestamptz is null or a.at < $5)
        and ($6::bigint is null or a.id < $6) order by ${orderNewestFirst('a.id', filter.from, filter.to)} limit $7`,
    [
      filter.actor ?? null,
      filter.target ?? null,
      like(filter.except),
      filter.from ?? null,
      filter.to ?? null,
      filter.before ?? null,
      filter.limit,
      ACTOR_KINDS,
      ...wanted.values,
    ],
  )
}

/** Links of the chain after `seq` with their rows, oldest first; days are in Shanghai time, both included. */
export async function listChainedRows(
  sql: Sql,
  from: string,
  { to, afterSeq, limit }: { readonly to: string; readonly afterSeq: bigint; readonly limit: number },
): Promise<AuditRow[]> {
  return sql.query<AuditRow>(
    `select a.*, c.seq, encode(c.hash, 'hex') as hash from audit_chain c join audit_rows a on a.id = c.audit_id
      where c.seq > $3 and a.at >= ($1::date)::timestamp at time zone 'Asia/Shanghai' and a.at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai'
      order by c.seq limit $4`,
    [from, to, afterSeq, limit],
  )
}

/** Head of the chain as `seq:hash`; `0:` and zeros before the first link. */
export async function findChainHead(sql: Sql): Promise<string> {
  const row = first(await sql.query<{ head: string }>(`select seq || ':' || encode(hash, 'hex') as head from audit_chain order by seq desc limit 1`))
  return row?.head ?? `0:${'0'.repeat(64)}`
}

export async function findChainHash(sql: Sql, seq: bigint): Promise<string | undefined> {
  return first(await sql.query<{ hash: string }>(`select encode(hash, 'hex') as hash from audit_chain where seq = $1`, [seq]))?.hash
}

export interface ChainDiscrepancy {
  readonly seq: bigint
  readonly auditId: bigint
  readonly what: 'deleted' | 'changed' | 'gap' | 'unchained'
}

/** Recomputes every link from its row and the previous link, and finds operators' rows without a link. */
export async function listChainDiscrepancies(sql: Sql): Promise<{ rows: number; faults: ChainDiscrepancy[] }> {
  const faults = await sql.query<ChainDiscrepancy>(
    `with links as (select c.seq, c.audit_id, c.hash, lag(c.hash) over w as prev, lag(c.seq) over w as prev_seq from audit_chain c window w as (order by c.seq))
    select l.seq, l.audit_id, case when a.id is null then 'deleted' when l.seq <> coalesce(l.prev_seq, 0) + 1 then 'gap' else 'changed' end as what
      from links l left join audit_rows a on a.id = l.audit_id
      where a.id is null or l.seq <> coalesce(l.prev_seq, 0) + 1 or l.hash <> audit_hash(coalesce(l.prev, ''::bytea), a)
    union all
    select 0::bigint, a.id, 'unchained' from audit_rows a, audit_chain_start s
      where a.actor_kind = 'operator' and a.id > s.audit_id and not exists (select from audit_chain c where c.audit_id = a.id)
    order by 2 limit 1000`,
  )
  const [{ n } = { n: 0 }] = await sql.query<{ n: number }>('select count(*)::int as n from audit_chain')
  return { rows: n, faults }
}

export interface NewReveal extends Pick<BackofficeRevealsRow, 'operatorId' | 'userId' | 'reason' | 'at'> {
  /** `account`: a view, which shows both contacts. */
  readonly what: 'email' | 'mobile' | 'account'
}

export async function insertReveal(sql: Sql, made: NewReveal): Promise<void> {
  await sql.query('insert into backoffice_reveals (operator_id, user_id, what, reason, at) values ($1,$2,$3,$4,$5)', [
    made.operatorId,
    made.userId,
    made.what,
    made.reason,
    made.at,
  ])
}

/** Counts reveals since midnight in Shanghai. The operator's row must be locked, so that concurrent reveals are all counted. */
export async function countRevealsToday(sql: Sql, operatorId: string, now: Date): Promise<number> {
  const rows = await sql.query<{ n: number }>(
    `select count(*)::int as n from backoffice_reveals where operator_id = $1
      and at >= date_trunc('day', $2::timestamptz at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`,
    [operatorId, now],
  )
  return rows[0]!.n
}

/** Number of operators' rows on a day in Shanghai time. */
export async function countRowsOfDay(sql: Sql, day: string): Promise<number> {
  const rows = await sql.query<{ n: number }>(
    `select count(*)::int as n from audit_rows where actor_kind = 'operator' and at >= ($1::date)::timestamp at time zone 'Asia/Shanghai'
      and at < ($1::date + 1)::timestamp at time zone 'Asia/Shanghai'`,
    [day],
  )
  return rows[0]!.n
}
