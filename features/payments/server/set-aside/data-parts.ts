import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import type { RefundState } from '../../words.ts'
import type { OrderRow } from '../data.ts'
import type { WithdrawalRow } from './data.ts'

/** Parts of a withdrawal, each refunded over the order that brought the money. */
export interface PartRow {
  readonly withdrawalId: bigint
  readonly refundNo: string
  readonly state: RefundState
  readonly orderNo: string
  readonly transactionType: number
  readonly amountNano: bigint
  readonly minor: bigint
  readonly currency: PayCurrency
}

const SOURCES_SQL = `select id from payments_orders where user_id = $1 and paid_at is not null and transaction_type <> 0
  and state in ('paid','fulfilled','paid_late','partially_refunded','refunding') order by paid_at desc, id desc limit $2`

/** Orders that may have funded the current balance, newest payment first. */
export async function selectSourceOrders(sql: Sql, userId: string, limit: number): Promise<OrderRow[]> {
  return sql.query<OrderRow>(`select *, now() as now from payments_orders where id in (${SOURCES_SQL}) order by paid_at desc, id desc`, [userId, limit])
}

/** The same orders, locked by number: several orders are always locked in one sequence. */
export async function lockSourceOrders(tx: Tx, userId: string, limit: number): Promise<OrderRow[]> {
  const rows = await tx.query<OrderRow>(`select *, clock_timestamp() as now from payments_orders where id in (${SOURCES_SQL}) order by id for update`, [
    userId,
    limit,
  ])
  return rows.toSorted((a, b) => b.paidAt!.getTime() - a.paidAt!.getTime() || (a.id < b.id ? 1 : -1))
}

export async function insertPart(tx: Tx, withdrawalId: bigint, { refundId, amount }: { readonly refundId: bigint; readonly amount: bigint }): Promise<void> {
  await tx.query('insert into payments_withdrawal_parts (refund_id, withdrawal_id, amount_nano) values ($1,$2,$3)', [refundId, withdrawalId, amount])
  await tx.query('update payments_withdrawals set channel_nano = channel_nano + $2 where id = $1', [withdrawalId, amount])
}

/** Oldest first. */
export async function selectWithdrawalParts(sql: Sql, withdrawalIds: readonly bigint[]): Promise<PartRow[]> {
  return sql.query<PartRow>(
    `select p.withdrawal_id, f.refund_no, f.state, o.order_no, o.transaction_type, p.amount_nano, f.minor, f.currency
    from payments_withdrawal_parts p join payments_refunds f on f.id = p.refund_id join payments_orders o on o.id = f.order_id
    where p.withdrawal_id = any($1) order by p.refund_id`,
    [withdrawalIds],
  )
}

/** Locks the withdrawal that a refund belongs to; undefined when it belongs to none. */
export async function lockWithdrawalOfRefund(tx: Tx, refundId: bigint): Promise<WithdrawalRow | undefined> {
  return first(
    await tx.query<WithdrawalRow>(
      `select w.*, clock_timestamp() as now from payments_withdrawals w where id = (select withdrawal_id from payments_withdrawal_parts where refund_id = $1) for update`,
      [refundId],
    ),
  )
}

/** Detaches a part whose refund failed, once; returns its amount. The withdrawal must be locked. */
export async function detachPart(tx: Tx, refundId: bigint): Promise<bigint | undefined> {
  const row = first(
    await tx.query<{ amountNano: bigint; withdrawalId: bigint }>(
      'update payments_withdrawal_parts set lost = true where refund_id = $1 and not lost returning amount_nano, withdrawal_id',
      [refundId],
    ),
  )
  if (row) await tx.query('update payments_withdrawals set channel_nano = channel_nano - $2 where id = $1', [row.withdrawalId, row.amountNano])
  return row?.amountNano
}

export async function lockWithdrawal(tx: Tx, id: bigint): Promise<WithdrawalRow> {
  return (await tx.query<WithdrawalRow>('select *, clock_timestamp() as now from payments_withdrawals where id = $1 for update', [id]))[0]!
}
