import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { TradeMethod } from '../data.ts'
import type { OpenOutcome } from '../vendors/port.ts'

/** Attempts to open an order at a channel, and the trades that may exist there as a result. */

export interface AttemptRow {
  readonly id: bigint
  readonly opened: Extract<OpenOutcome, { kind: 'opened' }>
  readonly expiresAt: Date
  readonly now: Date
}

export interface TradeRow {
  readonly channelType: number
  readonly tradeNo: string
  readonly openedAt: Date
  readonly channelRef: string | null
}

export async function insertAttempt(tx: Tx, orderId: bigint, { method, tradeNo }: { readonly method: TradeMethod; readonly tradeNo: string }): Promise<bigint> {
  await tx.query('update payments_orders set transaction_type = $2, trade_from = $3, declined = false, scanned = false where id = $1', [
    orderId,
    method.transactionType,
    method.tradeFrom,
  ])
  const rows = await tx.query<{ id: bigint }>(
    `insert into payments_attempts (order_id, channel_type, transaction_type, trade_from, trade_no, state) values ($1,$2,$3,$4,$5,'prepared') returning id`,
    [orderId, method.channelType, method.transactionType, method.tradeFrom, tradeNo],
  )
  return rows[0]!.id
}

/** Marks an attempt as possibly sent; commit it before the call. */
export async function markDispatched(sql: Sql, attemptId: bigint): Promise<void> {
  await sql.query(`update payments_attempts set state = 'dispatched' where id = $1 and state = 'prepared'`, [attemptId])
}

export async function finishAttempt(
  tx: Tx,
  id: bigint,
  end: { state: 'succeeded' | 'failed' | 'unknown'; opened?: Extract<OpenOutcome, { kind: 'opened' }>; reason?: string },
): Promise<void> {
  await tx.query(
    `update payments_attempts set state = $2, form = $3, opened = $4, expires_at = $5, reason = $6, finished_at = now() where id = $1 and state = 'dispatched'`,
    [id, end.state, end.opened?.form ?? null, end.opened ? JSON.stringify(end.opened) : null, end.opened?.expiresAt ?? null, end.reason?.slice(0, 300) ?? null],
  )
}

/** Parameters that remain usable for `seconds`, so that a reload does not call the channel again. */
export async function selectUsableAttempt(
  sql: Sql,
  orderId: bigint,
  { method, seconds }: { readonly method: TradeMethod; readonly seconds: number },
): Promise<AttemptRow | undefined> {
  return first(
    await sql.query<AttemptRow>(
      `select id, opened, expires_at, now() as now from payments_attempts where order_id = $1 and channel_type = $2 and transaction_type = $3 and trade_from = $4
    and state = 'succeeded' and expires_at > now() + make_interval(secs => $5) order by id desc limit 1`,
      [orderId, method.channelType, method.transactionType, method.tradeFrom, seconds],
    ),
  )
}

/** Trades that may exist at a channel: every call that may have been sent and was not definitely refused. Newest first. */
export async function selectTrades(sql: Sql, orderId: bigint): Promise<TradeRow[]> {
  return sql.query<TradeRow>(
    `select channel_type, trade_no, min(created_at) as opened_at, max(opened->>'channelRef') as channel_ref
    from payments_attempts where order_id = $1 and state in ('dispatched','succeeded','unknown')
    group by channel_type, trade_no order by max(id) desc`,
    [orderId],
  )
}

export async function selectOrderOfTrade(sql: Sql, channelType: number, tradeNo: string): Promise<bigint | undefined> {
  return first(
    await sql.query<{ orderId: bigint }>(`select order_id from payments_attempts where channel_type = $1 and trade_no = $2 and state <> 'prepared' limit 1`, [
      channelType,
      tradeNo,
    ]),
  )?.orderId
}

/** Number of times that an order was opened by one method. */
export async function countAttempts(tx: Tx, orderId: bigint, method: TradeMethod): Promise<number> {
  const rows = await tx.query<{ n: bigint }>(
    'select count(*) as n from payments_attempts where order_id = $1 and channel_type = $2 and transaction_type = $3 and trade_from = $4',
    [orderId, method.channelType, method.transactionType, method.tradeFrom],
  )
  return Number(rows[0]!.n)
}
