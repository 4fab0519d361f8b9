import type { ReadyMail, Sql } from '../port.ts'

export interface SandboxMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly code: string | null
  readonly at: Date
}

export async function putMail(sql: Sql, mail: ReadyMail, at: Date): Promise<void> {
  await sql.query('insert into notices_sandbox_mails (message_id, recipient, subject, text, html, code, at) values ($1,$2,$3,$4,$5,$6,$7)', [
    mail.messageId,
    mail.to,
    mail.subject,
    mail.text,
    mail.html,
    mail.code ?? null,
    at,
  ])
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
