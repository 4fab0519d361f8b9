import type { Db } from '#platform/server/database/db.ts'

/** Tables that would be sharded by account. */
const SPREAD_TABLES = [
  'gateway_calls',
  'gateway_usage',
  'gateway_unposted',
  'gateway_unsummed',
  'gateway_leases',
  'gateway_usage_days',
  'gateway_usage_hours',
  'wallet_accounts',
  'wallet_holds',
  'wallet_captures',
  'wallet_over_captures',
  'wallet_lots',
  'wallet_lot_uses',
  'wallet_transfers',
  'wallet_transactions',
]

export interface RecordedStatement {
  readonly text: string
  readonly calls: number
  readonly tables: readonly string[]
}

/** Lists statements of the call path that use a sharded table without naming an account, including statements inside functions. */
export async function listUnkeyedStatements(owner: Db): Promise<RecordedStatement[]> {
  const rows = await owner.query<{ query: string; calls: number }>(
    `select query, sum(calls)::int as calls from pg_stat_statements s join pg_database d on d.oid = s.dbid and d.datname = current_database()
     -- the ledger's functions run with their owner's rights; what a test asks itself is the owner's own statement
     where not (s.toplevel and s.userid = (select oid from pg_roles where rolname = current_user)) group by query`,
  )
  return rows
    .map(({ query, calls }) => ({ text: query.replace(/\s+/g, ' ').trim(), calls }))
    .map(({ text, calls }) => ({ text, calls, tables: findUnkeyedTables(text) }))
    .filter(({ tables }) => tables.length > 0)
    .toSorted((a, b) => b.calls - a.calls)
}

const REFERENCE = /\b(from|join|update|using|into|copy) (?:only )?([a-z_]+)(?: as)?(?: ([a-z_]+))?/gi
/** Keywords that may follow a table without an alias. */
const KEYWORDS = new Set(
  'where,set,on,using,order,limit,group,values,for,left,right,inner,cross,join,select,returning,union,window,having,offset,with,natural,as'.split(','),
)

/** Sharded tables that a statement uses without their account key; each is checked under its alias. */
export function findUnkeyedTables(text: string): string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(REFERENCE)) {
    const [whole, verb, table, word] = match as unknown as [string, string, string, string | undefined]
    if (!SPREAD_TABLES.includes(table)) continue
    const name = word === undefined || KEYWORDS.has(word.toLowerCase()) ? undefined : word
    const key = table === 'wallet_accounts' ? '(?:id|owner)' : '(?:debit_|credit_)?account_id'
    if (/into|copy/i.test(verb)) {
      const columns = /^[^(]*\(([^)]*)\)/.exec(text.slice(match.index + whole.length))?.[1] ?? ''
      if (!columns.split(',').some((column) => column.trim() === 'account_id')) found.add(table)
      continue
    }
    const column = name === undefined ? `(?<![.\\w])(?:${table}\\.)?${key}` : `\\b${name}\\.${key}`
    const isKeyed = new RegExp(`${column} (?:=|in\\b)|= ${column}\\b|\\([^()]*${column}[^()]*\\) (?:=|in\\b)`, 'i').test(text)
    if (!isKeyed) found.add(table)
  }
  return [...found]
}

/** The application's statements with the most time, for the calculation in docs/scale.md. */
export async function listCostliestStatements(db: Db): Promise<string[]> {
  const rows = await db.query<{ query: string; calls: number; ms: number; wal: number; rows: number }>(
    `select query, sum(calls)::int as calls, (sum(total_exec_time) / sum(calls))::float8 as ms, (sum(wal_bytes) / sum(calls))::float8 as wal, (sum(rows)::float8 / sum(calls)) as rows
     from pg_stat_statements s join pg_roles r on r.oid = s.userid where toplevel and r.rolname = 'mingxi_app' group by query order by sum(total_exec_time) desc limit 10`,
  )
  return rows.map((row) => `${row.calls} x ${row.ms.toFixed(2)} ms, ${row.wal.toFixed(0)} bytes of WAL: ${row.query.replace(/\s+/g, ' ').slice(0, 90)}`)
}

/**
 * Known statements without an account key, by prefix, with the reason why they need not query every machine during a call (docs/scale.md).
 */
export const KNOWN_UNKEYED: readonly (readonly [begins: string, why: string])[] = [
  ['with taken as ( delete from gateway_unposted where ctid', 'a job, not a call: each machine posts its own rows'],
  ['select max(account_id), count(*)', 'a job, not a call: each machine posts its own rows'],
  ['with taken as ( delete from gateway_unsummed where ctid', 'a job, not a call: each machine adds up its own rows'],
  ['insert into wallet_accounts', 'the directory: accounts are made and found by their owner'],
  ['select array_agg(id), array_agg(distinct account_id) from (select id, account_id from wallet_holds', 'a job, not a call: on each machine'],
  ['select c.call_id, c.lease_id', 'a job, not a call: on each machine'],
  ['select lease_id, account_id, node, is_awaited, is_due from (select l.lease_id', 'a job, not a call: on each machine'],
  ['delete from gateway_nodes', 'a job, not a call; nodes stay in one place'],
  ['insert into gateway_price_notices', 'a job, not a call: on each machine, of its own sums'],
  ['delete from gateway_takes', 'a job, not a call: on each machine'],
]

export const isKnownUnkeyed = (statement: RecordedStatement): boolean => KNOWN_UNKEYED.some(([begins]) => statement.text.startsWith(begins))
