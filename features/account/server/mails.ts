import type { MailTemplate } from '#features/notices/server/door.ts'
import { accountTexts } from '../texts.ts'

type Key = keyof typeof accountTexts.zh

/** The code itself. */
export const codeMail: MailTemplate<Key> = { name: 'account.code', texts: accountTexts, subject: 'mail_code_subject', body: 'mail_code_body' }
/** Asked for a code that needs an account, where there is none. */
export const noneMail: MailTemplate<Key> = { name: 'account.none', texts: accountTexts, subject: 'mail_none_subject', body: 'mail_none_body' }
/** Asked to register an e-mail that has an account. */
export const takenMail: MailTemplate<Key> = { name: 'account.taken', texts: accountTexts, subject: 'mail_taken_subject', body: 'mail_taken_body' }
/** The password was changed (ASVS 6.3.7). */
export const passwordMail: MailTemplate<Key> = { name: 'account.password', texts: accountTexts, subject: 'mail_password_subject', body: 'mail_password_body' }
