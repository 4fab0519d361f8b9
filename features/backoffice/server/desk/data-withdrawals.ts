import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'

export interface WithdrawalLine {
  readonly id: bigint
  readonly withdrawalNo: string
  readonly userId: string
  readonly customer: string
  readonly state: string
  readonly source: string
  readonly amountNano: bigint
  readonly channelNano: bigint
  readonly sentNano: bigint | null
  readonly sentMinor: bigint | null
  readonly payMinor: bigint
  readonly rate: string
  readonly shown: { readonly alipay: string; readonly name: string }
  readonly reason: string
  readonly payoutVendor: string | null
  readonly payoutTxn: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly risk: 'low' | 'middle' | 'high'
  readonly waiting: string | null
  readonly heldAt: Date | null
  readonly heldBy: string | null
  readonly heldUntil: Date | null
  readonly heldWhy: string
}

const LINE = `w.id, w.withdrawal_no, w.user_id, coalesce(nullif(u.name, ''), '') as customer, w.state, w.source, w.amount_nano, w.channel_nano, w.sent_nano, w.sent_minor, w.pay_minor, w.rate, w.shown,
  w.reason, w.payout_vendor, w.payout_txn, w.created_at, w.finished_at, w.held_at, w.held_by, w.held_until, w.held_why,
  case when w.state <> 'approving' then 'low' when p.changed_at > now() - interval '24 hours' or w.amount_nano > 1000000000000 then 'high'
    when w.source = 'reward' or not exists (select 1 from payments_withdrawals o where o.user_id = w.user_id and o.state = 'paid') then 'middle' else 'low' end as risk,
  (select c.no from backoffice_commands c where c.subject = 'withdrawal:' || w.withdrawal_no and c.state = 'waiting' order by c.id desc limit 1) as waiting`
const FROM = `payments_withdrawals w left join account_users u on u.id = w.user_id left join payments_payout_accounts p on p.user_id = w.user_id`

interface WithdrawalsFilter {
  readonly q: string | undefined
  readonly state: string | undefined
  /** Only withdrawals on hold. */
  readonly held: boolean
  readonly userId: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  readonly after: bigint | undefined
  readonly limit: number
}

/** Withdrawals, newest first. `q`: prefix of a number, or a customer id. Days are in Shanghai time. */
export function listWithdrawals(sql: Sql, { q, state, held, userId, from, to, after, limit }: WithdrawalsFilter): Promise<WithdrawalLine[]> {
  return sql.query<WithdrawalLine>(
    `select ${LINE} from ${FROM}
    where ($1::text is null or w.withdrawal_no >= upper($1) and w.withdrawal_no < upper($1) || chr(1114111) or w.user_id = $1)
      and ($2::text is null or w.state = $2) and ($3::text is null or w.user_id = $3)
      and ($4::date is null or w.created_at >= ($4::date)::timestamp at time zone 'Asia/Shanghai')
      and ($5::date is null or w.created_at < ($5::date + 1)::timestamp at time zone 'Asia/Shanghai') and ($6::bigint is null or w.id < $6)
      and (not $8::boolean or w.held_at is not null)
    order by w.id desc limit $7`,
    [q ?? null, state ?? null, userId ?? null, from ?? null, to ?? null, after ?? null, limit, held],
  )
}

export async function findWithdrawal(sql: Sql, withdrawalNo: string): Promise<WithdrawalLine | undefined> {
  return first(await sql.query<WithdrawalLine>(`select ${LINE} from ${FROM} where w.withdrawal_no = upper($1)`, [withdrawalNo]))
}

export interface PartLine {
  readonly orderNo: string
  readonly channelType: number
  readonly amountNano: bigint
  readonly minor: bigint
  readonly state: string
}
export const listPartLines = (sql: Sql, withdrawalId: bigint): Promise<PartLine[]> =>
  sql.query(
    `select o.order_no, o.channel_type, p.amount_nano, r.minor, case when p.lost then 'failed' else r.state end as state from payments_withdrawal_parts p
      join payments_refunds r on r.id = p.refund_id join payments_orders o on o.id = r.order_id where p.withdrawal_id = $1 order by r.id`,
    [withdrawalId],
  )

export const listWithdrawalSteps = (sql: Sql, withdrawalId: bigint): Promise<{ state: string; at: Date; actor: string; reason: string }[]> =>
  sql.query('select state, at, actor, reason from payments_withdrawal_steps where withdrawal_id = $1 order by id', [withdrawalId])

export interface PayoutRiskRow {
  readonly paidBefore: number
  readonly payers: number
  readonly payments: number
  readonly disputes: number
  readonly accountDays: number
  readonly verified: boolean
  readonly newDeviceAt: Date | null
  readonly reviews: number
  readonly payeeSince: Date | null
  readonly payeeChangedAt: Date | null
  readonly payeeUsers: number
}

/** Risk data of a customer who requests a withdrawal. */
export async function readPayoutRisk(sql: Sql, userId: string): Promise<PayoutRiskRow> {
  const [row] = await sql.query<PayoutRiskRow>(
    `select (select count(*)::int from payments_withdrawals where user_id = $1 and state = 'paid') as paid_before,
      (select count(distinct r.channel_type)::int from payments_receipts r join payments_orders o on o.id = r.order_id where o.user_id = $1) as payers,
      (select count(*)::int from payments_receipts r join payments_orders o on o.id = r.order_id where o.user_id = $1 and r.outcome in ('credited', 'late')) as payments,
      (select count(*)::int from payments_disputes d join payments_orders o on o.id = d.order_id where o.user_id = $1) as disputes,
      coalesce((select extract(day from now() - created_at)::int from account_users where id = $1), 0) as account_days,
      exists (select 1 from identity_people where user_id = $1 and status = 'passed') as verified,
      (select max(created_at) from account_sessions where user_id = $1 and created_at > now() - interval '48 hours') as new_device_at,
      (select count(*)::int from invitations_reviews where inviter_id = $1 and closed_at is null) as reviews,
      p.created_at as payee_since, p.changed_at as payee_changed_at,
      coalesce((select count(*)::int from payments_payout_accounts o where o.digest = p.digest and o.user_id <> $1), 0) as payee_users
    from (select 1) asked left join payments_payout_accounts p on p.user_id = $1`,
    [userId],
  )
  return row!
}
