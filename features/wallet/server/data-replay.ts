import type { Sql } from '#platform/server/database/db.ts'
import { requireRow } from './data.ts'

/** Checks the ledger, and copies it into an empty database to execute its journal again. */

export interface LedgerProblem {
  atTable: string
  rowId: string
  problem: string
}

export async function selectProblems(sql: Sql, limit: number): Promise<LedgerProblem[]> {
  return sql.query<LedgerProblem>('select at_table, row_id, problem from wallet_verify($1)', [limit])
}

export async function selectCounts(sql: Sql): Promise<Record<string, bigint>> {
  return requireRow(
    await sql.query(`select (select count(*) from wallet_accounts) as accounts, (select count(*) from wallet_transactions) as transactions,
    (select count(*) from wallet_transfers) as transfers, (select count(*) from wallet_holds) as holds, (select count(*) from wallet_lots) as lots`),
  )
}

/** Tables copied as they are by a replay; the journal itself is executed again. Parents first. */
export const COPIED = {
  wallet_accounts: 'id, owner, kind, currency, may_go_negative, has_lots, opened_at',
  wallet_transactions: 'id, kind, ref, body_hash, at, account_id',
  wallet_lots: 'id, account_id, transfer_id, kind, amount, remaining, order_ref, expires_at, created_at',
  wallet_lot_uses: 'transfer_id, lot_id, amount, undoes, account_id',
  wallet_holds: 'id, account_id, asked, amount, captured, status, purpose, only_purchased, expires_at, created_at, closed_at',
  wallet_captures: 'kind, ref, hold_id, amount, from_hold, from_available, debt, transaction_id, account_id',
  wallet_over_captures: 'kind, ref, amount, reason, account_id',
} as const
export type CopiedTable = keyof typeof COPIED

/** Pages of a table as JSON text, which JavaScript must not parse: its numbers exceed a double. */
export async function* selectPages(sql: Sql, table: CopiedTable, size: number): AsyncGenerator<string> {
  const order = { wallet_lot_uses: 'transfer_id, lot_id', wallet_captures: 'kind, ref', wallet_over_captures: 'kind, ref' }[table as string] ?? 'id'
  for (let offset = 0; ; offset += size) {
    const { page, n } = requireRow(
      await sql.query<{ page: string; n: bigint }>(`select jsonb_agg(r)::text as page, count(*) as n
      from (select ${COPIED[table]} from ${table} order by ${order} limit ${size} offset ${offset}) r`),
    )
    if (n) yield page
    if (n < size) return
  }
}

export async function insertPage(sql: Sql, table: CopiedTable, page: string): Promise<void> {
  await sql.query(`insert into ${table} (${COPIED[table]}) select ${COPIED[table]} from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [page])
}

/** The journal after a transfer, as moves for `wallet_journal`; `last` is where the next page begins. */
export async function selectMoves(sql: Sql, after: bigint, size: number): Promise<{ moves: string; last: bigint } | undefined> {
  const row = requireRow(
    await sql.query<{ moves: string | null; last: bigint }>(
      `select jsonb_agg(m)::text as moves, max(transfer_id) as last from (
    select t.id as transfer_id, t.transaction_id, t.debit_account_id as debit_id, t.credit_account_id as credit_id, t.amount, 0 as released, 0 as released_purchased,
      coalesce(u.taken, 0) as debit_granted, coalesce(u.given, 0) + case when l.kind = 'granted' then l.amount else 0 end as credit_granted
    from wallet_transfers t left join wallet_lots l on l.transfer_id = t.id
    left join lateral (select sum(u.amount) filter (where u.amount > 0) as taken, -sum(u.amount) filter (where u.amount < 0) as given
      from wallet_lot_uses u join wallet_lots o on o.id = u.lot_id where u.transfer_id = t.id and o.kind = 'granted') u on true
    where t.id > $1 order by t.id limit $2) m`,
      [after, size],
    ),
  )
  return row.moves === null ? undefined : { moves: row.moves, last: row.last }
}

export async function executeMoves(sql: Sql, moves: string): Promise<void> {
  await sql.query('select wallet_journal(array(select m from jsonb_populate_recordset(null::wallet_move, $1::jsonb) m order by m.transfer_id))', [moves])
}

/** After a copy, recomputes held sums from the holds and lets new ids begin after the copied ones. */
export async function settleCopy(sql: Sql): Promise<void> {
  await sql.query(`update wallet_accounts a set held = h.held, purchased_held = h.purchased_held from (
    select account_id, sum(amount - captured) as held, coalesce(sum(amount - captured) filter (where only_purchased), 0) as purchased_held
    from wallet_holds where status = 'pending' group by account_id) h where h.account_id = a.id`)
  for (const table of ['wallet_accounts', 'wallet_transactions', 'wallet_transfers', 'wallet_lots']) {
    await sql.query(`select setval(pg_get_serial_sequence('${table}', 'id'), greatest(1, (select max(id) from ${table})))`)
  }
}
