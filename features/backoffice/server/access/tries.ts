import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { allow, giveBack, ipSubject } from '#features/risk/server/door.ts'
import { knowsAddress } from './data-sessions.ts'

const WINDOW_SECONDS = 900
/** Wrong ones for one operator from one address. */
const PER_PAIR = 10
/** From all addresses that the operator never signed in from: no stranger's failures count against a known one. */
const PER_OPERATOR = 60
const PER_ADDRESS = 40

type Counted = readonly [bucket: string, subject: Parameters<typeof allow>[2], limit: number]

/**
 * What tries are counted by: the address they come from, and, where an operator is named, both together and the operator over all unknown
 * addresses. Who fails from outside locks no operator out of an address that was signed in from before, and passkeys work from everywhere.
 */
async function buckets(ctx: Ctx, who: string | undefined): Promise<readonly Counted[]> {
  const address: Counted = ['backoffice.ip', ipSubject(ctx.ip), PER_ADDRESS]
  if (who === undefined) return [address]
  const pair: Counted = ['backoffice.pair', { group: who, member: ipSubject(ctx.ip) }, PER_PAIR]
  // The same work for known addresses, on a counter without a limit.
  const isKnown = await knowsAddress(ctx.db, who, ctx.ip)
  return [address, pair, isKnown ? ['backoffice.known', who, Infinity] : ['backoffice.who', who, PER_OPERATOR]]
}

/** Counts a try; throws OPERATOR_LOCKED after too many. What turned out well is given back. */
export async function countTry(ctx: Ctx, who?: string): Promise<void> {
  for (const [bucket, subject, limit] of await buckets(ctx, who)) {
    const { allowed, retryAfterSeconds } = await allow(ctx.db, bucket, subject, limit, WINDOW_SECONDS, ctx.clock.now())
    if (!allowed) fail('OPERATOR_LOCKED', { retryAfterSeconds })
  }
}

export async function countedWell(ctx: Ctx, who?: string): Promise<void> {
  for (const [bucket, subject] of await buckets(ctx, who)) await giveBack(ctx.db, bucket, subject)
}
