import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'

export interface CustomerLine {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly createdAt: Date
  readonly lastSeenAt: Date | null
  readonly available: bigint
  readonly recharged: bigint
  readonly spent: bigint
}

const LINE = `u.id, u.name, u.status, u.created_at, s.at as last_seen_at, coalesce(a.posted - a.held, 0) as available, coalesce(a.recharged, 0) as recharged, coalesce(a.spent, 0) as spent`
const FROM = `account_users u left join lateral (select max(last_seen_at) as at from account_sessions where user_id = u.id) s on true
  left join wallet_accounts a on a.owner = 'user:' || u.id and a.kind = 'customer' and a.currency = 'USD'`

interface CustomersFilter {
  readonly q: string | undefined
  /** Match mails by prefix; only for operators who may see contacts. */
  readonly begins: boolean
  readonly status: string | undefined
  readonly after: string | undefined
  readonly limit: number
}

/**
 * Customers, newest first, because ids begin with their time. `q`: an id, a mail or its prefix, a mobile, a key, an order, an Alipay payer's
 * order.
 */
export function listCustomers(sql: Sql, { q, begins, status, after, limit }: CustomersFilter): Promise<CustomerLine[]> {
  return sql.query<CustomerLine>(
    `select ${LINE} from ${FROM}
    where ($1::text is null or u.id = any (array(
        select $1 union select user_id from account_identities where kind = 'email' and subject >= lower($1) and subject < lower($1) || case when $5 then chr(1114111) else chr(1) end
        union select user_id from account_identities where kind = 'mobile' and subject = any (array[$1, '+' || $1, '+86' || $1])
        union select user_id from gateway_keys where key_id = $1 union select user_id from payments_orders where order_no = upper($1)
        union select user_id from payments_withdrawals where withdrawal_no = upper($1) limit 500)))
      and ($2::text is null or u.status = $2) and ($3::text is null or u.id < $3) order by u.id desc limit $4`,
    [q ?? null, status ?? null, after ?? null, limit, begins],
  )
}

export interface CustomerRow extends CustomerLine {
  readonly language: string | null
  readonly google: boolean
  readonly identity: string | null
  readonly hasPayPassword: boolean
  readonly frozenAt: Date | null
  readonly frozenReason: string | null
  readonly frozenBy: string | null
  readonly entries: bigint
}

export async function findCustomer(sql: Sql, userId: string): Promise<CustomerRow | undefined> {
  return first(
    await sql.query<CustomerRow>(
      `select ${LINE}, u.language, u.frozen_at, u.frozen_reason, u.frozen_by, coalesce(a.entry_count, 0) as entries,
        exists (select 1 from account_identities where user_id = u.id and kind = 'google') as google,
        (select status from identity_people where user_id = u.id) as identity, exists (select 1 from account_pay_passwords where user_id = u.id) as has_pay_password
      from ${FROM} where u.id = $1`,
      [userId],
    ),
  )
}

export interface LotRow {
  readonly id: bigint
  readonly kind: string
  readonly orderRef: string | null
  readonly amount: bigint
  readonly remaining: bigint
  readonly createdAt: Date
  readonly expiresAt: Date | null
}
/** Unspent credit lots that make up the balance, newest first. */
export const listOpenLots = (sql: Sql, userId: string, limit: number): Promise<LotRow[]> =>
  sql.query(
    `select l.id, l.kind, l.order_ref, l.amount, l.remaining, l.created_at, l.expires_at from wallet_lots l
      where l.account_id = (select id from wallet_accounts where owner = 'user:' || $1 and kind = 'customer' and currency = 'USD') and not l.spent order by l.id desc limit $2`,
    [userId, limit],
  )

export interface HoldLine {
  readonly id: string
  readonly purpose: string
  readonly amount: bigint
  readonly createdAt: Date
}
export const listOpenHolds = (sql: Sql, userId: string): Promise<HoldLine[]> =>
  sql.query(
    `select h.id, h.purpose, h.amount - h.captured as amount, h.created_at from wallet_holds h
      where h.account_id = (select id from wallet_accounts where owner = 'user:' || $1 and kind = 'customer' and currency = 'USD') and h.status = 'pending' order by h.created_at desc limit 50`,
    [userId],
  )

/** Row counts of the tabs; counts that can be large stop at 1,000. */
export async function countCustomerRows(sql: Sql, userId: string, email: string | null): Promise<Readonly<Record<string, number>>> {
  const [row] = await sql.query<Record<string, number>>(
    `select (select count(*)::int from (select 1 from payments_orders where user_id = $1 limit 1000) x) as orders,
      (select count(*)::int from (select 1 from payments_withdrawals where user_id = $1 limit 1000) x) as withdrawals,
      (select count(*)::int from gateway_keys where user_id = $1 and deleted_at is null) as keys,
      (select count(*)::int from account_sessions where user_id = $1 and expires_at > now()) as sessions,
      (select count(*)::int from cards_cards where user_id = $1) as cards,
      (select count(*)::int from (select 1 from notices_mails where recipient = $2 limit 1000) x) as notices,
      (select count(*)::int from (select 1 from backoffice_customer_notes where user_id = $1 and removed_at is null limit 1000) x) as notes,
      (select count(*)::int from support_conversations where user_id = $1) + (select count(*)::int from support_complaints where user_id = $1) as conversations,
      (select count(*)::int from (select 1 from invitations_relations where inviter_id = $1 limit 1000) x) + (select count(*)::int from invitations_relations where invitee_id = $1) as invitations,
      (select count(*)::int from (select 1 from audit_rows where target = 'user:' || $1 limit 1000) x) as audit`,
    [userId, email ?? ''],
  )
  return row!
}

export const listWaitingCommands = (sql: Sql, userId: string): Promise<{ no: string; name: string; askedBy: string; askedAt: Date }[]> =>
  sql.query(
    `select no, name, asked_by, asked_at from backoffice_commands where state = 'waiting' and subject = any (array(
        select 'user:' || $1 union select 'withdrawal:' || withdrawal_no from payments_withdrawals where user_id = $1 and state = 'approving'
        union select 'order:' || o.order_no from payments_orders o where o.user_id = $1 and exists (select 1 from payments_refunds r where r.order_id = o.id and r.state = 'requested')))`,
    [userId],
  )
