import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { PAYABLE } from '../words.ts'
import type { OrderRow } from './data.ts'

/** Whether money of the user ever came through a channel. */
export async function hasPaid(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql.query('select 1 from payments_receipts r join payments_orders o on o.id = r.order_id where o.user_id = $1 limit 1', [userId])
  return rows.length > 0
}

/** Unpaid orders of the user that carry a discount, locked. */
export async function lockDiscounted(tx: Tx, userId: string): Promise<OrderRow[]> {
  return tx.query<OrderRow>(`select *, now() as now from payments_orders where user_id = $1 and discount_nano > 0 and state = any($2) order by id for update`, [
    userId,
    PAYABLE,
  ])
}

/** True for the one order of a user whose discount is given. Two at once end in a unique violation, and the second is settled again. */
export async function claimDiscount(tx: Tx, order: OrderRow): Promise<boolean> {
  const rows = await tx.query(
    `update payments_orders set discount_given = true where id = $1 and not discount_given
      and not exists (select from payments_orders where user_id = $2 and discount_given) returning 1`,
    [order.id, order.user_id],
  )
  return rows.length === 1
}
