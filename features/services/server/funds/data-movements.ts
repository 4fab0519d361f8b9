import type { Sql } from '#platform/server/database/db.ts'
import type { ServicesTasksRow } from '../tables.ts'

export type ChargedTask = Pick<ServicesTasksRow, 'id' | 'chargeId' | 'orderNo' | 'service'>

/** Tasks of a user by the transaction that charged them, or by their id. */
export const selectChargedTasks = (sql: Sql, userId: string, { charges, ids }: { readonly charges: readonly bigint[]; readonly ids: readonly string[] }) =>
  sql.query<ChargedTask>(`select id, charge_id, order_no, service from services_tasks where user_id = $1 and (charge_id = any ($2) or id = any ($3))`, [
    userId,
    charges,
    ids,
  ])
