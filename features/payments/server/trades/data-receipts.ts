import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

/** Channel notices, received payments, and the handling of payments that fit no order. */

export async function selectOrderOfPayment(sql: Sql, channelType: number, channelTxn: string): Promise<{ orderId: bigint; tradeNo: string } | undefined> {
  return first(
    await sql.query<{ orderId: bigint; tradeNo: string }>('select order_id, trade_no from payments_receipts where channel_type = $1 and channel_txn = $2', [
      channelType,
      channelTxn,
    ]),
  )
}

export async function hasNotice(sql: Sql, channelType: number, noticeId: string): Promise<boolean> {
  return (await sql.query('select 1 as known from payments_notices where channel_type = $1 and notice_id = $2', [channelType, noticeId])).length > 0
}

/** Returns false if another transaction has inserted it; waits for a transaction in progress. */
export async function insertChannelNotice(
  tx: Tx,
  notice: { channelType: number; noticeId: string; orderId: bigint; tradeNo: string; event: string },
): Promise<boolean> {
  return (
    (
      await tx.query(
        'insert into payments_notices (channel_type, notice_id, order_id, trade_no, event) values ($1,$2,$3,$4,$5) on conflict do nothing returning 1 as new',
        [notice.channelType, notice.noticeId, notice.orderId, notice.tradeNo, notice.event],
      )
    ).length > 0
  )
}

export type ReceiptOutcome = 'credited' | 'late' | 'again' | 'returning' | 'suspense'

export interface NewPaymentReceipt {
  readonly channelType: number
  readonly channelTxn: string
  readonly orderId: bigint
  readonly tradeNo: string
  readonly minor: bigint
  readonly currency: string
  readonly paidAt: Date
  readonly outcome: ReceiptOutcome
  readonly worth: bigint
  readonly ledgerRef: string
}

export interface PaymentReceiptRow {
  readonly id: bigint
  readonly channelType: number
  readonly channelTxn: string
  readonly orderId: bigint
  readonly tradeNo: string
  readonly paidMinor: bigint
  readonly currency: string
  readonly paidAt: Date
  readonly outcome: ReceiptOutcome
  readonly worthNano: bigint
  readonly ledgerRef: string
  /** Set once money in suspense was credited to the balance. */
  readonly resolvedNano: bigint | null
}

export async function insertReceipt(tx: Tx, receipt: NewPaymentReceipt): Promise<PaymentReceiptRow> {
  const rows = await tx.query<PaymentReceiptRow>(
    `insert into payments_receipts (channel_type, channel_txn, order_id, trade_no, paid_minor, currency, paid_at, outcome, worth_nano, ledger_ref)
    values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10) returning *, null::bigint as resolved_nano`,
    [
      receipt.channelType,
      receipt.channelTxn,
      receipt.orderId,
      receipt.tradeNo,
      receipt.minor,
      receipt.currency,
      receipt.paidAt,
      receipt.outcome,
      receipt.worth,
      receipt.ledgerRef,
    ],
  )
  return rows[0]!
}

/** Payments received for an order, oldest first. */
export async function selectReceipts(sql: Sql, orderId: bigint): Promise<PaymentReceiptRow[]> {
  return sql.query<PaymentReceiptRow>(
    `select r.*, s.amount_nano as resolved_nano from payments_receipts r left join payments_resolutions s on s.receipt_id = r.id where r.order_id = $1 order by r.id`,
    [orderId],
  )
}

export async function insertResolution(
  tx: Tx,
  receiptId: bigint,
  { amount, ledgerRef, reason }: { readonly amount: bigint; readonly ledgerRef: string; readonly reason: string },
): Promise<void> {
  await tx.query('insert into payments_resolutions (receipt_id, amount_nano, ledger_ref, actor, reason) values ($1,$2,$3,$4,$5)', [
    receiptId,
    amount,
    ledgerRef,
    `${tx.actor.kind}:${tx.actor.id}`,
    reason,
  ])
}
