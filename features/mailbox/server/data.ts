import { type Sql, first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { selectTask } from '#features/services/server/door.ts'
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
type StoredFile = Omit<MailboxFilesRow, 'place'>

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

export interface Box {
  readonly taskId: string
  readonly userId: string
  readonly address: string
  readonly passwordHash: string | null
  readonly failures: number
  readonly lockedUntil: Date | null
  readonly version: number
  /** Number of mails ever received. */
  readonly mails: number
  readonly bytes: bigint
  readonly wipedAt: Date | null
  readonly released: boolean
  readonly now: Date
}
const ALL = '*, clock_timestamp() as now'

/** Notifies the requests that wait for this mailbox. */
export const notifyMailboxWaiters = (sql: Sql, taskId: string) => sql.query(`select pg_notify('mailbox', $1)`, [taskId])

export async function findSealedKey(sql: Sql, userId: string): Promise<Buffer | undefined> {
  return first(await sql.query<{ sealedKey: Buffer }>('select sealed_key from mailbox_keys where user_id = $1', [userId]))?.sealedKey
}
export async function insertKey(sql: Sql, userId: string, sealed: Buffer): Promise<void> {
  await sql.query('insert into mailbox_keys (user_id, sealed_key) values ($1,$2) on conflict do nothing', [userId, sealed])
}

/** Returns false if the name is taken. */
export async function insertBox(tx: Tx, box: { taskId: string; userId: string; address: string }): Promise<boolean> {
  const rows = await tx.query(
    `insert into mailbox_boxes (task_id, user_id, address) values ($1,$2,$3) on conflict (address) where not released do nothing returning task_id`,
    [box.taskId, box.userId, box.address],
  )
  return rows.length > 0
}
export async function findMailbox(sql: Sql, taskId: string): Promise<Box | undefined> {
  return first(await sql.query<Box>(`select ${ALL} from mailbox_boxes where task_id = $1`, [taskId]))
}
export async function lockBox(tx: Tx, taskId: string): Promise<Box | undefined> {
  return first(await tx.query<Box>(`select ${ALL} from mailbox_boxes where task_id = $1 for update`, [taskId]))
}
export async function listMailboxes(sql: Sql, taskIds: readonly string[]): Promise<Box[]> {
  return sql.query<Box>(`select ${ALL} from mailbox_boxes where task_id = any($1)`, [taskIds])
}
/** Finds the mailbox with a name, in any state. */
export async function findAddressHolder(sql: Sql, address: string): Promise<Box | undefined> {
  return first(await sql.query<Box>(`select ${ALL} from mailbox_boxes where address = $1 and not released`, [address], 'mailbox.at'))
}
/** Finds the mailbox that receives mail at an address now, i.e. once it is paid or begins free. */
export async function findReceivingMailbox(sql: Sql, address: string): Promise<Box | undefined> {
  const box = await findAddressHolder(sql, address)
  if (!box || box.wipedAt) return undefined
  const task = await selectTask(sql, box.taskId)
  return task?.phase === 'waiting' || task?.phase === 'using' ? box : undefined
}

export async function setPassword(tx: Tx, taskId: string, hash: string): Promise<void> {
  await tx.query('update mailbox_boxes set password_hash = $2, failures = 0, locked_until = null, version = version + 1 where task_id = $1', [taskId, hash])
}
/** Counts a guess before it is checked and returns the count; undefined while the mailbox is locked. */
export async function countGuess(
  sql: Sql,
  taskId: string,
  { most, minutes }: { readonly most: number; readonly minutes: number },
): Promise<number | undefined> {
  const rows = await sql.query<{ failures: number }>(
    `update mailbox_boxes set failures = case when locked_until is not null then 1 else failures + 1 end,
      locked_until = case when (case when locked_until is not null then 1 else failures + 1 end) >= $2 then clock_timestamp() + make_interval(mins => $3) end
      where task_id = $1 and (locked_until is null or locked_until <= clock_timestamp()) returning failures`,
    [taskId, most, minutes],
  )
  return rows[0]?.failures
}
export async function resetGuesses(sql: Sql, taskId: string): Promise<void> {
  await sql.query('update mailbox_boxes set failures = 0, locked_until = null where task_id = $1', [taskId])
}

export async function insertOpening(sql: Sql, taskId: string, { sessionId, hours }: { readonly sessionId: string; readonly hours: number }): Promise<void> {
  await sql.query(
    `insert into mailbox_openings (task_id, session_id, until) values ($1,$2, clock_timestamp() + make_interval(hours => $3))
      on conflict (task_id, session_id) do update set until = excluded.until`,
    [taskId, sessionId, hours],
  )
}
export async function closeOtherOpenings(sql: Sql, taskId: string, sessionId: string): Promise<void> {
  await sql.query('delete from mailbox_openings where task_id = $1 and session_id <> $2', [taskId, sessionId])
}
export async function listMailboxOpenings(sql: Sql, taskIds: readonly string[], sessionId: string): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ taskId: string }>(
    'select task_id from mailbox_openings where task_id = any($1) and session_id = $2 and until > clock_timestamp()',
    [taskIds, sessionId],
  )
  return new Set(rows.map(({ taskId }) => taskId))
}

/** Wipes a mailbox; frees the name if it never received mail. Idempotent. */
export async function wipeBox(tx: Tx, taskId: string, release: boolean): Promise<void> {
  await tx.query('delete from mailbox_messages where task_id = $1', [taskId])
  await tx.query('delete from mailbox_openings where task_id = $1', [taskId])
  await tx.query(
    `update mailbox_boxes set wiped_at = coalesce(wiped_at, clock_timestamp()), password_hash = null, released = released or ($2 and mails = 0),
      bytes = 0, version = version + 1 where task_id = $1 and wiped_at is null`,
    [taskId, release],
  )
}
export async function forgetUser(tx: Tx, userId: string): Promise<void> {
  for (const { taskId } of await tx.query<{ taskId: string }>('select task_id from mailbox_boxes where user_id = $1', [userId]))
    await wipeBox(tx, taskId, false)
  await tx.query('delete from mailbox_keys where user_id = $1', [userId])
}

export async function upsertReceiver(sql: Sql, node: string, port: number): Promise<void> {
  await sql.query(
    `insert into mailbox_receivers (node, port) values ($1,$2) on conflict (node) do update set port = excluded.port, seen_at = clock_timestamp()`,
    [node, port],
  )
  await sql.query(`delete from mailbox_receivers where seen_at < clock_timestamp() - interval '1 day'`)
}
export async function deleteReceiver(sql: Sql, node: string): Promise<void> {
  await sql.query('delete from mailbox_receivers where node = $1', [node])
}
/** Ports of the processes that receive mail now. */
export async function listReceiverPorts(sql: Sql): Promise<number[]> {
  return (
    await sql.query<{ port: number }>(`select port from mailbox_receivers where seen_at > clock_timestamp() - interval '45 seconds' order by seen_at desc`)
  ).map(({ port }) => port)
}
export async function listMailboxesByUser(sql: Sql, userId: string): Promise<Box[]> {
  return sql.query<Box>(`select ${ALL} from mailbox_boxes where user_id = $1 order by created_at`, [userId])
}
