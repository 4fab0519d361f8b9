import type { Sql } from '#platform/server/database/db.ts'
import { readSandboxMails, readSandboxSms } from './vendors/index.ts'
import type { SandboxMail, SandboxSms } from './vendors/index.ts'

export { listSmsRegions } from './carriers.ts'
export { requireMailTo, resendMail, countResendsToday } from './resending/resend-mail.ts'
export { sendMail } from './verbs/send-mail.ts'
export type { MailOrder } from './verbs/send-mail.ts'
export { sendAlarmSms, sendSms } from './verbs/send-sms.ts'
export type { SmsOrder } from './verbs/send-sms.ts'
export type { MailTemplate } from './render.ts'
export type { SmsRegion } from './vendors/port.ts'
export type { SandboxMail, SandboxSms }

/** Mails in the sandbox's mailbox, newest first, of one address or of all; at most 100. For the sandbox pages, builders and tests. */
export function listSandboxMails(sql: Sql, to?: string, limit = 50): Promise<SandboxMail[]> {
  return readSandboxMails(sql, to?.trim().toLowerCase(), Math.min(limit, 100))
}

/**
 * Messages on the sandbox's phone, newest first, of one number (E.164) or of all; at most 100. For the sandbox pages, builders and tests.
 */
export function listSandboxSms(sql: Sql, to?: string, limit = 50): Promise<SandboxSms[]> {
  return readSandboxSms(sql, to?.trim(), Math.min(limit, 100))
}
