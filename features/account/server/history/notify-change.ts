import type { TextKeyOf } from '#platform/shared/texts.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { UserRow } from '../data.ts'
import { accountMailTexts } from '../mail-texts.ts'
import { changeMail, passwordMail } from '../mails.ts'

const MAIL_WHAT_TEXT = {
  email: 'mail_what_email',
  password: 'mail_what_password',
  mobile: 'mail_what_mobile',
  payPassword: 'mail_what_payPassword',
  google: 'mail_what_google',
} as const satisfies Record<Change, TextKeyOf<typeof accountMailTexts>>

export type Change = 'email' | 'mobile' | 'password' | 'payPassword' | 'google'

/**
 * Notifies the user's mailbox of a change (ASVS 6.3.7). Pass the user as before the change: a changed e-mail is reported to the old mailbox.
 * Sends nothing without a verified e-mail.
 */
export async function notifyAccountChange(ctx: Ctx, tx: Tx, { before, change }: { readonly before: UserRow; readonly change: Change }): Promise<void> {
  if (!before.emailVerifiedAt || !before.emailKey) return
  const now = ctx.clock.now()
  const mail = { to: before.emailKey, lang: before.language ?? ctx.lang, dedupe: createId('chg', now.getTime()) }
  const time = toShanghaiTime(now)
  if (change === 'password' && before.passwordHash) return sendMail(ctx, tx, { ...mail, template: passwordMail, values: { time } })
  await sendMail(ctx, tx, { ...mail, template: changeMail, values: { time, what: accountMailTexts[mail.lang][MAIL_WHAT_TEXT[change]] } })
}
