import type { Sql } from '#platform/server/database/db.ts'

interface Page {
  readonly userId: string
  readonly after: { readonly at: bigint; readonly id: string } | undefined
  readonly limit: number
}
const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`
/** Selects rows after a cursor, newest first. $2: the time, $3: tie-breaker of rows with the same time. */
const afterCursor = (at: string, id: string) => `($2::bigint is null or (${micros(at)}, ${id}::text) < ($2, $3::text))`
const cursorParams = ({ after }: Page) => [after?.at ?? null, after?.id ?? '']

export interface CustomerTimelineRow {
  readonly id: string
  readonly at: Date
  readonly us: bigint
  readonly kind: string
  readonly what: string
  readonly actor: string
  readonly note: string
  readonly nano: bigint | null
  readonly target: string
}

const TIMELINE: Readonly<Record<'money' | 'account' | 'operator', string>> = {
  money: `select 'm' || o.id || '.' || s.id, s.at, 'money', 'order.' || s.event, s.actor, '', o.amount_nano, 'order:' || o.order_no from payments_orders o join payments_order_timeline s on s.order_id = o.id
      where o.user_id = $1 and s.event in ('paid', 'fulfilled', 'refunded', 'partially_refunded', 'disputed', 'paid_late', 'mismatch')
    union all select 'w' || w.id || '.' || s.id, s.at, 'money', 'withdrawal.' || s.state, s.actor, s.reason, w.amount_nano, 'withdrawal:' || w.withdrawal_no
      from payments_withdrawals w join payments_withdrawal_steps s on s.withdrawal_id = w.id where w.user_id = $1`,
  account: `select 'a' || a.id, a.at, 'account', a.action, a.actor_kind || ':' || a.actor_id, '', null, a.target from audit_rows a where a.target = 'user:' || $1 and a.actor_kind <> 'operator'`,
  operator: `select 'a' || a.id, a.at, 'operator', a.action, a.actor_id, coalesce(a.data ->> 'reason', ''), null, a.target from audit_rows a where a.target = 'user:' || $1 and a.actor_kind = 'operator'`,
}

export function listTimeline(sql: Sql, page: Page, kind: 'money' | 'account' | 'operator' | undefined): Promise<CustomerTimelineRow[]> {
  const parts = kind ? [TIMELINE[kind]] : Object.values(TIMELINE)
  return sql.query<CustomerTimelineRow>(
    `select t.*, ${micros('at')} as us from (${parts.join(' union all ')}) t (id, at, kind, what, actor, note, nano, target) where ${afterCursor('at', 'id')} order by at desc, id desc limit $4`,
    [page.userId, ...cursorParams(page), page.limit],
  )
}

export interface CustomerCallRow {
  readonly callId: string
  readonly startedAt: Date
  readonly us: bigint
  readonly keyId: string
  readonly model: string
  readonly upstream: string
  readonly outcome: string
  readonly status: number
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly totalMs: number
  readonly amount: bigint
  readonly requestId: string
}
/** Calls of a customer, selected by account to match the index of the journal. */
export function listCustomerCalls(sql: Sql, page: Page): Promise<CustomerCallRow[]> {
  return sql.query<CustomerCallRow>(
    `select call_id, started_at, ${micros('started_at')} as us, key_id, model, upstream, outcome, status, input_tokens, output_tokens, total_ms, amount, request_id from gateway_usage
    where account_id = (select id from wallet_accounts where owner = 'user:' || $1 and kind = 'customer' and currency = 'USD')
      and ($2::bigint is null or (started_at, call_id) < (to_timestamp(0) + make_interval(secs => $2 / 1000000.0), $3::text)) order by started_at desc, call_id desc limit $4`,
    [page.userId, ...cursorParams(page), page.limit],
  )
}

export interface SessionLine {
  readonly id: string
  readonly ip: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}
export const listSessionLines = (sql: Sql, userId: string): Promise<SessionLine[]> =>
  sql.query(
    'select id, ip, user_agent, created_at, last_seen_at, expires_at from account_sessions where user_id = $1 and expires_at > now() order by last_seen_at desc limit 200',
    [userId],
  )

export interface MailLine {
  readonly id: string
  readonly template: string
  readonly state: string
  readonly problem: string | null
  readonly createdAt: Date
  readonly us: bigint
  readonly endedAt: Date | null
  readonly isKept: boolean
}
export function listMailLines(sql: Sql, page: Page, recipient: string): Promise<MailLine[]> {
  return sql.query<MailLine>(
    `select id, template, state, problem, created_at, ${micros('created_at')} as us, ended_at, kept is not null as is_kept from notices_mails where recipient = $1 and ${afterCursor('created_at', 'id')} order by created_at desc, id desc limit $4`,
    [recipient, ...cursorParams(page), page.limit],
  )
}

export interface ConversationLine {
  readonly id: string
  readonly kind: string
  readonly topic: string
  readonly state: string
  readonly messages: number
  readonly orderNo: string | null
  readonly updatedAt: Date
}
export const listConversationLines = (sql: Sql, userId: string): Promise<ConversationLine[]> =>
  sql.query(
    `select id, 'conversation' as kind, topic, state, last_seq as messages, order_no, updated_at from support_conversations where user_id = $1
    union all select id, 'complaint', left(content, 80), state, 1, order_no, created_at from support_complaints where user_id = $1 order by updated_at desc limit 200`,
    [userId],
  )

export interface RelationLine {
  readonly userId: string
  readonly name: string
  readonly role: 'inviter' | 'invitee'
  readonly way: string
  readonly createdAt: Date
}
export const listRelationLines = (sql: Sql, userId: string): Promise<RelationLine[]> =>
  sql.query(
    `select r.user_id, coalesce(nullif(u.name, ''), '') as name, r.role, r.way, r.created_at from (
      select inviter_id as user_id, 'inviter' as role, way, created_at from invitations_relations where invitee_id = $1
      union all select invitee_id, 'invitee', way, created_at from invitations_relations where inviter_id = $1) r
    left join account_users u on u.id = r.user_id order by r.role desc, r.created_at desc limit 200`,
    [userId],
  )
