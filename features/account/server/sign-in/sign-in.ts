import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { toIpSubject, storeMarks, hashMark, buildPlaceMarks, normalizeMailbox } from '#features/risk/server/door.ts'
import type { LoginReply } from '../../contract.ts'
import { DEFAULT_CHOICES } from '../../contract-profile.ts'
import { toWirePhone } from '../../phone.ts'
import { requireUser } from '../contacts.ts'
import type { UserRow } from '../data.ts'
import { findPreferences } from '../profile/data.ts'
import { recordSignInPlaces } from '../sessions/data.ts'
import { loginMail } from '../mails.ts'
import { openUserSession } from '../sessions/sessions.ts'
import { computeKeyedHash } from '../sessions/tokens.ts'

export type SignInWay = 'password' | 'code' | 'google' | 'register'

/**
 * Completes every sign-in of a user who is allowed in: opens the session, writes the audit row, and notifies the user's mailbox about a new
 * device. `expiresAt` comes from `computeSessionEnd`.
 */
export async function completeSignIn(
  ctx: Ctx,
  tx: Tx,
  { userId, by, expiresAt }: { readonly userId: string; readonly by: SignInWay; readonly expiresAt: Date },
): Promise<LoginReply> {
  const user = await requireUser(tx, userId)
  const { token, sessionId } = await openUserSession(ctx, tx, { userId, expiresAt })
  const userAgent = ctx.userAgent.slice(0, 300)
  await tx.audit(by === 'register' ? 'account.registered' : 'account.login', `user:${userId}`, { by, sessionId, ip: ctx.ip, userAgent })
  await storeMarks(tx, userId, {
    marks: [...(user.email ? [hashMark(ctx, 'mailbox', normalizeMailbox(user.email))] : []), ...buildPlaceMarks(ctx, ctx)],
    now: ctx.clock.now(),
  })
  const strange = await recordSignInPlaces(tx, userId, { digests: hashPlaces(ctx, userId), now: ctx.clock.now() })
  if (strange) await notifyLogin(ctx, tx, { user, sessionId })
  return {
    token,
    loginUser: { email: user.email, emailVerifyStatus: user.emailVerifiedAt ? 1 : 0, mobile: user.mobile && toWirePhone(user.mobile) },
  }
}

/** Hashed under each key of the installation, so that a place stored under the old key stays known. */
function hashPlaces({ secretKeys, ip, userAgent }: Ctx, userId: string): Buffer[] {
  return secretKeys.flatMap((key) => [
    computeKeyedHash(key, 'account.place', userId, 'ip', toIpSubject(ip)),
    computeKeyedHash(key, 'account.place', userId, 'browser', userAgent),
  ])
}

async function notifyLogin(ctx: Ctx, tx: Tx, { user, sessionId }: { readonly user: UserRow; readonly sessionId: string }): Promise<void> {
  const wanted = (await findPreferences(tx, user.id))?.mailChoices.loginAlert ?? DEFAULT_CHOICES.loginAlert
  if (!wanted || !user.emailVerifiedAt || !user.emailKey) return
  await sendMail(ctx, tx, {
    to: user.emailKey,
    lang: user.language ?? ctx.lang,
    template: loginMail,
    values: { time: toShanghaiTime(ctx.clock.now()), ip: ctx.ip, device: ctx.userAgent.replace(/[^\x20-\x7e]/g, '').slice(0, 200) || '-' },
    dedupe: `account.login:${sessionId}`,
  })
}
