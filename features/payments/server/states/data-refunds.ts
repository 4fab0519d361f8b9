import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import type { RefundState } from '../../words.ts'
import type { PaymentsDisputesRow } from '../tables.ts'

/**
 * Account that holds the money until it is sent: the user's balance, our income, or suspense. `held`: it stayed the user's, or its service
 * posted it.
 */
export type RefundSource = 'balance' | 'revenue' | 'suspense' | 'held'

export interface RefundRow {
  readonly id: bigint
  readonly refundNo: string
  readonly orderId: bigint
  /** Null: the order was paid from the balance. */
  readonly receiptId: bigint | null
  readonly source: RefundSource
  readonly goesTo: 'channel' | 'balance'
  readonly amountNano: bigint
  readonly feeNano: bigint
  readonly minor: bigint
  readonly currency: PayCurrency
  readonly state: RefundState
  readonly reason: string
  readonly askedBy: string
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly checks: number
}
export interface NewRefund {
  readonly refundNo: string
  readonly orderId: bigint
  readonly receiptId: bigint | null
  readonly source: RefundSource
  readonly goesTo: 'channel' | 'balance'
  readonly amount: bigint
  readonly fee: bigint
  readonly minor: bigint
  readonly currency: string
  readonly state: 'requested' | 'approved'
  readonly reason: string
}
export interface DisputeRow extends Omit<PaymentsDisputesRow, 'feeNano' | 'dueAt'> {
  /** Fee charged to the payer in addition to the amount, and the part of it that was owed at first. */
  readonly feeNano: bigint
  /** Deadline for evidence at the channel. */
  readonly dueAt: Date | null
}

/** The database refuses it if the payment has too little left (I8): ORDER_REFUND_TOO_LARGE. */
export async function insertRefund(tx: Tx, refund: NewRefund): Promise<RefundRow> {
  try {
    const rows = await tx.query<RefundRow>(
      `insert into payments_refunds (refund_no, order_id, receipt_id, source, goes_to, amount_nano, fee_nano, minor, currency, state, reason, asked_by, next_check_at)
      values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12, case when $10 = 'approved' then now() end) returning *`,
      [
        refund.refundNo,
        refund.orderId,
        refund.receiptId,
        refund.source,
        refund.goesTo,
        refund.amount,
        refund.fee,
        refund.minor,
        refund.currency,
        refund.state,
        refund.reason,
        `${tx.actor.kind}:${tx.actor.id}`,
      ],
    )
    return rows[0]!
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'payments_refunds_captured') fail('ORDER_REFUND_TOO_LARGE', { max: '0' })
    throw error
  }
}

/** Moves a refund along one edge; undefined if it has already left that state. */
export async function moveRefund(
  tx: Tx,
  refund: Pick<RefundRow, 'id' | 'state'>,
  { to, more = {} }: { readonly to: RefundState; readonly more?: { seconds?: number | null; failure?: string; channelRefund?: string; decided?: boolean } },
): Promise<RefundRow | undefined> {
  return first(
    await tx.query<RefundRow>(
      `update payments_refunds set state = $2, next_check_at = case when $3::float8 is null then null else clock_timestamp() + make_interval(secs => $3) end,
      finished_at = case when $2 in ('succeeded','failed','rejected','reversed') then clock_timestamp() end,
      failure = coalesce($4, failure), channel_refund = coalesce($5, channel_refund), decided_by = coalesce($6, decided_by),
      checks = case when $2 = 'dispatched' then checks else 0 end,
      dispatched_at = case when $2 = 'dispatched' then coalesce(dispatched_at, clock_timestamp()) else dispatched_at end
      where id = $1 and state = $7 returning *`,
      [
        refund.id,
        to,
        more.seconds ?? null,
        more.failure?.slice(0, 300) ?? null,
        more.channelRefund ?? null,
        more.decided ? `${tx.actor.kind}:${tx.actor.id}` : null,
        refund.state,
      ],
    ),
  )
}

export async function scheduleRefund(tx: Tx, id: bigint, seconds: number | null): Promise<void> {
  await tx.query(
    'update payments_refunds set next_check_at = case when $2::float8 is null then null else clock_timestamp() + make_interval(secs => $2) end where id = $1',
    [id, seconds],
  )
}

export async function selectRefundById(sql: Sql, id: bigint): Promise<RefundRow | undefined> {
  return first(await sql.query<RefundRow>('select * from payments_refunds where id = $1', [id]))
}

export async function selectRefundByNo(sql: Sql, refundNo: string): Promise<RefundRow | undefined> {
  return first(await sql.query<RefundRow>('select * from payments_refunds where refund_no = $1', [refundNo]))
}

/** Refunds of an order, oldest first. */
export async function selectRefunds(sql: Sql, orderId: bigint): Promise<RefundRow[]> {
  return sql.query<RefundRow>('select * from payments_refunds where order_id = $1 order by id', [orderId])
}

/** Claims due refunds and reschedules each, so that a crashed process only delays it. */
export async function takeDueRefunds(sql: Sql, limit: number): Promise<bigint[]> {
  const rows = await sql.query<{ id: bigint }>(
    `with due as (select id from payments_refunds where next_check_at <= now() order by next_check_at limit $1 for update skip locked)
    update payments_refunds r set next_check_at = now() + interval '60 seconds', checks = r.checks + 1 from due where r.id = due.id returning r.id`,
    [limit],
  )
  return rows.map((row) => row.id)
}

/**
 * The payment's other refunds: the sum, in its minor units, of those sent before this one that did or may exist at the channel, and whether
 * one is in progress.
 */
export async function sumOtherRefunds(sql: Sql, refund: RefundRow): Promise<{ minor: bigint; busy: boolean }> {
  const rows = await sql.query<{ minor: bigint; busy: boolean }>(
    `select coalesce(sum(o.minor) filter (where o.state in ('dispatched','unknown','succeeded')
        and (r.dispatched_at is null or (o.dispatched_at, o.id) < (r.dispatched_at, r.id))), 0)::bigint as minor,
      coalesce(bool_or(o.state in ('dispatched','unknown')), false) as busy
    from payments_refunds o, payments_refunds r where o.receipt_id = $1 and r.id = $2 and o.id <> r.id`,
    [refund.receiptId, refund.id],
  )
  return rows[0]!
}

/** Undefined if it is recorded already. */
export async function insertDispute(
  tx: Tx,
  dispute: { channelType: number; disputeId: string; orderId: bigint; receiptId: bigint; minor: bigint; currency: string },
): Promise<DisputeRow | undefined> {
  return first(
    await tx.query<DisputeRow>(
      `insert into payments_disputes (channel_type, dispute_id, order_id, receipt_id, minor, currency, state) values ($1,$2,$3,$4,$5,$6,'open')
      on conflict (channel_type, dispute_id) do nothing returning *`,
      [dispute.channelType, dispute.disputeId, dispute.orderId, dispute.receiptId, dispute.minor, dispute.currency],
    ),
  )
}

export async function selectDisputeByNo(sql: Sql, channelType: number, disputeId: string): Promise<DisputeRow | undefined> {
  return first(await sql.query<DisputeRow>('select * from payments_disputes where channel_type = $1 and dispute_id = $2', [channelType, disputeId]))
}

/** State as reported by the channel. */
export async function setDisputeDue(tx: Tx, channelType: number, { disputeId, dueAt }: { readonly disputeId: string; readonly dueAt: Date }): Promise<void> {
  await tx.query('update payments_disputes set due_at = $3 where channel_type = $1 and dispute_id = $2 and due_at is distinct from $3', [
    ...[channelType, disputeId, dueAt],
  ])
}

export async function selectOrderDisputes(sql: Sql, orderId: bigint): Promise<DisputeRow[]> {
  return sql.query<DisputeRow>('select * from payments_disputes where order_id = $1 order by id', [orderId])
}

export async function moveDispute(tx: Tx, dispute: Pick<DisputeRow, 'id' | 'state'>, to: 'won' | 'lost'): Promise<DisputeRow | undefined> {
  return first(
    await tx.query<DisputeRow>(
      `update payments_disputes set state = $2, closed_at = clock_timestamp(), fee_nano = 0, fee_owed_nano = 0 where id = $1 and state = $3 returning *`,
      [dispute.id, to, dispute.state],
    ),
  )
}

export async function storeDisputeFee(tx: Tx, id: bigint, { fee, owed }: { readonly fee: bigint; readonly owed: bigint }): Promise<void> {
  await tx.query('update payments_disputes set fee_nano = $2, fee_owed_nano = $3 where id = $1', [id, fee, owed])
}

/** Stores the amount held because of a dispute; returns the number of its posting. */
export async function setClawed(tx: Tx, id: bigint, clawed: bigint): Promise<number> {
  return (
    await tx.query<{ postings: number }>('update payments_disputes set clawed_nano = $2, postings = postings + 1 where id = $1 returning postings', [
      id,
      clawed,
    ])
  )[0]!.postings
}
