import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { newId } from '#platform/shared/ids.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { UserRow } from '../data.ts'
import { mailTexts } from '../mail-texts.ts'
import { changeMail, passwordMail } from '../mails.ts'

const MAIL_WHAT_TEXT = {
  email: 'mail_what_email',
  password: 'mail_what_password',
  mobile: 'mail_what_mobile',
  payPassword: 'mail_what_payPassword',
  google: 'mail_what_google',
} as const satisfies Record<Change, keyof typeof mailTexts.zh>

export type Change = 'email' | 'mobile' | 'password' | 'payPassword' | 'google'

/**
 * Tells the user's mailbox that something was changed (ASVS 6.3.7). Give the user as it was before: a changed e-mail is
 * told to the old mailbox. Nothing is sent where no e-mail was proven.
 */
export async function tellChange(ctx: Ctx, tx: Tx, before: UserRow, change: Change): Promise<void> {
  if (!before.email_verified_at || !before.email_key) return
  const now = ctx.clock.now()
  const mail = { to: before.email_key, lang: before.language ?? ctx.lang, dedupe: newId('chg', now.getTime()) }
  const time = shanghaiTime(now)
  if (change === 'password' && before.password_hash) return sendMail(ctx, tx, { ...mail, template: passwordMail, values: { time } })
  await sendMail(ctx, tx, { ...mail, template: changeMail, values: { time, what: mailTexts[mail.lang][MAIL_WHAT_TEXT[change]] } })
}
