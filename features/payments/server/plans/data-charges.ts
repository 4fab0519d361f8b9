import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { ChargeState } from '../../words-out.ts'
import type { OrderRow } from '../data.ts'
import type { ChargeRefusal } from '../vendors/port.ts'

export interface ChargeRow {
  readonly orderId: bigint
  readonly userId: string
  readonly agreementNo: string
  readonly state: ChargeState
  readonly chargeAt: Date
  /** Day in Shanghai, YYYY-MM-DD. */
  readonly day: string
  readonly month: string
  readonly refusal: ChargeRefusal | null
  readonly tries: number
  readonly createdAt: Date
  readonly endedAt: Date | null
}
const CHARGE_COLUMNS = 'order_id, user_id, agreement_no, state, charge_at, day::text, month::text, refusal, tries, created_at, ended_at'

/** Undefined if another charge is in progress: the table's index allows one. */
export async function insertCharge(
  tx: Tx,
  order: OrderRow,
  { agreementNo, leadMinutes }: { readonly agreementNo: string; readonly leadMinutes: number },
): Promise<ChargeRow | undefined> {
  return first(
    await tx.query<ChargeRow>(
      `insert into payments_auto_charges (order_id, user_id, agreement_no, charge_at, next_try_at, day, month)
      values ($1,$2,$3, now() + make_interval(mins => $4), now() + make_interval(mins => $4), (now() at time zone 'Asia/Shanghai')::date,
        date_trunc('month', now() at time zone 'Asia/Shanghai')::date) on conflict do nothing returning ${CHARGE_COLUMNS}`,
      [order.id, order.userId, agreementNo, leadMinutes],
    ),
  )
}

/** Lock the order first. */
export const lockCharge = async (tx: Tx, orderId: bigint) =>
  first(await tx.query<ChargeRow>(`select ${CHARGE_COLUMNS} from payments_auto_charges where order_id = $1 for update`, [orderId]))

/** The charge that is announced or in progress. */
export const selectLiveCharge = async (sql: Sql, userId: string) =>
  first(await sql.query<ChargeRow>(`select ${CHARGE_COLUMNS} from payments_auto_charges where user_id = $1 and state in ('announced','charging')`, [userId]))

/** Marks the call as about to be sent; the charge is checked repeatedly until its outcome is known. */
export async function beginCharge(tx: Tx, orderId: bigint): Promise<void> {
  await tx.query(`update payments_auto_charges set state = 'charging', next_try_at = now() + interval '20 seconds' where order_id = $1`, [orderId])
}

export async function finishCharge(
  tx: Tx,
  orderId: bigint,
  { state, refusal }: { readonly state: Exclude<ChargeState, 'announced' | 'charging'>; readonly refusal?: ChargeRefusal },
): Promise<void> {
  await tx.query(
    `update payments_auto_charges set state = $2, refusal = coalesce($3, refusal), next_try_at = null, ended_at = coalesce(ended_at, now()) where order_id = $1`,
    [orderId, state, refusal ?? null],
  )
}

/** Due charges, each rescheduled so that a crash only delays them. */
export async function takeDueCharges(sql: Sql, limit: number): Promise<bigint[]> {
  const rows = await sql.query<{ orderId: bigint }>(
    `with due as (select order_id from payments_auto_charges where next_try_at <= now() order by next_try_at limit $1 for update skip locked)
    update payments_auto_charges c set tries = c.tries + 1, next_try_at = now() + make_interval(secs => least(120, 15 * 2 ^ least(c.tries, 3))::int)
    from due where c.order_id = due.order_id returning c.order_id`,
    [limit],
  )
  return rows.map((row) => row.orderId)
}

export type ChargedOrder = ChargeRow & Pick<OrderRow, 'orderNo' | 'amountNano' | 'feeNano' | 'totalNano' | 'payMinor' | 'currency' | 'transactionType'>

export const selectUserCharges = (sql: Sql, userId: string, limit: number) =>
  sql.query<ChargedOrder>(
    `select c.order_id, c.user_id, c.agreement_no, c.state, c.charge_at, c.day::text, c.month::text, c.refusal, c.tries, c.created_at, c.ended_at,
      o.order_no, o.amount_nano, o.fee_nano, o.total_nano, o.pay_minor, o.currency, o.transaction_type
    from payments_auto_charges c join payments_orders o on o.id = c.order_id where c.user_id = $1 order by c.order_id desc limit $2`,
    [userId, limit],
  )
