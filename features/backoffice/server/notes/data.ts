import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { BackofficeCustomerNotesRow } from '../tables.ts'

export interface NoteRow extends Pick<BackofficeCustomerNotesRow, 'id' | 'userId' | 'pinned' | 'madeBy' | 'madeAt'> {
  readonly text: string
}
const NOTE = 'id, user_id, text, pinned, made_by, made_at'

export async function insertNote(sql: Sql, note: NoteRow): Promise<void> {
  await sql.query('insert into backoffice_customer_notes (id, user_id, text, pinned, made_by, made_at) values ($1,$2,$3,$4,$5,$6)', [
    note.id,
    note.userId,
    note.text,
    note.pinned,
    note.madeBy,
    note.madeAt,
  ])
}

/** Finds a note that was not removed. */
export const findNote = async (sql: Sql, id: string) =>
  first(await sql.query<NoteRow>(`select ${NOTE} from backoffice_customer_notes where id = $1 and removed_at is null`, [id]))

/** Pins or unpins a note; false if unchanged or removed. */
export async function pinNote(sql: Sql, id: string, pinned: boolean): Promise<boolean> {
  const rows = await sql.query('update backoffice_customer_notes set pinned = $2 where id = $1 and removed_at is null and pinned <> $2 returning 1', [
    id,
    pinned,
  ])
  return rows.length === 1
}

/** Removes a note; false if it is already removed. */
export async function removeNote(sql: Sql, id: string, removed: { by: string; at: Date }): Promise<boolean> {
  const rows = await sql.query(
    'update backoffice_customer_notes set removed_at = $2, removed_by = $3, text = null, pinned = false where id = $1 and removed_at is null returning 1',
    [id, removed.at, removed.by],
  )
  return rows.length === 1
}

export async function countNotes(sql: Sql, userId: string): Promise<{ notes: number; pinned: number }> {
  const [row] = await sql.query<{ notes: number; pinned: number }>(
    'select count(*)::int as notes, (count(*) filter (where pinned))::int as pinned from backoffice_customer_notes where user_id = $1 and removed_at is null',
    [userId],
  )
  return row!
}

/** Notes, pinned ones first, then the newest. */
export const listCustomerNotes = (
  sql: Sql,
  userId: string,
  { after, limit }: { readonly after: { pinned: boolean; id: string } | undefined; readonly limit: number },
) =>
  sql.query<NoteRow>(
    `select ${NOTE} from backoffice_customer_notes where user_id = $1 and removed_at is null and ($2::boolean is null or (pinned, id) < ($2, $3))
     order by pinned desc, id desc limit $4`,
    [userId, after?.pinned ?? null, after?.id ?? null, limit],
  )
