import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { AccountOwner } from './accounts.ts'
import { requireRow } from './data.ts'
import type { WalletAccountsRow } from './tables.ts'

/** Reads of the ledger: balances, entries, sums. Only its SQL functions change it (data.ts). */

export type BalanceRow = Pick<WalletAccountsRow, 'kind' | 'posted' | 'held' | 'granted' | 'purchasedHeld' | 'recharged' | 'spent'>

export async function selectBalances(sql: Sql, owner: AccountOwner, currency: string): Promise<BalanceRow[]> {
  return sql.query<BalanceRow>(
    `select kind, posted, held, granted, purchased_held, recharged, spent from wallet_accounts
    where owner = $1 and kind in ('customer', 'receivable') and currency = $2`,
    [owner, currency],
    'wallet.balances',
  )
}

export type AccountBalanceRow = Pick<WalletAccountsRow, 'owner' | 'kind' | 'posted' | 'held'>

/** Accounts by owner and kind; accounts that were never opened are missing. */
export async function selectAccountBalances(sql: Sql, owners: readonly string[], kinds: readonly string[]): Promise<AccountBalanceRow[]> {
  return sql.query<AccountBalanceRow>(
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

/** Posted balance of one account, by its name; 0 if it was never opened. */
export async function selectPostedOf(sql: Sql, owner: AccountOwner, kind: string): Promise<Nano> {
  const rows = await sql.query<{ posted: Nano }>(`select posted from wallet_accounts where owner = $1 and kind = $2 and currency = 'USD'`, [owner, kind])
  return rows[0]?.posted ?? 0n
}

/** Remaining credit from one order, by lot kind. */
export async function selectLotsOf(
  sql: Sql,
  owner: AccountOwner,
  { orderRef, currency }: { readonly orderRef: string; readonly currency: string },
): Promise<{ kind: 'purchased' | 'granted'; remaining: Nano }[]> {
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
export async function selectEntries(
  sql: Sql,
  owner: AccountOwner,
  { currency, before, limit }: { readonly currency: string; readonly before: bigint | undefined; readonly limit: number },
): Promise<EntryRow[]> {
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

/** Lots that a transaction emptied, less what was put back into them since. */
export async function selectTakenFromLots(sql: Sql, kind: string, ref: string): Promise<bigint> {
  const rows = await sql.query<{ n: bigint }>(
    `select coalesce(sum(u.amount), 0)::bigint as n from wallet_transactions w, lateral (
      select amount from wallet_lot_uses where undoes = w.id
      union all select l.amount from wallet_transfers t join wallet_lot_uses l on l.transfer_id = t.id and l.undoes is null where t.transaction_id = w.id
    ) u where w.kind = $1 and w.ref = $2`,
    [kind, ref],
    'wallet.taken',
  )
  return rows[0]!.n
}

export interface MovedSum {
  readonly kind: string
  readonly debitKind: string
  readonly creditKind: string
  readonly amount: bigint
}
/** Amounts moved between kinds of accounts in a period, in US dollars. */
export const selectMovedSums = (sql: Sql, from: Date, before: Date) =>
  sql.query<MovedSum>(
    `select t.kind, f.debit_kind, f.credit_kind, sum(f.amount)::bigint as amount from wallet_transactions t join wallet_transfers f on f.transaction_id = t.id
     where t.at >= $1 and t.at < $2 and f.currency = 'USD' group by 1, 2, 3 order by 1, 2, 3`,
    [from, before],
  )

export const selectCapturedTotal = async (sql: Sql, kind: string) =>
  requireRow(await sql.query<{ amount: bigint }>('select coalesce(sum(amount), 0)::bigint as amount from wallet_captures where kind = $1', [kind])).amount

/** Total that postings of a kind moved out of revenue, in US dollars. */
export const selectRefundedTotal = async (sql: Sql, kind: string) =>
  requireRow(
    await sql.query<{ amount: bigint }>(
      `select coalesce(sum(f.amount), 0)::bigint as amount from wallet_transactions t join wallet_transfers f on f.transaction_id = t.id
       where t.kind = $1 and f.debit_kind = 'revenue' and f.currency = 'USD'`,
      [kind],
    ),
  ).amount
