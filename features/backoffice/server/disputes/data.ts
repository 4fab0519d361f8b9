import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'

export interface DisputedOrder {
  readonly orderNo: string
  readonly userId: string
  readonly orderType: number
  readonly amountNano: bigint
  readonly feeNano: bigint
  readonly payMinor: bigint
  readonly currency: string
  readonly createdAt: Date
  readonly paidAt: Date
  readonly channelTxn: string
}
export const findDisputedOrder = async (sql: Sql, disputePk: bigint): Promise<DisputedOrder | undefined> =>
  first(
    await sql.query<DisputedOrder>(
      `select o.order_no, o.user_id, o.order_type, o.amount_nano, o.fee_nano, r.paid_minor as pay_minor, r.currency, o.created_at, r.paid_at, r.channel_txn
      from payments_disputes d join payments_orders o on o.id = d.order_id join payments_receipts r on r.id = d.receipt_id where d.id = $1`,
      [disputePk],
    ),
  )

export interface DailyUseRow {
  readonly day: string
  readonly calls: bigint
  readonly amount: bigint
}
/** Usage per day in Shanghai time from the daily sums, newest first. */
export const listDailyUse = (sql: Sql, userId: string, since: Date): Promise<DailyUseRow[]> =>
  sql.query<DailyUseRow>(
    `select day::text, sum(calls)::bigint as calls, sum(amount)::bigint as amount from gateway_usage_days
    where account_id = (select id from wallet_accounts where owner = 'user:' || $1 and kind = 'customer' and currency = 'USD')
      and day >= ($2::timestamptz at time zone 'Asia/Shanghai')::date group by day order by day desc limit 60`,
    [userId, since],
  )

/** Stored sign-ins, newest first. */
export const listSignIns = (sql: Sql, userId: string): Promise<{ at: Date; ip: string }[]> =>
  sql.query('select created_at as at, ip from account_sessions where user_id = $1 order by created_at desc limit 30', [userId])
