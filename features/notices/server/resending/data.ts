import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'

export interface SentMail {
  readonly id: string
  readonly template: string
  readonly recipient: string
  readonly state: string
  /** Sealed content; null if it is not kept or was deleted. */
  readonly kept: Buffer | null
  /** Id of the original of a resent mail, or its own id. */
  readonly root: string
}
const MAIL = 'id, template, recipient, state, kept, coalesce(resent_from, id) as root'

export const selectSentMail = async (sql: Sql, id: string) => first(await sql.query<SentMail>(`select ${MAIL} from notices_mails where id = $1`, [id]))

/** Serializes resends of the same original, so that none is counted twice. */
export const lockResends = (sql: Sql, root: string) => sql.query(`select pg_advisory_xact_lock(hashtextextended('notices_resend:' || $1, 0))`, [root])

/** Number of resends since that time. */
export async function countResends(sql: Sql, root: string, since: Date): Promise<number> {
  const [row] = await sql.query<{ n: number }>('select count(*)::int as n from notices_mails where resent_from = $1 and created_at >= $2', [root, since])
  return row!.n
}

/** Clears the kept content of mails that ended before the given time. */
export const clearResendContent = (sql: Sql, before: Date) =>
  sql.query('update notices_mails set kept = null where kept is not null and ended_at < $1', [before])
