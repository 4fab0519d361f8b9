import type { Sql } from '#platform/server/database/db.ts'

export interface AccountRow {
  readonly kind: string
  readonly owner: string
  readonly posted: bigint
  readonly held: bigint
  /** Recomputed from the journal and from the holds. */
  readonly folded: bigint
  readonly holds: bigint
}

/** A user's accounts and those of their cards, each with the sum of its entries and open holds. One statement, one snapshot. */
export const selectAccountRows = (sql: Sql, userId: string): Promise<AccountRow[]> =>
  sql.query<AccountRow>(
    `select a.kind, a.owner, a.posted, a.held,
        (select coalesce(sum(case when t.credit_account_id = a.id then t.amount else -t.amount end), 0)::bigint from wallet_transfers t
          where t.credit_account_id = a.id or t.debit_account_id = a.id) as folded,
        (select coalesce(sum(h.amount - h.captured), 0)::bigint from wallet_holds h where h.account_id = a.id and h.status = 'pending') as holds
      from wallet_accounts a where a.owner = 'user:' || $1 or a.owner in (select 'card:' || id from cards_cards where user_id = $1) order by a.id`,
    [userId],
  )

/** Calls that are charged but not yet posted, and calls in progress. */
export async function selectInFlight(sql: Sql, userId: string): Promise<{ unposted: bigint; open: number }> {
  const [row] = await sql.query<{ unposted: bigint; open: number }>(
    `select (select coalesce(sum(u.amount), 0)::bigint from gateway_unposted u join wallet_accounts a on a.id = u.account_id where a.owner = 'user:' || $1) as unposted,
        (select count(*)::int from gateway_calls where user_id = $1) as open`,
    [userId],
  )
  return row!
}

export const selectUserOrders = (sql: Sql, userId: string): Promise<{ orderNo: string; orderType: number }[]> =>
  sql.query('select order_no, order_type from payments_orders where user_id = $1', [userId])

export const selectUserCards = (sql: Sql, userId: string): Promise<{ id: string; cardRef: string | null; state: string }[]> =>
  sql.query('select id, card_ref, state from cards_cards where user_id = $1', [userId])
