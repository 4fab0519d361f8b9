import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { countEventWithin, uncountEvent, toIpSubject } from '#features/risk/server/door.ts'
import { isKnownAddress } from './data-sessions.ts'

const WINDOW_SECONDS = 900
/** Failed attempts for one operator from one address. */
const PER_PAIR = 10
/** Failed attempts for one operator from all unknown addresses. Known addresses are not counted, so strangers cannot lock the operator out there. */
const PER_OPERATOR = 60
const PER_ADDRESS = 40

type AttemptCounter = readonly [bucket: string, subject: Parameters<typeof uncountEvent>[2], limit: number]

/**
 * Rate-limit counters of a sign-in attempt: the address; with an operator, also the pair of both, and the operator across all unknown
 * addresses. Failures from elsewhere never lock an operator out of an address that they signed in from before, and passkeys work everywhere.
 */
async function listAttemptCounters(ctx: Ctx, who: string | undefined): Promise<readonly AttemptCounter[]> {
  const address: AttemptCounter = ['backoffice.ip', toIpSubject(ctx.ip), PER_ADDRESS]
  if (who === undefined) return [address]
  const pair: AttemptCounter = ['backoffice.pair', { group: who, member: toIpSubject(ctx.ip) }, PER_PAIR]
  // Counts known addresses on a counter without a limit, so that both cases take equally long.
  const isKnown = await isKnownAddress(ctx.db, who, ctx.ip)
  return [address, pair, isKnown ? ['backoffice.known', who, Infinity] : ['backoffice.who', who, PER_OPERATOR]]
}

/** Counts an attempt; throws OPERATOR_LOCKED above the limit. Successful attempts are refunded. */
export async function countSignInAttempt(ctx: Ctx, who?: string): Promise<void> {
  for (const [bucket, subject, limit] of await listAttemptCounters(ctx, who)) {
    const { allowed, retryAfterSeconds } = await countEventWithin(ctx.db, bucket, { subject, limit, windowSeconds: WINDOW_SECONDS, now: ctx.clock.now() })
    if (!allowed) fail('OPERATOR_LOCKED', { retryAfterSeconds })
  }
}

export async function refundSignInAttempt(ctx: Ctx, who?: string): Promise<void> {
  for (const [bucket, subject] of await listAttemptCounters(ctx, who)) await uncountEvent(ctx.db, bucket, subject)
}
