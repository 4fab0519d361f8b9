import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'

export interface SentMail {
  readonly id: string
  readonly template: string
  readonly recipient: string
  readonly state: string
  /** What it said, sealed for its id; null where it is not kept (any more). */
  readonly kept: Buffer | null
  /** The first of those that say the same. */
  readonly root: string
}
const MAIL = 'id, template, recipient, state, kept, coalesce(resent_from, id) as root'

export const sentMail = async (sql: Sql, id: string) => first(await sql.query<SentMail>(`select ${MAIL} from notices_mails where id = $1`, [id]))

/** One at a time of those that say the same, so that none is counted twice. */
export const lockResends = (sql: Sql, root: string) => sql.query(`select pg_advisory_xact_lock(hashtextextended('notices_resend:' || $1, 0))`, [root])

/** How often it was sent again since then. */
export async function countResends(sql: Sql, root: string, since: Date): Promise<number> {
  const [row] = await sql.query<{ n: number }>('select count(*)::int as n from notices_mails where resent_from = $1 and created_at >= $2', [root, since])
  return row!.n
}

/** Empties what is kept of mails that ended before then. */
export const emptyKept = (sql: Sql, before: Date) => sql.query('update notices_mails set kept = null where kept is not null and ended_at < $1', [before])
