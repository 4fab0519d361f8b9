import { WAITS_IN_SUSPENSE } from './data-orders.ts'
import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { WORK_VIEWS, WorkKind } from '../../contract-desk.console.ts'

export interface WorkItemRow {
  readonly id: string
  readonly kind: WorkKind
  readonly subject: string
  readonly title: string
  readonly note: string
  readonly detail: string
  readonly userId: string | null
  readonly nano: bigint | null
  readonly minor: bigint | null
  readonly currency: string
  readonly since: Date
  readonly due: Date
  readonly target: number
  readonly risk: 'low' | 'middle' | 'high'
  readonly takenBy: string | null
  readonly takenName: string | null
  readonly takenUntil: Date | null
  readonly waitingNo: string | null
  readonly waitingAskedBy: string | null
}

/**
 * Query of each kind, with these columns: id, subject of its commands, title, note (a text key), detail (verbatim), user, amount, since,
 * target in minutes, risk.
 */
const KINDS: Readonly<Record<WorkKind, string>> = {
  withdrawal: `select 'withdrawal:' || w.withdrawal_no, 'withdrawal:' || w.withdrawal_no, w.withdrawal_no,
      case when w.held_at is not null then 'withdrawalHeld' when w.source = 'reward' then 'reward' when p.changed_at > now() - interval '24 hours' then 'newPayee' when f.past is null then 'firstWithdrawal' else 'withdrawal' end,
      '', w.user_id, w.amount_nano, null, 'USD', w.created_at, 240,
      case when p.changed_at > now() - interval '24 hours' or w.amount_nano > 1000000000000 then 'high' when f.past is null or w.source = 'reward' then 'middle' else 'low' end
    from payments_withdrawals w left join payments_payout_accounts p on p.user_id = w.user_id
      left join lateral (select 1 as past from payments_withdrawals o where o.user_id = w.user_id and o.state = 'paid' limit 1) f on true where w.state = 'approving' or w.held_at is not null`,
  refund: `select 'refund:' || r.refund_no, 'order:' || o.order_no, o.order_no, 'refundAsked', r.reason, o.user_id, r.amount_nano, null, 'USD', r.created_at, 240,
      case when r.amount_nano > 100000000000 then 'middle' else 'low' end from payments_refunds r join payments_orders o on o.id = r.order_id where r.state = 'requested'`,
  suspense: `select 'suspense:' || c.id, 'order:' || o.order_no, o.order_no, 'suspense', c.channel_txn, o.user_id, null, c.paid_minor, c.currency, c.created_at, 240, 'middle'
    from payments_receipts c join payments_orders o on o.id = c.order_id where ${WAITS_IN_SUSPENSE}`,
  dispute: `select 'dispute:' || d.channel_type || ':' || d.dispute_id, 'order:' || o.order_no, o.order_no, case when e.state in ('waiting', 'taken') then 'disputeAnswered' else 'dispute' end, d.dispute_id, o.user_id, null, d.minor, d.currency, d.created_at,
      coalesce(greatest(1, floor(extract(epoch from d.due_at - d.created_at) / 60)::int), 10080), case when e.state in ('waiting', 'taken') then 'low' else 'high' end
    from payments_disputes d join payments_orders o on o.id = d.order_id left join payments_evidence e on e.dispute_pk = d.id where d.state = 'open'`,
  fault: `select 'fault:' || f.id, 'fault:' || f.id, f.subject, 'fault_' || f.class, f.day::text, null, null, null, '', (f.day + 1)::timestamptz, 1440,
      case when f.class in ('missing', 'extra', 'amount', 'duplicate') then 'middle' else 'low' end from payments_faults f where f.state = 'open'`,
  conversation: `select 'conversation:' || s.id, 'conversation:' || s.id,
      coalesce((select left(m.text, 80) from support_messages m where m.conversation_id = s.id and m.author = 'user' order by m.seq desc limit 1), s.topic), 'conversation', coalesce(s.order_no, ''), s.user_id, null, null, '', greatest(s.updated_at, s.snoozed_until), (array[15, 30, 60])[s.priority + 1], (array['high', 'middle', 'low'])[s.priority + 1]
    from support_conversations s where s.state = 'open' and (s.snoozed_until is null or s.snoozed_until <= $1) or s.state = 'waiting' and s.snoozed_until <= $1`,
  complaint: `select 'complaint:' || s.id, 'complaint:' || s.id, left(s.content, 80), 'complaint', coalesce(s.order_no, ''), s.user_id, null, null, '', s.created_at, 1440, 'middle'
    from support_complaints s where s.state = 'open'`,
  invoice: `select 'invoice:' || q.request_no, 'invoice:' || q.request_no, q.request_no, 'invoiceAsked', q.month, q.user_id, null, null, '', q.asked_at, 1440, 'low'
    from payments_invoice_requests q where q.state = 'open'`,
  review: `select 'review:' || v.id, 'review:' || v.id, v.inviter_id, 'review', '', v.inviter_id, null, null, '', v.created_at,
      greatest(1, floor(extract(epoch from v.due_at - v.created_at) / 60)::int), 'high' from invitations_reviews v where v.closed_at is null`,
  identity: `select 'identity:' || i.user_id, 'user:' || i.user_id, i.user_id, 'identity_' || coalesce(i.reason, ''), '', i.user_id, null, null, '', i.updated_at, 1440, 'middle'
    from identity_people i where i.status = 'review'`,
  approval: `select 'approval:' || c.no, 'command:' || c.no, c.no,
      case when exists (select from backoffice_questions q where q.command_id = c.id and not exists (select from backoffice_answers a where a.question_id = q.id)) then 'approvalAsked' else 'approval' end, c.name, case when c.subject like 'user:%' then substr(c.subject, 6) end, c.amount_nano, null, 'USD', c.asked_at, 1440,
      case when c.level = 'two' then 'high' else 'middle' end
    from backoffice_commands c where c.state = 'waiting' and c.name not like 'withdrawal.%' and c.name not like 'order.%' and c.name not like 'fault.%'`,
  glass: `select 'glass:' || c.no, 'command:' || c.no, c.no, 'glass', c.name, null, c.amount_nano, null, 'USD', c.asked_at, 1440, 'high'
    from backoffice_commands c where c.via = 'breakGlass' and c.reviewed_by is null`,
  // Requests with an unknown outcome that the supplier has not resolved for a day
  supplier: `select 'supplier:' || w.subject, coalesce('order:' || o.order_no, w.subject), coalesce(o.order_no, substr(w.subject, strpos(w.subject, ':') + 1)), 'supplierSilent', concat_ws(' · ', nullif(w.supplier, ''), w.port || '.' || w.operation, w.reason, nullif(w.detail, '')),
      o.user_id, r.amount_nano, null, 'USD', w.work_at, 1440, 'high' from supplier_waits w left join payments_refunds r on w.subject = 'refund:' || r.refund_no
      left join payments_orders o on o.id = r.order_id or w.subject = 'order:' || o.order_no where w.work_at is not null`,
  silent: `select 'silent:' || s.node, 'node:' || s.node, s.node, 'silentNode', count(*)::text, null, sum(s.amount)::bigint, null, 'USD', min(s.swept_at), 1440,
      case when sum(s.amount) > 100000000000 then 'high' else 'middle' end
    from gateway_swept s where s.basis = 'hold' and s.resolved_at is null group by s.node`,
}

const COLUMNS = 'id, subject, title, note, detail, user_id, nano, minor, currency, since, target, risk'

/** All work items with their leases and pending commands. $1: now. */
const ITEMS = `with kinds (${COLUMNS}, kind) as (
  ${Object.entries(KINDS)
    .map(
      ([kind, query]) =>
        `select id, subject, title, note, detail, user_id::text, nano::bigint, minor::bigint, currency, since, target, risk, '${kind}' from (${query}) k (${COLUMNS})`,
    )
    .join('\n  union all ')}
), items as (
  select k.*, date_trunc('milliseconds', k.since + make_interval(mins => k.target)) as due, l.operator_id as taken_by, o.name as taken_name, l.until as taken_until,
    c.no as waiting_no, c.asked_by as waiting_asked_by
  from kinds k left join backoffice_leases l on l.item = k.id and l.until > $1 left join backoffice_operators o on o.id = l.operator_id
    left join lateral (select no, asked_by from backoffice_commands where subject = k.subject and state = 'waiting' order by id desc limit 1) c on true
)`

type View = (typeof WORK_VIEWS)[number]
/** $1: now, $2: the operator. */
const VIEWS: Readonly<Record<View, string>> = {
  mine: 'taken_by = $2',
  second: 'waiting_no is not null and waiting_asked_by <> $2',
  late: 'due < $1',
  large: 'nano > 500000000000',
}

interface WorkFilter {
  readonly now: Date
  readonly operatorId: string
  readonly kind: WorkKind | undefined
  readonly view: View | undefined
  readonly after: { readonly due: Date; readonly id: string } | undefined
  readonly limit: number
}

export function listWorkItems(sql: Sql, { now, operatorId, kind, view, after, limit }: WorkFilter): Promise<WorkItemRow[]> {
  return sql.query<WorkItemRow>(
    `${ITEMS} select * from items where ($3::text is null or kind = $3) and ($4::timestamptz is null or (due, id) > ($4, $5::text)) and $2::text is not null and (${view ? VIEWS[view] : 'true'})
    order by due, id limit $6`,
    [now, operatorId, kind ?? null, after?.due ?? null, after?.id ?? '', limit],
  )
}

export async function findWorkItem(sql: Sql, now: Date, id: string): Promise<WorkItemRow | undefined> {
  return first(await sql.query<WorkItemRow>(`${ITEMS} select * from items where id = $2`, [now, id]))
}

export interface WorkCounts {
  readonly kind: WorkKind
  readonly total: number
  readonly mine: number
  readonly second: number
  readonly late: number
  readonly large: number
}

export function countWorkItems(sql: Sql, now: Date, operatorId: string): Promise<WorkCounts[]> {
  const views = Object.entries(VIEWS).map(([name, when]) => `count(*) filter (where ${when})::int as ${name}`)
  return sql.query<WorkCounts>(`${ITEMS} select kind, count(*)::int as total, ${views.join(', ')} from items where $2::text is not null group by kind`, [
    now,
    operatorId,
  ])
}

/** Time of the last completed command, shown by an empty list. */
export async function findLastDone(sql: Sql): Promise<Date | null> {
  return (
    first(
      await sql.query<{ at: Date | null }>(
        `select max(ended_at) as at from (select ended_at from backoffice_commands where state = 'done' order by id desc limit 20) c`,
      ),
    )?.at ?? null
  )
}

/** Takes or extends a lease; undefined if another operator holds it. */
export async function takeWorkItem(
  tx: Tx,
  item: string,
  { operatorId, now, until }: { readonly operatorId: string; readonly now: Date; readonly until: Date },
): Promise<Date | undefined> {
  return first(
    await tx.query<{ until: Date }>(
      `insert into backoffice_leases as held (item, operator_id, until) values ($1,$2,$4)
      on conflict (item) do update set operator_id = excluded.operator_id, until = excluded.until where held.operator_id = $2 or held.until <= $3 returning until`,
      [item, operatorId, now, until],
    ),
  )?.until
}

export async function releaseItem(tx: Tx, item: string, operatorId: string): Promise<void> {
  await tx.query('delete from backoffice_leases where item = $1 and operator_id = $2', [item, operatorId])
}

/** Deletes expired leases. */
export async function forgetLeases(tx: Tx, now: Date): Promise<void> {
  await tx.query('delete from backoffice_leases where until <= $1', [now])
}
