import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { orderNewestFirst } from './keyset.ts'

export interface OrderLine {
  readonly id: bigint
  readonly orderNo: string
  readonly userId: string
  readonly customer: string
  readonly orderType: number
  readonly state: string
  readonly source: string
  readonly amountNano: bigint
  readonly discountNano: bigint
  readonly discountGiven: boolean
  readonly feeNano: bigint
  readonly feePercent: string
  readonly totalNano: bigint
  readonly rate: string
  readonly payMinor: bigint
  readonly currency: string
  readonly channelType: number
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly expiresAt: Date
  readonly waits: 'refund' | 'suspense' | 'dispute' | null
}

/** True for a receipt `c` whose money awaits a decision: neither credited, nor being refunded, nor charged back. */
export const WAITS_IN_SUSPENSE = `c.outcome = 'suspense' and not exists (select 1 from payments_resolutions s where s.receipt_id = c.id)
  and not exists (select 1 from payments_refunds g where g.receipt_id = c.id and g.state in ('requested','approved','dispatched','unknown','succeeded'))
  and not exists (select 1 from payments_disputes d where d.receipt_id = c.id and d.state <> 'won')`
const REFUND = `exists (select 1 from payments_refunds r where r.order_id = o.id and r.state = 'requested')`
const SUSPENSE = `exists (select 1 from payments_receipts c where c.order_id = o.id and ${WAITS_IN_SUSPENSE})`
const DISPUTE = `exists (select 1 from payments_disputes d where d.order_id = o.id and d.state = 'open')`
const LINE = `o.id, o.order_no, o.user_id, coalesce(nullif(u.name, ''), '') as customer, o.order_type, o.state, o.source, o.amount_nano, o.discount_nano, o.discount_given, o.fee_nano, o.fee_percent, o.total_nano,
  o.rate, o.pay_minor, o.currency, o.channel_type, o.created_at, o.paid_at, o.expires_at,
  case when ${DISPUTE} then 'dispute' when ${SUSPENSE} then 'suspense' when ${REFUND} then 'refund' end as waits`
/** Orders with an open item, by its kind. Selected from the open items, which are few. */
const WAITING: Readonly<Record<'refund' | 'suspense' | 'dispute', string>> = {
  refund: `o.id in (select order_id from payments_refunds where state = 'requested')`,
  suspense: `o.id in (select c.order_id from payments_receipts c where ${WAITS_IN_SUSPENSE})`,
  dispute: `o.id in (select order_id from payments_disputes where state = 'open')`,
}

/** Unites lookups by index: a single condition over four columns would scan orders from the newest on until a page is full. */
const NAMED = `o.id in (select id from payments_orders where order_no >= upper($1) and order_no < upper($1) || chr(1114111)
    union all select id from payments_orders where user_id = $1
    union all select order_id from payments_receipts where channel_txn = $1 union all select order_id from payments_attempts where trade_no = $1)`

export interface OrdersFilter {
  readonly q: string | undefined
  readonly state: string | undefined
  readonly userId: string | undefined
  readonly channel: number | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  readonly waits: 'refund' | 'suspense' | 'dispute' | undefined
  readonly after: bigint | undefined
  readonly limit: number
}

/**
 * Orders, newest first. `q`: prefix of an order number, a trade or channel transaction number, or a customer id. Days are in Shanghai
 * time.
 */
export function listOrders(sql: Sql, wish: OrdersFilter): Promise<OrderLine[]> {
  return sql.query<OrderLine>(
    `select ${LINE} from payments_orders o left join account_users u on u.id = o.user_id
    where ${wish.q === undefined ? '$1::text is null' : NAMED}
      and ($2::text is null or o.state = $2) and ($3::text is null or o.user_id = $3) and ($4::int is null or o.channel_type = $4)
      and ($5::date is null or o.created_at >= ($5::date)::timestamp at time zone 'Asia/Shanghai')
      and ($6::date is null or o.created_at < ($6::date + 1)::timestamp at time zone 'Asia/Shanghai')
      and ${wish.waits ? WAITING[wish.waits] : 'true'} and ($7::bigint is null or o.id < $7)
    order by ${orderNewestFirst('o.id', wish.from, wish.to)} limit $8`,
    [wish.q ?? null, wish.state ?? null, wish.userId ?? null, wish.channel ?? null, wish.from ?? null, wish.to ?? null, wish.after ?? null, wish.limit],
  )
}

export async function findOrder(sql: Sql, orderNo: string): Promise<OrderLine | undefined> {
  return first(
    await sql.query<OrderLine>(`select ${LINE} from payments_orders o left join account_users u on u.id = o.user_id where o.order_no = upper($1)`, [orderNo]),
  )
}

export interface AttemptLine {
  readonly tradeNo: string
  readonly channelType: number
  readonly state: string
  readonly form: string | null
  readonly createdAt: Date
  readonly reason: string | null
}
export const listOrderAttempts = (sql: Sql, orderId: bigint): Promise<AttemptLine[]> =>
  sql.query('select trade_no, channel_type, state, form, created_at, reason from payments_attempts where order_id = $1 order by id desc limit 100', [orderId])

export interface OrderReceiptLine {
  readonly id: bigint
  readonly channelType: number
  readonly channelTxn: string
  readonly tradeNo: string
  readonly paidMinor: bigint
  readonly currency: string
  readonly paidAt: Date
  readonly outcome: string
  readonly worthNano: bigint
  readonly resolvedBy: string | null
}
export const listReceiptLines = (sql: Sql, orderId: bigint): Promise<OrderReceiptLine[]> =>
  sql.query(
    'select r.id, r.channel_type, r.channel_txn, r.trade_no, r.paid_minor, r.currency, r.paid_at, r.outcome, r.worth_nano, s.actor as resolved_by from payments_receipts r left join payments_resolutions s on s.receipt_id = r.id where r.order_id = $1 order by r.id',
    [orderId],
  )

export interface OrderNoticeLine {
  readonly noticeId: string
  readonly channelType: number
  readonly event: string
  readonly receivedAt: Date
}
export const listOrderNotices = (sql: Sql, orderId: bigint): Promise<OrderNoticeLine[]> =>
  sql.query(
    `select n.notice_id, n.channel_type, n.event, n.received_at from payments_notices n
    where (n.channel_type, n.trade_no) in (select channel_type, trade_no from payments_attempts where order_id = $1) and n.order_id = $1 order by n.received_at limit 100`,
    [orderId],
  )

export interface RefundLine {
  readonly refundNo: string
  readonly amountNano: bigint
  readonly feeNano: bigint
  readonly state: string
  readonly goesTo: string
  readonly reason: string
  readonly askedBy: string
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly failure: string | null
}
export const listRefundLines = (sql: Sql, orderId: bigint): Promise<RefundLine[]> =>
  sql.query(
    'select refund_no, amount_nano, fee_nano, state, goes_to, reason, asked_by, created_at, finished_at, failure from payments_refunds where order_id = $1 order by id',
    [orderId],
  )

export interface DisputeLine {
  readonly channelType: number
  readonly dueAt: Date | null
  readonly disputeId: string
  readonly minor: bigint
  readonly currency: string
  readonly state: string
  readonly createdAt: Date
  readonly closedAt: Date | null
}
export const listDisputeLines = (sql: Sql, orderId: bigint): Promise<DisputeLine[]> =>
  sql.query('select channel_type, dispute_id, minor, currency, state, created_at, closed_at, due_at from payments_disputes where order_id = $1 order by id', [
    orderId,
  ])

export interface OrderStepLine {
  readonly event: string
  readonly at: Date
  readonly actor: string
  readonly reason: string
}
export const listStepLines = (sql: Sql, orderId: bigint): Promise<OrderStepLine[]> =>
  sql.query('select event, at, actor, reason from payments_order_timeline where order_id = $1 order by id desc limit 200', [orderId])
