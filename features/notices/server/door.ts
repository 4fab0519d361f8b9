import type { Sql } from '#platform/server/db.ts'
import { readSandboxMails } from './vendors/index.ts'
import type { SandboxMail } from './vendors/index.ts'

export { sendMail } from './verbs/send-mail.ts'
export type { MailOrder } from './verbs/send-mail.ts'
export type { MailTemplate } from './render.ts'
export type { SandboxMail }

/** The sandbox's mailbox, newest first, of one address or of all; at most 100. For the sandbox pages, builders and tests. */
export function listSandboxMails(sql: Sql, to?: string, limit = 50): Promise<SandboxMail[]> {
  return readSandboxMails(sql, to?.trim().toLowerCase(), Math.min(limit, 100))
}
