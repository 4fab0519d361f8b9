import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { countEventWithin, toIpSubject } from '#features/risk/server/door.ts'
import { complaintsPerHour, messagesPerMinute, startsPerHour, visitorStartsPerHour } from './settings.ts'

const HOUR = 3600

export interface Limit {
  readonly bucket: string
  readonly subject: string
  readonly limit: number
  readonly seconds: number
}

const toCallerSubject = (ctx: Ctx) => (ctx.userId ? `user:${ctx.userId}` : toIpSubject(ctx.ip))

/** Read settings before a transaction begins. */
export async function readMessageLimits(ctx: Ctx, visitorId: string): Promise<Limit[]> {
  return [{ bucket: 'support.message', subject: ctx.userId || visitorId || toIpSubject(ctx.ip), limit: await ctx.settings.get(messagesPerMinute), seconds: 60 }]
}

export async function readStartLimits(ctx: Ctx): Promise<Limit[]> {
  const own = { bucket: 'support.start', subject: toCallerSubject(ctx), limit: await ctx.settings.get(startsPerHour), seconds: HOUR }
  if (ctx.userId) return [own]
  return [own, { bucket: 'support.start-visitors', subject: 'all', limit: await ctx.settings.get(visitorStartsPerHour), seconds: HOUR }]
}

export async function readComplaintLimits(ctx: Ctx): Promise<Limit[]> {
  return [{ bucket: 'support.complaint', subject: toCallerSubject(ctx), limit: await ctx.settings.get(complaintsPerHour), seconds: HOUR }]
}

/** Counted in the transaction, so that only stored records count. */
export async function requireWithinLimits(tx: Tx, limits: readonly Limit[], now: Date): Promise<void> {
  for (const { bucket, subject, limit, seconds } of limits) {
    const { allowed, retryAfterSeconds } = await countEventWithin(tx, bucket, { subject, limit, windowSeconds: seconds, now })
    if (!allowed) fail('SUPPORT_TOO_FAST', { retryAfterSeconds })
  }
}
