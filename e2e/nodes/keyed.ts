import type { Db } from '#platform/server/db.ts'

/** Tables that would be spread over machines by account. */
const SPREAD = [
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
  'wallet_lots',
  'wallet_lot_uses',
  'wallet_transfers',
  'wallet_transactions',
]

export interface Statement {
  readonly text: string
  readonly calls: number
  readonly tables: readonly string[]
}

/** Statements of the call path that touch a spread table, those inside functions too, and do not name an account. */
export async function unkeyed(owner: Db): Promise<Statement[]> {
  const rows = await owner.query<{ query: string; calls: number }>(
    `select query, sum(calls)::int as calls from pg_stat_statements s join pg_database d on d.oid = s.dbid and d.datname = current_database()
     -- the ledger's functions run with their owner's rights; what a test asks itself is the owner's own statement
     where not (s.toplevel and s.userid = (select oid from pg_roles where rolname = current_user)) group by query`,
  )
  return rows
    .map(({ query, calls }) => ({ text: query.replace(/\s+/g, ' ').trim(), calls }))
    .map(({ text, calls }) => ({ text, calls, tables: SPREAD.filter((table) => new RegExp(`\\b(from|into|update|join|copy) ${table}\\b`).test(text)) }))
    .filter(({ text, tables }) => tables.length > 0 && !tables.every((table) => isKeyed(text, table)))
    .toSorted((a, b) => b.calls - a.calls)
}

/** An insert with the column, or a condition on it; an account's own row goes by its id. */
function isKeyed(text: string, table: string): boolean {
  if (table === 'wallet_accounts') return /\bid = |\bid in |owner = /.test(text)
  return (
    /\baccount_id (=|in|is)|\([^()]*account_id[^()]*\) (=|in|is|select|values)/.test(text) ||
    new RegExp(`(insert into|copy) ${table}( as \\w+)? \\([^)]*account_id`).test(text)
  )
}

/** What the application's own statements took: for the arithmetic of docs/scale.md. */
export async function dearest(db: Db): Promise<string[]> {
  const rows = await db.query<{ query: string; calls: number; ms: number; wal: number; rows: number }>(
    `select query, sum(calls)::int as calls, (sum(total_exec_time) / sum(calls))::float8 as ms, (sum(wal_bytes) / sum(calls))::float8 as wal, (sum(rows)::float8 / sum(calls)) as rows
     from pg_stat_statements s join pg_roles r on r.oid = s.userid where toplevel and r.rolname = 'mingxi_app' group by query order by sum(total_exec_time) desc limit 10`,
  )
  return rows.map((row) => `${row.calls} x ${row.ms.toFixed(2)} ms, ${row.wal.toFixed(0)} bytes of WAL: ${row.query.replace(/\s+/g, ' ').slice(0, 90)}`)
}

/** Statements known to name no account, by their beginning, and what spreading the tables would take (docs/scale.md). */
export const KNOWN: readonly (readonly [begins: string, takes: string])[] = [
  ['with taken as ( delete from gateway_unposted where ctid', 'each machine of the database posts its own rows: the posting runs there'],
  ['with taken as ( delete from gateway_unsummed where ctid', 'each machine of the database adds up its own rows: that runs there'],
  ['array(select distinct account_id from wallet_holds where id', 'holds named by account and id'],
  ['with asked as', 'holds and captures named by account and id'],
  ['with captures as', 'holds and captures named by account and id'],
  ['select * from wallet_holds', 'holds named by account and id'],
  ['SELECT wallet_lock(array[(select account_id from wallet_holds', 'holds named by account and id'],
  ['update wallet_holds', 'holds named by account and id'],
  ['select status from wallet_holds', 'holds named by account and id'],
  ['insert into wallet_transactions', 'a transaction belongs to the account that pays; unique by account, kind and reference'],
  ['insert into wallet_accounts', 'accounts are found by owner: the owner is the key of the account table'],
  ['select array_agg(id), array_agg(distinct account_id) from (select id, account_id from wallet_holds', 'a job, not a call: on each machine'],
  ['delete from gateway_nodes', 'a job, not a call; nodes stay in one place'],
  ['delete from gateway_takes', 'a job, not a call: on each machine'],
  ['select c.call_id, c.lease_id', 'a job, not a call: on each machine'],
  ['select l.lease_id, l.account_id, l.node from gateway_leases', 'a job, not a call: on each machine'],
]

export const isKnown = (statement: Statement): boolean => KNOWN.some(([begins]) => statement.text.startsWith(begins))
