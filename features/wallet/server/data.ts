import type { Sql } from '#platform/server/database/db.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import type { Nano } from '#platform/shared/money.ts'
import { walletErrors } from '../errors.ts'
import type { AccountName, Leg, Owner, Posted } from './accounts.ts'

/** Runs a ledger function and turns its refusals (class MX, migration 0002) into the feature's errors. */
async function ledger<R extends object>(sql: Sql, text: string, values: readonly unknown[], name: string): Promise<R[]> {
  try {
    return await sql.query<R>(text, values, `wallet.${name}`)
  } catch (error) {
    throw refusal(error) ?? error
  }
}

function refusal(error: unknown): Failure | undefined {
  const { code, message, detail, constraint } = error as { code?: string; message?: string; detail?: string; constraint?: string }
  if (code === 'MX001' && message && message in walletErrors) return new Failure(message, message === 'HOLD_CLOSED' ? { status: detail } : undefined)
  // The two checks behind the functions' own: reached only where the functions have a gap.
  if (code === '23514' && (constraint === 'wallet_accounts_available' || constraint === 'wallet_accounts_purchased')) return new Failure('INSUFFICIENT_FUNDS')
  return undefined
}

/** A function that returns a row always returns one. */
function only<R>(rows: readonly R[]): R {
  return rows[0] ?? fail('INTERNAL')
}

export async function insertAccount(sql: Sql, owner: Owner, kind: string, currency: string): Promise<bigint> {
  return only(await ledger<{ id: bigint }>(sql, 'select wallet_open_account($1,$2,$3) as id', [owner, kind, currency], 'open')).id
}

export async function insertPosting(sql: Sql, kind: string, ref: string, legs: readonly Leg[]): Promise<Posted> {
  const rows = legs.map((leg) => ({
    debit_owner: leg.from.owner,
    debit_kind: leg.from.kind,
    credit_owner: leg.to.owner,
    credit_kind: leg.to.kind,
    amount: String(leg.amount),
    currency: leg.currency ?? 'USD',
    owe: leg.owe || undefined,
    undoes: leg.undoes?.toString(),
    lot_kind: leg.lot?.kind,
    order_ref: leg.lot?.orderRef,
    expires_at: leg.lot?.expiresAt,
    take_kind: leg.take?.kind,
    take_order_ref: leg.take?.orderRef,
  }))
  const row = only(
    await ledger<{ transaction_id: bigint; replayed: boolean }>(sql, 'select * from wallet_post($1,$2,$3)', [kind, ref, JSON.stringify(rows)], 'post'),
  )
  return { transactionId: row.transaction_id, replayed: row.replayed }
}

export interface HoldRow {
  readonly status: 'pending' | 'posted' | 'voided' | 'expired' | 'refused'
  readonly amount: Nano
  readonly replayed: boolean
}

export async function insertHold(
  sql: Sql,
  id: string,
  account: AccountName,
  amount: Nano,
  ttlSeconds: number,
  purpose: string,
  options: { currency: string; onlyPurchased: boolean; atLeast: Nano | undefined },
): Promise<HoldRow> {
  return only(
    await ledger<HoldRow>(
      sql,
      'select * from wallet_hold($1,$2,$3,make_interval(secs => $4),$5,$6,$7,$8,$9)',
      [id, account.owner, amount, ttlSeconds, purpose, options.currency, account.kind, options.onlyPurchased, options.atLeast ?? null],
      'hold',
    ),
  )
}

export interface CaptureRow {
  transaction_id: bigint
  from_hold: Nano
  from_available: Nano
  debt: Nano
  replayed: boolean
}

export async function insertCapture(
  sql: Sql,
  holdId: string,
  amount: Nano,
  kind: string,
  ref: string,
  options: { toKind: string; toOwner: Owner; close: boolean; overReason: string | undefined },
): Promise<CaptureRow> {
  return only(
    await ledger<CaptureRow>(
      sql,
      'select * from wallet_capture($1,$2,$3,$4,$5,$6,$7,$8)',
      [holdId, amount, kind, ref, options.toKind, options.toOwner, options.close, options.overReason ?? null],
      'capture',
    ),
  )
}

export async function updateHoldVoid(sql: Sql, holdId: string): Promise<'voided' | 'posted'> {
  return only(await ledger<{ status: 'voided' | 'posted' }>(sql, 'select wallet_void($1) as status', [holdId], 'void')).status
}

export async function updateHoldEnd(sql: Sql, holdId: string, ttlSeconds: number): Promise<Date> {
  return only(await ledger<{ at: Date }>(sql, 'select wallet_extend($1, make_interval(secs => $2)) as at', [holdId, ttlSeconds], 'extend')).at
}

export interface ResizedRow {
  changed: Nano
  amount: Nano
  uncaptured: Nano
}

export async function updateHoldSize(sql: Sql, holdId: string, delta: Nano, ttlSeconds: number | undefined, atLeast: Nano | undefined): Promise<ResizedRow> {
  return only(
    await ledger<ResizedRow>(
      sql,
      'select * from wallet_resize($1,$2,make_interval(secs => $3),$4)',
      [holdId, delta, ttlSeconds ?? null, atLeast ?? null],
      'resize',
    ),
  )
}

export interface CaptureManyRow {
  ref: string
  hold_id: string
  outcome: 'captured' | 'replayed' | 'ref_reused' | 'hold_unknown' | 'bad_amount'
  captured: Nano
  from_available: Nano
  debt: Nano
  transaction_id: bigint | null
}

export async function insertCaptures(
  sql: Sql,
  holds: readonly string[],
  amounts: readonly Nano[],
  refs: readonly string[],
  kind: string,
  toKind: string,
): Promise<CaptureManyRow[]> {
  return ledger<CaptureManyRow>(
    sql,
    'select * from wallet_capture_many($1::text[],$2::bigint[],$3::text[],$4,$5)',
    [holds, amounts, refs, kind, toKind],
    'captures',
  )
}

export async function expireDueHolds(sql: Sql, limit: number): Promise<number> {
  return only(await ledger<{ n: number }>(sql, 'select wallet_expire($1) as n', [limit], 'expire')).n
}

export async function expireDueLots(sql: Sql, limit: number): Promise<number> {
  return only(await ledger<{ n: number }>(sql, 'select wallet_expire_lots($1) as n', [limit], 'expire-lots')).n
}

export interface BalanceRow {
  kind: string
  posted: Nano
  held: Nano
  granted: Nano
  purchased_held: Nano
  recharged: Nano
  spent: Nano
}

export async function selectBalances(sql: Sql, owner: Owner, currency: string): Promise<BalanceRow[]> {
  return sql.query<BalanceRow>(
    `select kind, posted, held, granted, purchased_held, recharged, spent from wallet_accounts
    where owner = $1 and kind in ('customer', 'receivable') and currency = $2`,
    [owner, currency],
    'wallet.balances',
  )
}

export interface StandRow {
  owner: string
  kind: string
  posted: Nano
  held: Nano
}

/** Accounts by owner and kind; those that were never opened are missing. */
export async function selectStands(sql: Sql, owners: readonly string[], kinds: readonly string[]): Promise<StandRow[]> {
  return sql.query<StandRow>(
    `select owner, kind, posted, held from wallet_accounts where owner = any ($1) and kind = any ($2) and currency = 'USD'`,
    [owners, kinds],
    'wallet.stands',
  )
}

export async function selectPosted(sql: Sql, owners: readonly string[], currency: string): Promise<{ owner: string; posted: Nano }[]> {
  return sql.query(
    `select owner, posted from wallet_accounts where owner = any ($1) and kind = 'customer' and currency = $2`,
    [owners, currency],
    'wallet.posted',
  )
}

/** Of one account, by its name; 0 while it was never opened. */
export async function selectPostedOf(sql: Sql, owner: Owner, kind: string): Promise<Nano> {
  const rows = await sql.query<{ posted: Nano }>(`select posted from wallet_accounts where owner = $1 and kind = $2 and currency = 'USD'`, [owner, kind])
  return rows[0]?.posted ?? 0n
}

/** What is left of the credit that one order brought, by its kind. */
export async function selectLotsOf(sql: Sql, owner: Owner, orderRef: string, currency: string): Promise<{ kind: 'purchased' | 'granted'; remaining: Nano }[]> {
  return sql.query(
    `select l.kind, sum(l.remaining)::bigint as remaining from wallet_lots l join wallet_accounts a on a.id = l.account_id
    where l.order_ref = $2 and a.owner = $1 and a.kind = 'customer' and a.currency = $3 group by l.kind`,
    [owner, orderRef, currency],
    'wallet.lots-of',
  )
}

export interface EntryRow {
  seq: bigint
  kind: string
  ref: string
  amount: Nano
  after: Nano
  at: Date
}

/** Entries of one account, newest first: two index ranges merged, whatever the size of the journal. */
export async function selectEntries(sql: Sql, owner: Owner, currency: string, before: bigint | undefined, limit: number): Promise<EntryRow[]> {
  return sql.query<EntryRow>(
    `with account as (select id from wallet_accounts where owner = $1 and kind = 'customer' and currency = $2)
    select e.seq, t.kind, t.ref, e.amount, e.after, t.at from (
      (select debit_seq as seq, transaction_id, -amount as amount, debit_after as after from wallet_transfers
        where debit_account_id = (select id from account) and debit_seq < coalesce($3, 9223372036854775807) order by debit_seq desc limit $4)
      union all
      (select credit_seq, transaction_id, amount, credit_after from wallet_transfers
        where credit_account_id = (select id from account) and credit_seq < coalesce($3, 9223372036854775807) order by credit_seq desc limit $4)
    ) e join wallet_transactions t on t.id = e.transaction_id order by e.seq desc limit $4`,
    [owner, currency, before ?? null, limit],
    'wallet.entries',
  )
}

export async function selectTransactionId(sql: Sql, kind: string, ref: string): Promise<bigint | undefined> {
  return (await sql.query<{ id: bigint }>('select id from wallet_transactions where kind = $1 and ref = $2', [kind, ref], 'wallet.transaction'))[0]?.id
}

export interface Problem {
  at_table: string
  row_id: string
  problem: string
}

export async function selectProblems(sql: Sql, limit: number): Promise<Problem[]> {
  return sql.query<Problem>('select at_table, row_id, problem from wallet_verify($1)', [limit])
}

export async function selectCounts(sql: Sql): Promise<Record<string, bigint>> {
  return only(
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
    const { page, n } = only(
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
  const row = only(
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

/** After a copy: what is held follows from the holds, and new ids begin after the copied ones. */
export async function settleCopy(sql: Sql): Promise<void> {
  await sql.query(`update wallet_accounts a set held = h.held, purchased_held = h.purchased_held from (
    select account_id, sum(amount - captured) as held, coalesce(sum(amount - captured) filter (where only_purchased), 0) as purchased_held
    from wallet_holds where status = 'pending' group by account_id) h where h.account_id = a.id`)
  for (const table of ['wallet_accounts', 'wallet_transactions', 'wallet_transfers', 'wallet_lots']) {
    await sql.query(`select setval(pg_get_serial_sequence('${table}', 'id'), greatest(1, (select max(id) from ${table})))`)
  }
}

export interface Moved {
  readonly kind: string
  readonly debit_kind: string
  readonly credit_kind: string
  readonly amount: bigint
}
/** What moved between kinds of accounts in a span of time, in US dollars. */
export const selectMoved = (sql: Sql, from: Date, before: Date) =>
  sql.query<Moved>(
    `select t.kind, f.debit_kind, f.credit_kind, sum(f.amount)::bigint as amount from wallet_transactions t join wallet_transfers f on f.transaction_id = t.id
     where t.at >= $1 and t.at < $2 and f.currency = 'USD' group by 1, 2, 3 order by 1, 2, 3`,
    [from, before],
  )

export const selectCaptured = async (sql: Sql, kind: string) =>
  only(await sql.query<{ amount: bigint }>('select coalesce(sum(amount), 0)::bigint as amount from wallet_captures where kind = $1', [kind])).amount
