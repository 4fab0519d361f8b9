import { first } from '#platform/server/db.ts'
import type { Sql } from '#platform/server/db.ts'

export interface WaitingMail {
  readonly id: string
  readonly recipient: string
  readonly content: Buffer
  readonly attempts: number
  readonly good_until: Date
}
export type MailEnd = 'sent' | 'refused' | 'expired'

/** False when the event already has its mail. */
export async function insertMail(
  sql: Sql,
  mail: { id: string; dedupe: string; template: string; to: string; content: Buffer; goodUntil: Date; now: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into notices_mails (id, dedupe, template, recipient, content, good_until, created_at)
    values ($1,$2,$3,$4,$5,$6,$7) on conflict (dedupe) do nothing returning id`,
    [mail.id, mail.dedupe, mail.template, mail.to, mail.content, mail.goodUntil, mail.now],
  )
  return rows.length === 1
}

/** Takes the mail for one attempt; nobody else gets it until the lease is over. */
export async function claimMail(sql: Sql, id: string, now: Date, until: Date): Promise<WaitingMail | undefined> {
  return first(
    await sql.query<WaitingMail>(
      `update notices_mails set attempts = attempts + 1, claimed_until = $3
    where id = $1 and state = 'waiting' and (claimed_until is null or claimed_until <= $2)
    returning id, recipient, content, attempts, good_until`,
      [id, now, until],
    ),
  )
}

export async function isWaiting(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query(`select 1 from notices_mails where id = $1 and state = 'waiting'`, [id])).length === 1
}

/** Gives the mail back after a failed attempt. */
export async function releaseMail(sql: Sql, id: string, problem: string): Promise<void> {
  await sql.query(`update notices_mails set claimed_until = null, problem = $2 where id = $1 and state = 'waiting'`, [id, problem])
}

/** The end of a mail, whichever: its content is emptied. */
export async function endMail(sql: Sql, id: string, state: MailEnd, vendor: string, now: Date, problem?: string): Promise<void> {
  await sql.query(
    `update notices_mails set state = $2, vendor = $3, ended_at = $4, problem = $5, content = null, claimed_until = null
    where id = $1 and state = 'waiting'`,
    [id, state, vendor, now, problem ?? null],
  )
}

/** Ends all that nobody waits for any more; returns how many. */
export async function endOverdue(sql: Sql, now: Date): Promise<number> {
  return (
    await sql.query(
      `update notices_mails set state = 'expired', ended_at = $1, content = null, claimed_until = null
    where state = 'waiting' and good_until <= $1 and (claimed_until is null or claimed_until <= $1) returning 1`,
      [now],
    )
  ).length
}

export async function deleteEndedMails(sql: Sql, before: Date): Promise<void> {
  await sql.query(`delete from notices_mails where state <> 'waiting' and ended_at < $1`, [before])
}
