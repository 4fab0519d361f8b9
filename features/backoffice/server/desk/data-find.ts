import type { Sql } from '#platform/server/database/db.ts'

export interface DeskSearchHit {
  readonly kind: 'customer' | 'order' | 'withdrawal' | 'invoice' | 'command'
  readonly id: string
  readonly title: string
  readonly note: string
}

/**
 * Finds customers by id, mail or mobile; by indexed prefix if `begins`. An operator who may not see contacts gets exact matches only, because
 * prefixes would reveal a contact letter by letter.
 */
export function searchCustomers(sql: Sql, text: string, { begins, limit }: { readonly begins: boolean; readonly limit: number }): Promise<DeskSearchHit[]> {
  return sql.query<DeskSearchHit>(
    `select 'customer' as kind, u.id, coalesce(nullif(u.name, ''), u.id) as title, u.status as note
    from account_users u where u.id = any (array(select $1 union (
      select user_id from account_identities where kind = 'email' and subject >= lower($1) and subject < lower($1) || case when $3 then chr(1114111) else chr(1) end limit $2) union (
      select user_id from account_identities where kind = 'mobile' and subject >= $1 and subject < $1 || case when $3 then chr(1114111) else chr(1) end limit $2)))
    order by u.created_at desc limit $2`,
    [text, limit, begins],
  )
}

export function searchOrdersByNumber(sql: Sql, text: string, limit: number): Promise<DeskSearchHit[]> {
  return sql.query<DeskSearchHit>(
    `select 'order' as kind, order_no as id, order_no as title, state as note from payments_orders where order_no >= upper($1) and order_no < upper($1) || chr(1114111)
    order by order_no limit $2`,
    [text, limit],
  )
}

/** Finds by the channel's transaction id, or by our attempt number. */
export function searchOrdersByTrade(sql: Sql, text: string, limit: number): Promise<DeskSearchHit[]> {
  return sql.query<DeskSearchHit>(
    `select 'order' as kind, o.order_no as id, o.order_no as title, o.state as note from payments_orders o
    where o.id in (select order_id from payments_receipts where channel_txn = $1 or trade_no = $1 union select order_id from payments_attempts where (channel_type, trade_no) in (select n::smallint, $1::text from generate_series(1, 25) n)) limit $2`,
    [text, limit],
  )
}

export function searchWithdrawals(sql: Sql, text: string, limit: number): Promise<DeskSearchHit[]> {
  return sql.query<DeskSearchHit>(
    `select 'withdrawal' as kind, withdrawal_no as id, withdrawal_no as title, state as note from payments_withdrawals
    where withdrawal_no >= upper($1) and withdrawal_no < upper($1) || chr(1114111) order by withdrawal_no limit $2`,
    [text, limit],
  )
}

/** Finds invoices, receipts and requests to the invoice desk. */
export function searchInvoices(sql: Sql, text: string, limit: number): Promise<DeskSearchHit[]> {
  return sql.query<DeskSearchHit>(
    `(select 'invoice' as kind, paper_no as id, paper_no as title, case when void_at is null then 'issued' else 'void' end as note from payments_papers where paper_no = upper($1))
    union all (select 'invoice', request_no, request_no, state from payments_invoice_requests where request_no >= upper($1) and request_no < upper($1) || chr(1114111) order by request_no limit $2)`,
    [text, limit],
  )
}

export function searchCommands(sql: Sql, text: string, limit: number): Promise<DeskSearchHit[]> {
  return sql.query<DeskSearchHit>(`select 'command' as kind, no as id, name as title, state as note from backoffice_commands where no = upper($1) limit $2`, [
    text,
    limit,
  ])
}

/** Finds API keys by last four characters or id, and calls by id. */
export function searchKeyOwners(sql: Sql, text: string, limit: number): Promise<DeskSearchHit[]> {
  return sql.query<DeskSearchHit>(
    `select 'customer' as kind, u.id, coalesce(nullif(u.name, ''), u.id) as title, 'key' as note from account_users u
    where u.id in (select user_id from gateway_keys where key_id = $1) limit $2`,
    [text, limit],
  )
}
