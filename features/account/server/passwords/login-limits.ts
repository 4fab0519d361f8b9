import { countEvent } from '#platform/server/metrics.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { countEventWithin, uncountEvent, toIpSubject } from '#features/risk/server/door.ts'
import { hasSessionFromIp } from '../sessions/data.ts'
import { loginsInAll, loginsPerAccount, loginsPerIp, loginsPerPair, loginWindowSeconds } from '../settings.ts'

export const PAIR_BUCKET = 'account.login.pair'
export const ACCOUNT_BUCKET = 'account.login.account'
const KNOWN_IP_BUCKET = 'account.login.known'
const IP_BUCKET = 'account.login.ip'

/**
 * Counts an attempt before the password is compared, so that parallel attempts cannot bypass the limit; a successful one is refunded.
 * Counters use the entered e-mail or mobile, whether or not it has an account. Failures of strangers lock out only strangers: from an
 * address that the account was signed in from, only that address's own failures count. No refusal lasts longer than the window (at most 15
 * minutes), and a code login always works. Returns a function that refunds the attempt.
 */
export async function countLogin(ctx: Ctx, subject: string, userId: string | undefined): Promise<() => Promise<void>> {
  const windowSeconds = await ctx.settings.get(loginWindowSeconds)
  const ip = toIpSubject(ctx.ip)
  const known = await hasSessionFromIp(ctx.db, userId, ctx.ip)
  const counted = [
    { bucket: IP_BUCKET, subject: ip, limit: await ctx.settings.get(loginsPerIp) },
    { bucket: PAIR_BUCKET, subject: { group: subject, member: ip }, limit: await ctx.settings.get(loginsPerPair) },
    // Known addresses cost the same work, on a counter without a limit.
    known ? { bucket: KNOWN_IP_BUCKET, subject, limit: Infinity } : { bucket: ACCOUNT_BUCKET, subject, limit: await ctx.settings.get(loginsPerAccount) },
  ]
  for (const { bucket, subject, limit } of counted) {
    const verdict = await countEventWithin(ctx.db, bucket, { subject, limit, windowSeconds, now: ctx.clock.now() })
    if (!verdict.allowed) {
      countEvent('login_locked')
      fail('LOGIN_LOCKED', { retryAfterSeconds: verdict.retryAfterSeconds })
    }
  }
  return async () => {
    for (const { bucket, subject } of counted) await uncountEvent(ctx.db, bucket, subject)
  }
}

/** Raises an alarm on credential stuffing from many addresses; refuses no sign-in. */
export async function recordLoginFailure(ctx: Ctx): Promise<void> {
  const limit = await ctx.settings.get(loginsInAll)
  const verdict = await countEventWithin(ctx.db, 'account.login.all', { subject: 'all', limit, windowSeconds: 900, now: ctx.clock.now() })
  if (verdict.count === limit + 1) {
    countEvent('login_failures_high')
    ctx.log.warn({ limit }, 'unusually many failed logins')
  }
}
