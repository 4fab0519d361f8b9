import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { PayCurrency } from '../contract-currencies.ts'
import type { OrderEvent, OrderState, TradeFrom } from '../words.ts'
import type { PaymentsOrdersRow } from './tables.ts'

/** Rows as the database returns them. `now` is the database's clock: expiry is never computed from the application's clock (T1). */
export interface OrderRow {
  readonly id: bigint
  readonly orderNo: string
  readonly userId: string
  readonly orderType: number
  readonly state: OrderState
  /** State regardless of refunds and disputes; null until the order is paid. */
  readonly baseState: OrderState | null
  readonly wishes: OrderItemInputs
  /** `auto`: charged under an agreement; cannot be opened or cancelled manually. */
  readonly source: 'user' | 'auto'
  /** Amount paid for. `discount_nano` is added to the credit, once per user. */
  readonly amountNano: bigint
  readonly discountNano: bigint
  readonly discountGiven: boolean
  readonly feePercent: string
  /** The whole fee; `fixed_nano` is its fixed part. */
  readonly feeNano: bigint
  readonly fixedNano: bigint
  readonly totalNano: bigint
  readonly rate: string
  readonly currency: PayCurrency
  readonly payMinor: bigint
  readonly channelType: number
  readonly transactionType: number
  readonly tradeFrom: TradeFrom
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly paidAt: Date | null
  readonly scanned: boolean
  readonly declined: boolean
  readonly nextCheckAt: Date | null
  readonly checks: number
  readonly seenAt: Date | null
  readonly now: Date
}
/** Inputs of the ordered service. */
export interface OrderItemInputs {
  readonly service?: string
  readonly cardId?: string
  /** Dollars of the amount that are a deposit; set by the order type, never by the buyer. */
  readonly deposit?: string
}
/** A timeline entry; the facts fill its text. */
export interface TimelineNote {
  readonly event?: OrderEvent
  readonly facts?: Readonly<Record<string, string>>
  /** Time when the channel took the money: the payment time on every page and paper. */
  readonly paidAt?: Date
}
export type TradeMethod = Pick<PaymentsOrdersRow, 'channelType' | 'transactionType' | 'tradeFrom'>
export interface NewOrder extends TradeMethod {
  readonly orderNo: string
  readonly userId: string
  readonly orderType: number
  readonly amount: bigint
  readonly discount: bigint
  readonly feePercent: string
  readonly fee: bigint
  readonly fixed: bigint
  readonly total: bigint
  readonly rate: string
  readonly currency: PayCurrency
  readonly payMinor: bigint
  readonly minutes: number
  readonly wishes: OrderItemInputs
  readonly source?: OrderRow['source']
}

/** States of an order regardless of its refunds and disputes. */
const BASE_STATES: readonly OrderState[] = ['paid', 'fulfilled', 'paid_late', 'integrity_failure']
const PAYABLE_SQL = `state in ('created','paying','unknown')`

export async function insertOrder(tx: Tx, order: NewOrder): Promise<OrderRow> {
  const rows = await tx.query<OrderRow>(
    `insert into payments_orders (order_no, user_id, order_type, amount_nano, fee_percent, fee_nano, total_nano, rate, currency, pay_minor, channel_type, transaction_type, trade_from, wishes, source, expires_at, next_check_at, fixed_nano, discount_nano)
    values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$15,$16, now() + make_interval(mins => $14), now() + make_interval(mins => $14), $17, $18) returning *, now() as now`,
    [
      order.orderNo,
      order.userId,
      order.orderType,
      order.amount,
      order.feePercent,
      order.fee,
      order.total,
      order.rate,
      order.currency,
      order.payMinor,
      order.channelType,
      order.transactionType,
      order.tradeFrom,
      order.minutes,
      JSON.stringify(order.wishes),
      order.source ?? 'user',
      order.fixed,
      order.discount,
    ],
  )
  await insertStep(tx, rows[0]!.id, { from: null, to: 'created', reason: order.source === 'auto' ? 'created by auto recharge' : 'created by the user' })
  return rows[0]!
}

export async function countOpenOrders(tx: Tx, userId: string): Promise<number> {
  // Serialises one user's order creations, so that the limit also holds for concurrent calls.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('payments.open:' || $1, 0))`, [userId])
  return Number(
    (await tx.query<{ n: bigint }>(`select count(*) as n from payments_orders where user_id = $1 and ${PAYABLE_SQL} and expires_at > now()`, [userId]))[0]!.n,
  )
}

export async function selectOrderByNo(sql: Sql, orderNo: string, userId?: string): Promise<OrderRow | undefined> {
  return first(
    await sql.query<OrderRow>('select *, now() as now from payments_orders where order_no = $1 and ($2::text is null or user_id = $2)', [
      orderNo,
      userId ?? null,
    ]),
  )
}

export async function lockOrder(tx: Tx, id: bigint): Promise<OrderRow> {
  return (await tx.query<OrderRow>('select *, clock_timestamp() as now from payments_orders where id = $1 for update', [id]))[0]!
}

/** Moves an order along one edge and records the step; the database refuses an unknown edge. */
export async function moveOrder(
  tx: Tx,
  order: OrderRow,
  { to, reason, told = {} }: { readonly to: OrderState; readonly reason: string; readonly told?: TimelineNote },
): Promise<OrderRow> {
  const isBase = BASE_STATES.includes(to)
  const rows = await tx.query<OrderRow>(
    `update payments_orders set state = $2, paid_at = case when $3 then coalesce(paid_at, $6, clock_timestamp()) else paid_at end,
    base_state = case when $5 then $2 else base_state end,
    next_check_at = coalesce(next_check_at, now()) where id = $1 and state = $4 returning *, clock_timestamp() as now`,
    [order.id, to, to === 'paid' || to === 'paid_late', order.state, isBase, told.paidAt ?? null],
  )
  if (!rows[0]) throw new Error(`order ${order.orderNo} is no longer ${order.state}`)
  await insertStep(tx, order.id, { ...told, from: order.state, to, reason })
  return rows[0]
}

/** Adds a timeline entry without moving the order. */
export async function noteStep(
  tx: Tx,
  order: Pick<OrderRow, 'id' | 'state'>,
  { event, reason, facts = {} }: { readonly event: OrderEvent; readonly reason: string; readonly facts?: TimelineNote['facts'] },
): Promise<void> {
  await insertStep(tx, order.id, { from: order.state, to: order.state, reason, event, facts })
}

/** True once the service has reported that it cannot deliver. */
export async function wasUndeliverable(sql: Sql, orderId: bigint): Promise<boolean> {
  return (await sql.query(`select 1 as yes from payments_order_timeline where order_id = $1 and event = 'impossible' limit 1`, [orderId])).length > 0
}

/** The service finishes while a refund or dispute is open: only the state without those changes. */
export async function setBaseState(tx: Tx, id: bigint, base: OrderState): Promise<OrderRow> {
  return (await tx.query<OrderRow>('update payments_orders set base_state = $2 where id = $1 returning *, clock_timestamp() as now', [id, base]))[0]!
}

interface OrderStep extends TimelineNote {
  readonly from: OrderState | null
  readonly to: OrderState
  readonly reason: string
}

async function insertStep(tx: Tx, orderId: bigint, { from, to, reason, event, facts = {} }: OrderStep): Promise<void> {
  await tx.query('insert into payments_order_steps (order_id, from_state, to_state, actor, reason, event, facts) values ($1,$2,$3,$4,$5,$6,$7)', [
    orderId,
    from,
    to,
    `${tx.actor.kind}:${tx.actor.id}`,
    reason,
    event ?? null,
    JSON.stringify(facts),
  ])
}

export async function markScannedOrDeclined(tx: Tx, id: bigint, seen: { scanned: boolean; declined: boolean }): Promise<void> {
  await tx.query('update payments_orders set scanned = $2, declined = $3 where id = $1', [id, seen.scanned, seen.declined])
}

export async function scheduleCheck(tx: Tx, id: bigint, at: Date | null): Promise<void> {
  await tx.query('update payments_orders set next_check_at = $2 where id = $1', [id, at])
}

/** Due orders, each rescheduled by a minute so that a crash only delays them. */
export async function takeDueOrders(sql: Sql, limit: number): Promise<bigint[]> {
  const rows = await sql.query<{ id: bigint }>(
    `with due as (select id from payments_orders where next_check_at <= now() order by next_check_at limit $1 for update skip locked)
    update payments_orders o set next_check_at = now() + interval '60 seconds', checks = o.checks + 1 from due where o.id = due.id returning o.id`,
    [limit],
  )
  return rows.map((row) => row.id)
}

/** Claims the channel query of an order: at most one per `seconds`. Also records that a client is watching. */
export async function claimOrderQuery(sql: Sql, id: bigint, seconds: number): Promise<boolean> {
  return (
    (
      await sql.query(
        `update payments_orders set asked_at = now(), seen_at = now() where id = $1 and state <> 'fulfilled' and (asked_at is null or asked_at <= now() - make_interval(secs => $2)) returning 1 as mine`,
        [id, seconds],
      )
    ).length > 0
  )
}

export async function scheduleCheckWithin(sql: Sql, id: bigint, seconds: number): Promise<void> {
  await sql.query(`update payments_orders set next_check_at = least(next_check_at, now() + make_interval(secs => $2)) where id = $1`, [id, seconds])
}
