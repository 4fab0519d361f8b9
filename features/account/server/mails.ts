import type { MailTemplate } from '#features/notices/server/door.ts'
import { accountMailTexts } from './mail-texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

type Key = TextKeyOf<typeof accountMailTexts>

/** The code mail. */
export const codeMail: MailTemplate<Key> = { name: 'account.code', texts: accountMailTexts, subject: 'mail_code_subject', body: 'mail_code_body' }
/** Sent instead of a code that needs an account, if there is none. */
export const noAccountMail: MailTemplate<Key> = { name: 'account.none', texts: accountMailTexts, subject: 'mail_none_subject', body: 'mail_none_body' }
/** Sent instead of a registration code if the e-mail has an account. */
export const emailTakenMail: MailTemplate<Key> = { name: 'account.taken', texts: accountMailTexts, subject: 'mail_taken_subject', body: 'mail_taken_body' }
/** The password was changed (ASVS 6.3.7). */
export const passwordMail: MailTemplate<Key> = {
  name: 'account.password',
  texts: accountMailTexts,
  subject: 'mail_password_subject',
  body: 'mail_password_body',
}
/** Another security-relevant part of the account was changed: {what}. */
export const changeMail: MailTemplate<Key> = { name: 'account.change', texts: accountMailTexts, subject: 'mail_change_subject', body: 'mail_change_body' }
/** A login from an unknown network and browser. */
export const loginMail: MailTemplate<Key> = { name: 'account.login', texts: accountMailTexts, subject: 'mail_login_subject', body: 'mail_login_body' }
/** The account is closed. */
export const closedMail: MailTemplate<Key> = { name: 'account.closed', texts: accountMailTexts, subject: 'mail_closed_subject', body: 'mail_closed_body' }
