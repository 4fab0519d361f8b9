import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { selectAccountsOfPerson, hasMark } from '#features/risk/server/door.ts'
import { PAYABLE } from '../words.ts'
import type { OrderRow } from './data.ts'

/** True once the user has paid through a channel. */
export async function hasPaidByChannel(sql: Sql, userId: string): Promise<boolean> {
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

/** True if the user, or another account of the same person, has had a discount. Also true if there are too many to list. */
export async function hasHadDiscount(sql: Sql, userId: string): Promise<boolean> {
  const accounts = await selectAccountsOfPerson(sql, userId)
  if (accounts === 'crowd') return true
  return (await sql.query('select 1 from payments_orders where user_id = any($1) and discount_given limit 1', [accounts])).length > 0
}

/**
 * Claims a person's one discount for an order; returns false if it was claimed before, or if no mark identifies the payer, whom only
 * the payment reveals. Claims are serialised by an advisory lock: two accounts of one person see each other's marks only after
 * commit.
 */
export async function claimDiscount(tx: Tx, order: OrderRow): Promise<boolean> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('payments.discount', 0))`)
  if (!(await hasMark(tx, order.userId, ['payer', 'person'])) || (await hasHadDiscount(tx, order.userId))) return false
  await tx.query('update payments_orders set discount_given = true where id = $1', [order.id])
  return true
}
