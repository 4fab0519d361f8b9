import type { Sql } from '#platform/server/database/db.ts'

/** Cash of a user, in nano-dollars. */
export interface Cash {
  /** Confirmed payments less refunds, disputes and transfers out of the balance. */
  readonly net: bigint
  /** All payments that channels ever confirmed. */
  readonly received: bigint
  /** Order of the newest payment, and its amount; null before the first payment. */
  readonly orderNo: string | null
  readonly orderAmount: bigint | null
}

/** Counts only money that channels confirmed: no balance payments, codes or gifts, and no discount of an order. */
export async function selectCash(sql: Sql, userId: string): Promise<Cash> {
  const rows = await sql.query<Cash>(
    `with mine as (select id, order_no from payments_orders where user_id = $1),
    received as (select r.worth_nano, r.paid_at, r.id, m.order_no from payments_receipts r join mine m on m.id = r.order_id
      where r.outcome in ('credited', 'late', 'again')),
    sums as (select coalesce((select sum(worth_nano) from received), 0) as received,
      coalesce((select sum(f.amount_nano) from payments_refunds f join mine m on m.id = f.order_id
        where f.receipt_id is not null and f.goes_to = 'channel' and f.source <> 'suspense' and f.state = 'succeeded'), 0)
      + coalesce((select sum(d.clawed_nano) from payments_disputes d join mine m on m.id = d.order_id where d.state in ('open', 'lost')), 0)
      + coalesce((select sum(w.sent_nano) from payments_withdrawals w
        where w.user_id = $1 and w.source = 'balance' and w.state in ('in_transit', 'paid')), 0) as back)
    select (s.received - s.back)::bigint as net, s.received::bigint as received, l.order_no as "orderNo", l.worth_nano as "orderAmount"
    from sums s left join lateral (select order_no, worth_nano from received order by paid_at desc, id desc limit 1) l on true`,
    [userId],
  )
  return rows[0]!
}
