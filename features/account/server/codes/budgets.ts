import type { Ctx, Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { countEventWithin, toBlockSubject, toIpSubject, requireAllowed } from '#features/risk/server/door.ts'
import type { AccountRow } from '../data.ts'
import { hasSessionFromIp } from '../sessions/data.ts'
import { codesPerBlockHour, codesPerHour, codesPerIpHour, codesPerTargetDay, codesPerTargetHour } from '../settings.ts'

const HOUR = 3600

export interface CodeBudgets {
  readonly targetHour: number
  readonly targetDay: number
  readonly ipHour: number
  readonly blockHour: number
  readonly hour: number
}

/** Reads the limits; call it before a transaction begins, like `readCodeRules`. */
export async function readCodeBudgets({ settings }: Pick<Deps, 'settings'>): Promise<CodeBudgets> {
  return {
    targetHour: await settings.get(codesPerTargetHour),
    targetDay: await settings.get(codesPerTargetDay),
    ipHour: await settings.get(codesPerIpHour),
    blockHour: await settings.get(codesPerBlockHour),
    hour: await settings.get(codesPerHour),
  }
}

/**
 * Counts a code before it is sent; throws TOO_MANY. Limits apply per target, address, network block and in total. Requests from a known
 * address of the account, or from its signed-in user, use a separate budget per target and ignore the total, so strangers cannot lock known
 * users out. All others get the same error with or without an account.
 */
export async function countCode(ctx: Ctx, tx: Tx, target: string, account: AccountRow | undefined, budgets: CodeBudgets): Promise<void> {
  const now = ctx.clock.now()
  const isOwner = ctx.userId !== '' && account?.user_id === ctx.userId
  const isKnown = (await hasSessionFromIp(tx, account?.user_id, ctx.ip)) || isOwner
  const of = isKnown ? 'account.code.known' : 'account.code'
  await requireAllowed(tx, `${of}.hour`, target, budgets.targetHour, HOUR, now)
  await requireAllowed(tx, `${of}.day`, target, budgets.targetDay, 24 * HOUR, now)
  await requireAllowed(tx, 'account.code.ip', toIpSubject(ctx.ip), budgets.ipHour, HOUR, now)
  await requireAllowed(tx, 'account.code.block', toBlockSubject(ctx.ip), budgets.blockHour, HOUR, now)
  // The row shared by all requests is updated last, so it is locked for the shortest time.
  const { allowed, retryAfterSeconds } = await countEventWithin(tx, 'account.code.all', 'all', budgets.hour, HOUR, now)
  if (allowed) return
  countEvent('codes_spent')
  ctx.log.warn({ limit: budgets.hour, ip: ctx.ip, isKnown }, 'the budget of codes in all is spent')
  if (!isKnown) fail('TOO_MANY', { retryAfterSeconds })
}
