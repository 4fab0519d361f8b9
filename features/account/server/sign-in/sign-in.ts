import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { ipSubject, keepMarks, markOf, placeMarks, plainMail } from '#features/risk/server/door.ts'
import type { LoginReply } from '../../contract.ts'
import { DEFAULT_CHOICES } from '../../contract-profile.ts'
import { wirePhone } from '../../phone.ts'
import { requireUser } from '../contacts.ts'
import type { UserRow } from '../data.ts'
import { findPreferences } from '../profile/data.ts'
import { isStrangePlace } from '../sessions/data.ts'
import { loginMail } from '../mails.ts'
import { openSession } from '../sessions/sessions.ts'
import { keyed } from '../sessions/tokens.ts'

export type SignInWay = 'password' | 'code' | 'google' | 'register'

/**
 * The end of every way to sign in, for a user who may: opens the session, writes the audit row, tells the user's mailbox
 * about a device that was not seen before. `expiresAt` comes from `sessionEnd`.
 */
export async function signIn(ctx: Ctx, tx: Tx, userId: string, by: SignInWay, expiresAt: Date): Promise<LoginReply> {
  const user = await requireUser(tx, userId)
  const { token, sessionId } = await openSession(ctx, tx, userId, expiresAt)
  const userAgent = ctx.userAgent.slice(0, 300)
  await tx.audit(by === 'register' ? 'account.registered' : 'account.login', `user:${userId}`, { by, sessionId, ip: ctx.ip, userAgent })
  await keepMarks(tx, userId, [...(user.email ? [markOf(ctx, 'mailbox', plainMail(user.email))] : []), ...placeMarks(ctx, ctx)], ctx.clock.now())
  const strange = await isStrangePlace(tx, userId, placesOf(ctx, userId), ctx.clock.now())
  if (strange) await tellLogin(ctx, tx, user, sessionId)
  return {
    token,
    loginUser: { email: user.email, emailVerifyStatus: user.email_verified_at ? 1 : 0, mobile: user.mobile && wirePhone(user.mobile) },
  }
}

/** Under each key of the installation: a place that was remembered under the old one stays known. */
function placesOf({ secretKeys, ip, userAgent }: Ctx, userId: string): Buffer[] {
  return secretKeys.flatMap((key) => [keyed(key, 'account.place', userId, 'ip', ipSubject(ip)), keyed(key, 'account.place', userId, 'browser', userAgent)])
}

async function tellLogin(ctx: Ctx, tx: Tx, user: UserRow, sessionId: string): Promise<void> {
  const wanted = (await findPreferences(tx, user.id))?.mail_choices.loginAlert ?? DEFAULT_CHOICES.loginAlert
  if (!wanted || !user.email_verified_at || !user.email_key) return
  await sendMail(ctx, tx, {
    to: user.email_key,
    lang: user.language ?? ctx.lang,
    template: loginMail,
    values: { time: shanghaiTime(ctx.clock.now()), ip: ctx.ip, device: ctx.userAgent.replace(/[^\x20-\x7e]/g, '').slice(0, 200) || '-' },
    dedupe: `account.login:${sessionId}`,
  })
}
