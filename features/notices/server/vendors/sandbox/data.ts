import type { ReadyMail, ReadySms, Sql } from '../port.ts'

export interface SandboxMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly code: string | null
  readonly at: Date
}

/** Stores a mail. A second one with the same Message-ID is dropped, as mailboxes do, unless `anyway` is true. */
export async function putMail(sql: Sql, mail: ReadyMail, at: Date, anyway = false): Promise<void> {
  await sql.query(
    `insert into notices_sandbox_mails (message_id, recipient, subject, text, html, code, at) select $1,$2,$3,$4,$5,$6,$7
    where $8 or not exists (select from notices_sandbox_mails where message_id = $1)`,
    [mail.messageId, mail.to, mail.subject, mail.text, mail.html, mail.code ?? null, at, anyway],
  )
}

export function readMails(sql: Sql, to: string | undefined, limit: number): Promise<SandboxMail[]> {
  return sql.query<SandboxMail>(
    `select recipient as "to", subject, text, html, code, at from notices_sandbox_mails
    where $1::text is null or lower(recipient) = $1 order by seq desc limit $2`,
    [to ?? null, limit],
  )
}

export async function deleteMails(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from notices_sandbox_mails where at < $1', [before])
}

export interface SandboxSms {
  /** E.164. */
  readonly to: string
  readonly text: string
  readonly code: string | null
  readonly at: Date
}

export async function putSms(sql: Sql, sms: ReadySms, at: Date): Promise<void> {
  await sql.query('insert into notices_sandbox_sms (message_id, recipient, text, code, at) values ($1,$2,$3,$4,$5)', [sms.id, sms.to, sms.text, sms.code, at])
}

export async function hasSms(sql: Sql, messageId: string): Promise<boolean> {
  return (await sql.query('select 1 from notices_sandbox_sms where message_id = $1 limit 1', [messageId])).length === 1
}

export function readSms(sql: Sql, to: string | undefined, limit: number): Promise<SandboxSms[]> {
  return sql.query<SandboxSms>(
    `select recipient as "to", text, code, at from notices_sandbox_sms where $1::text is null or recipient = $1 order by seq desc limit $2`,
    [to ?? null, limit],
  )
}

export async function deleteSms(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from notices_sandbox_sms where at < $1', [before])
}
