import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { MailboxFilesRow } from './tables.ts'

export interface StoredMail {
  readonly id: string
  readonly taskId: string
  readonly userId: string
  readonly receivedAt: Date
  readonly readAt: Date | null
  readonly sealed: Buffer
  readonly files: number
}
export type StoredFile = Omit<MailboxFilesRow, 'place'>

/** Inserts a mail; false if it exists already. The mailbox must be locked. */
export async function insertMail(
  tx: Tx,
  mail: { id: string; taskId: string; userId: string; digest: Buffer; bytes: number; sealed: Buffer },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into mailbox_messages (id, task_id, user_id, digest, bytes, sealed) values ($1,$2,$3,$4,$5,$6) on conflict (task_id, digest) do nothing returning id`,
    [mail.id, mail.taskId, mail.userId, mail.digest, mail.bytes, mail.sealed],
  )
  if (!rows.length) return false
  await tx.query('update mailbox_boxes set mails = mails + 1, bytes = bytes + $2, version = version + 1 where task_id = $1', [mail.taskId, mail.bytes])
  return true
}
export async function insertFile(tx: Tx, file: StoredFile & { readonly place: number }): Promise<void> {
  await tx.query('insert into mailbox_files (id, message_id, user_id, place, bytes, name, sealed) values ($1,$2,$3,$4,$5,$6,$7)', [
    file.id,
    file.messageId,
    file.userId,
    file.place,
    file.bytes,
    file.name,
    file.sealed,
  ])
}

const WITH_FILES = '(select count(*)::int from mailbox_files f where f.message_id = m.id) as files'
export async function listMails(sql: Sql, taskId: string, { limit, offset }: { readonly limit: number; readonly offset: number }): Promise<StoredMail[]> {
  return sql.query<StoredMail>(`select m.*, ${WITH_FILES} from mailbox_messages m where task_id = $1 order by received_at desc, id desc limit $2 offset $3`, [
    taskId,
    limit,
    offset,
  ])
}
/** Number of mails and of unread mails, without deleted ones. */
export async function countMails(sql: Sql, taskIds: readonly string[]): Promise<ReadonlyMap<string, { readonly mails: number; readonly unread: number }>> {
  const rows = await sql.query<{ taskId: string; mails: number; unread: number }>(
    `select task_id, count(*)::int as mails, count(*) filter (where read_at is null)::int as unread from mailbox_messages where task_id = any($1) group by 1`,
    [taskIds],
  )
  return new Map(rows.map(({ taskId, ...counts }) => [taskId, counts]))
}
export async function findMail(sql: Sql, id: string, userId: string): Promise<StoredMail | undefined> {
  return first(await sql.query<StoredMail>(`select m.*, ${WITH_FILES} from mailbox_messages m where id = $1 and user_id = $2`, [id, userId]))
}
export async function markRead(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql.query<{ taskId: string }>(
    'update mailbox_messages set read_at = clock_timestamp() where id = $1 and read_at is null returning task_id',
    [id],
  )
  for (const { taskId } of rows) await sql.query('update mailbox_boxes set version = version + 1 where task_id = $1', [taskId])
  return rows.length > 0
}
export async function deleteMail(tx: Tx, id: string): Promise<void> {
  const rows = await tx.query<{ taskId: string; bytes: number }>('delete from mailbox_messages where id = $1 returning task_id, bytes', [id])
  for (const { taskId, bytes } of rows) {
    await tx.query('update mailbox_boxes set bytes = greatest(0, bytes - $2), version = version + 1 where task_id = $1', [taskId, bytes])
  }
}
export async function listMailFiles(sql: Sql, messageId: string): Promise<Omit<StoredFile, 'sealed'>[]> {
  return sql.query<StoredFile>('select id, message_id, user_id, bytes, name from mailbox_files where message_id = $1 order by place', [messageId])
}
export async function findMailFile(sql: Sql, id: string, userId: string): Promise<StoredFile | undefined> {
  return first(await sql.query<StoredFile>('select * from mailbox_files where id = $1 and user_id = $2', [id, userId]))
}
