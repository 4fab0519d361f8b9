import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { allow, giveBack, ipSubject } from '#features/risk/server/door.ts'

const WINDOW_SECONDS = 900
const PER_OPERATOR = 10
const PER_ADDRESS = 40

/** What tries are counted by: the address they come from, and the operator where one is named. */
const buckets = (ctx: Ctx, who: string | undefined) => [
  ['backoffice.ip', ipSubject(ctx.ip), PER_ADDRESS] as const,
  ...(who === undefined ? [] : [['backoffice.who', who, PER_OPERATOR] as const]),
]

/** Counts a try; throws OPERATOR_LOCKED after too many. What turned out well is given back. */
export async function countTry(ctx: Ctx, who?: string): Promise<void> {
  for (const [bucket, subject, limit] of buckets(ctx, who)) {
    const { allowed, retryAfterSeconds } = await allow(ctx.db, bucket, subject, limit, WINDOW_SECONDS, ctx.clock.now())
    if (!allowed) fail('OPERATOR_LOCKED', { retryAfterSeconds })
  }
}

export async function countedWell(ctx: Ctx, who?: string): Promise<void> {
  for (const [bucket, subject] of buckets(ctx, who)) await giveBack(ctx.db, bucket, subject)
}
