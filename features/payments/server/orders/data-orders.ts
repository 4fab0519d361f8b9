import type { Sql } from '#platform/server/database/db.ts'
import { ORDER_TYPE, toRecordType } from '../../words.ts'
import type { OrderEvent, OrderState } from '../../words.ts'
import type { OrderRow } from '../data.ts'

export interface OrderSearch {
  readonly userId: string
  readonly orderType?: number
  readonly states?: readonly OrderState[]
  /** End of the order number, in capitals. */
  readonly tail?: string
  /** Days of Shanghai, both included. */
  readonly from?: string
  readonly to?: string
  /** Returns orders before this row. */
  readonly before?: bigint
  readonly limit: number
}
export interface ListedOrder extends OrderRow {
  readonly refunded: bigint
}

const REFUNDED_SQL = `coalesce((select sum(f.amount_nano + f.fee_nano) from payments_refunds f where f.order_id = o.id and f.state = 'succeeded'), 0)::bigint as refunded`

/** A user's orders, newest first, starting at a row: each page costs the same. */
export async function searchOrders(sql: Sql, search: OrderSearch): Promise<ListedOrder[]> {
  return sql.query<ListedOrder>(
    `select o.*, now() as now, ${REFUNDED_SQL} from payments_orders o
    where o.user_id = $1 and ($2::bigint is null or o.id < $2) and ($3::smallint is null or o.order_type = $3)
      and ($4::text[] is null or o.state = any($4)) and ($5::text is null or right(o.order_no, length($5)) = $5)
      and ($6::date is null or o.created_at >= $6::date::timestamp at time zone 'Asia/Shanghai')
      and ($7::date is null or o.created_at < ($7::date + 1)::timestamp at time zone 'Asia/Shanghai')
    order by o.id desc limit $8`,
    [
      search.userId,
      search.before ?? null,
      search.orderType ?? null,
      search.states ?? null,
      search.tail ?? null,
      search.from ?? null,
      search.to ?? null,
      search.limit,
    ],
  )
}

export async function sumOrderRefunds(sql: Sql, orderId: bigint): Promise<bigint> {
  return (await sql.query<{ refunded: bigint }>(`select ${REFUNDED_SQL} from payments_orders o where o.id = $1`, [orderId]))[0]?.refunded ?? 0n
}

export interface OrderTimelineRow {
  readonly at: Date
  readonly event: OrderEvent
  readonly fromState: OrderState | null
  readonly toState: OrderState
  readonly actor: string
  readonly reason: string
  readonly facts: Readonly<Record<string, string>>
}

/** Oldest first. */
export async function selectOrderTimeline(sql: Sql, orderId: bigint): Promise<OrderTimelineRow[]> {
  return sql.query<OrderTimelineRow>(
    'select at, event, from_state, to_state, actor, reason, facts from payments_order_timeline where order_id = $1 order by id',
    [orderId],
  )
}

/** The method of each trade of an order, by channel and trade number. */
export async function selectTradeMethods(sql: Sql, orderId: bigint): Promise<{ channelType: number; tradeNo: string; transactionType: number }[]> {
  return sql.query('select distinct channel_type, trade_no, transaction_type from payments_attempts where order_id = $1', [orderId])
}

/** A row of the record: a recharge (1), a withdrawal (2) or any other order (3). */
export interface RecordKey {
  readonly type: 1 | 2 | 3
  readonly id: bigint
}

/** Order types that count as recharges in the record; passed to the query. */
const RECHARGES = Object.values(ORDER_TYPE).filter((orderType) => toRecordType(orderType) === 1)

/** A page of a user's orders and withdrawals combined, newest first, and their total count. */
export async function selectRecordPage(
  sql: Sql,
  search: { userId: string; type: RecordKey['type'] | undefined; offset: number; limit: number },
): Promise<{ keys: RecordKey[]; total: number }> {
  const type = `case when order_type in (${RECHARGES.join(', ')}) then 1 else 3 end`
  const all = `(select ${type} as type, id, created_at from payments_orders where user_id = $1 and ($2::int is null or $2 = ${type})
    union all select 2, id, created_at from payments_withdrawals where user_id = $1 and coalesce($2, 2) = 2) r`
  const keys = await sql.query<RecordKey & { total: bigint }>(
    `select type, id, count(*) over () as total from ${all} order by created_at desc, type desc, id desc offset $3 limit $4`,
    [search.userId, search.type ?? null, search.offset, search.limit],
  )
  const total = keys[0]?.total ?? (await sql.query<{ n: bigint }>(`select count(*) as n from ${all}`, [search.userId, search.type ?? null]))[0]!.n
  return { keys, total: Number(total) }
}

export async function selectOrdersByIds(sql: Sql, ids: readonly bigint[]): Promise<OrderRow[]> {
  return ids.length ? sql.query<OrderRow>('select *, now() as now from payments_orders where id = any($1)', [ids]) : []
}
