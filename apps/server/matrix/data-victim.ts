import type { Sql } from '#platform/server/database/db.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'

export interface Victim extends BuiltUser {
  readonly canary: string
  readonly keyId: string
  readonly secret: string
  readonly orderNo: string
  readonly conversationId: string
  readonly cardId: string
  readonly billId: string
  readonly taskId: string
  readonly filePath: string
  readonly certifyId: string
  readonly numberId: string
  readonly packId: string
  readonly failedId: string
  readonly upgradeId: string
  readonly boxId: string
  readonly mailId: string
}

/** Rows of the victim that no other user may change: key, order, conversation, session and ways to sign in. */
export const selectVictimRows = (db: Sql, victim: Victim) =>
  db.query(
    `select 'key' as what, name || coalesce(deleted_at::text, '') as now from gateway_keys where key_id = $1
     union all select 'order', state from payments_orders where order_no = $2
     union all select 'session', user_id from account_sessions where id = $3
     union all select 'conversation', state || ' ' || version from support_conversations where id = $5
     union all select 'card', state || (address ->> 'line1') || coalesce(hidden_at::text, '') || coalesce(read_at::text, '') from cards_cards where id = $7
     union all select 'number', state || phase from services_tasks where id = $8
     union all select 'mailbox', password_hash || mails || coalesce(wiped_at::text, '') from mailbox_boxes where task_id = $10
     union all select 'mail', (select coalesce(read_at::text, 'new') from mailbox_messages where id = $11)
     union all select 'upgrade', plan || account || link || coalesce(task_id, '') from upgrade_orders where id = $12
     union all select 'picture', state from identity_files where id = $6
     union all select 'task', state || facts::text from services_tasks where id = $9
     union all select 'holder', status || coalesce(method, '') || (saved_at is null)::text from identity_people where user_id = $4
     union all select 'user', i.subject || u.name || u.password_hash || u.status from account_users u join account_identities i on i.user_id = u.id
       where u.id = $4 order by 1`,
    [
      ...[victim.keyId, victim.orderNo, victim.sessionId, victim.userId, victim.conversationId, victim.filePath, victim.cardId],
      ...[victim.numberId, victim.taskId, victim.boxId, victim.mailId, victim.upgradeId],
    ],
  )

/** Money and everything ordered, drafts excluded: a call that may be repeated without a key changes these at most once. */
export const selectOrderedItems = (db: Sql, userId: string) =>
  db.query(
    `select (select json_agg(json_build_array(a.kind, a.posted, a.held) order by a.kind) from wallet_accounts a where a.owner = 'user:' || $1) as money,
      (select count(*)::int from services_tasks t where t.user_id = $1 and t.phase <> 'draft') as tasks,
      (select count(*)::int from cards_cards c where c.user_id = $1) as cards,
      (select count(*)::int from payments_orders o where o.user_id = $1) as orders,
      (select count(*)::int from payments_withdrawals w where w.user_id = $1) as withdrawals,
      (select count(*)::int from cards_disputes d where d.user_id = $1) as disputes`,
    [userId],
  )

/** Status, balances and purchases of a user, which no unknown field of a request may change. */
export const selectUserState = (db: Sql, userId: string) =>
  db.query(
    `select u.status, u.created_at::text, (select count(*)::int from account_identities i where i.user_id = u.id) as ways,
      (select sum(posted) from wallet_accounts a where a.owner = 'user:' || u.id) as posted,
      (select status || coalesce(reason, '') || coalesce(face_passed_at::text, '') || coalesce(paid_at::text, '') from identity_people p where p.user_id = u.id) as identity,
      (select count(*)::int from payments_orders o where o.user_id = u.id and o.paid_at is not null) as paid,
      (select string_agg(state || type || order_no, ' ') from cards_cards c where c.user_id = u.id) as cards,
      (select count(*)::int from settings) as settings
    from account_users u where u.id = $1`,
    [userId],
  )
