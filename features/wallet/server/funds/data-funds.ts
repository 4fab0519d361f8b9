import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'

/** Movements of a user's balance: the combined change of the spendable account and the debt beside it, one row per transaction. */

export interface MovementRow {
  readonly id: bigint
  readonly kind: string
  readonly ref: string
  readonly at: Date
  /** Signed. */
  readonly amount: Nano
  /** The order whose credit the movement brought, if any. */
  readonly orderRef: string | null
}

/**
 * All transfers of a user's accounts except charges of calls. Three index ranges, none of which grows with calls: incoming, outgoing to
 * accounts other than revenue, and outgoing to revenue by another kind (migration 0068).
 */
const MOVES = `
  own as materialized (select id, kind from wallet_accounts where owner = $1 and kind in ('customer', 'receivable') and currency = 'USD'),
  moved as (
    select f.id, f.transaction_id, f.amount from own o join wallet_transfers f on f.credit_account_id = o.id
    union all
    select f.id, f.transaction_id, -f.amount from own o join wallet_transfers f on f.debit_account_id = o.id
      where f.debit_kind in ('customer', 'receivable') and f.credit_kind <> 'revenue'
    union all
    select f.id, f.transaction_id, -f.amount from own o join wallet_transactions t on t.account_id = o.id and t.kind <> 'gateway.usage'
      join wallet_transfers f on f.transaction_id = t.id and f.credit_kind = 'revenue' and f.debit_account_id in (select id from own)
  ),
  moves as (
    select t.id, t.kind, t.ref, t.at, sum(m.amount)::bigint as amount, min(m.id) as transfer_id from moved m join wallet_transactions t on t.id = m.transaction_id
    where t.kind <> all ($2) group by t.id having sum(m.amount) <> 0
  )`

/** Movements from `from` until before `before`, oldest first. */
export async function selectMovements(
  sql: Sql,
  owner: string,
  { summed, from, before }: { readonly summed: readonly string[]; readonly from: Date; readonly before: Date },
): Promise<MovementRow[]> {
  return sql.query<MovementRow>(
    `with ${MOVES}
     select m.id, m.kind, m.ref, m.at, m.amount, (select l.order_ref from wallet_lots l where l.transfer_id = m.transfer_id) as order_ref
     from moves m where m.at >= $3 and m.at < $4 order by m.at, m.id`,
    [owner, summed, from, before],
    'wallet.funds-rows',
  )
}

export interface KindSum {
  readonly kind: string
  /** True if the reference is a refund's (`toShownKind`). */
  readonly isRefund: boolean
  readonly amount: Nano
}

/** Sums of the movements in a period, by kind. */
export async function selectKindSums(
  sql: Sql,
  owner: string,
  { summed, from, before }: { readonly summed: readonly string[]; readonly from: Date; readonly before: Date },
): Promise<KindSum[]> {
  return sql.query<KindSum>(
    `with ${MOVES}
     select kind, ref ~ '^(R\\d{8}-|back:)' as is_refund, sum(amount)::bigint as amount from moves where at >= $3 and at < $4 group by 1, 2`,
    [owner, summed, from, before],
    'wallet.funds-sums',
  )
}

export async function selectOpenedAt(sql: Sql, owner: string): Promise<{ id: bigint; openedAt: Date } | undefined> {
  const rows = await sql.query<{ id: bigint; openedAt: Date }>(
    `select id, opened_at from wallet_accounts where owner = $1 and kind = 'customer' and currency = 'USD'`,
    [owner],
  )
  return rows[0]
}
