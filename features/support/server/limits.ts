import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { allow, ipSubject } from '#features/risk/server/door.ts'
import { complaintsPerHour, messagesPerMinute, startsPerHour, visitorStartsPerHour } from './settings.ts'

const HOUR = 3600

export interface Limit {
  readonly bucket: string
  readonly subject: string
  readonly limit: number
  readonly seconds: number
}

const caller = (ctx: Ctx) => (ctx.userId ? `user:${ctx.userId}` : ipSubject(ctx.ip))

/** Settings are read before a transaction begins. */
export async function messageLimits(ctx: Ctx, visitorId: string): Promise<Limit[]> {
  return [{ bucket: 'support.message', subject: ctx.userId || visitorId || ipSubject(ctx.ip), limit: await ctx.settings.get(messagesPerMinute), seconds: 60 }]
}

export async function startLimits(ctx: Ctx): Promise<Limit[]> {
  const own = { bucket: 'support.start', subject: caller(ctx), limit: await ctx.settings.get(startsPerHour), seconds: HOUR }
  if (ctx.userId) return [own]
  return [own, { bucket: 'support.start-visitors', subject: 'all', limit: await ctx.settings.get(visitorStartsPerHour), seconds: HOUR }]
}

export async function complaintLimits(ctx: Ctx): Promise<Limit[]> {
  return [{ bucket: 'support.complaint', subject: caller(ctx), limit: await ctx.settings.get(complaintsPerHour), seconds: HOUR }]
}

/** Counted in the transaction: what is not written is not counted. */
export async function requireWithin(tx: Tx, limits: readonly Limit[], now: Date): Promise<void> {
  for (const { bucket, subject, limit, seconds } of limits) {
    const { allowed, retryAfterSeconds } = await allow(tx, bucket, subject, limit, seconds, now)
    if (!allowed) fail('SUPPORT_TOO_FAST', { retryAfterSeconds })
  }
}
