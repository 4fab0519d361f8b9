import type { Ctx, Deps, Handler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { loadSignUp } from '#features/account/server/door.ts'
import { selectCash } from '#features/payments/server/door.ts'
import type { fissionContract } from '../../contract-fission.ts'
import { normalizeInviteCode } from '../../words.ts'
import { selectCode, insertRelation, lockInvitee, selectRelation } from '../data.ts'
import { readCurrentRule } from '../rules/rules.ts'
import { codeHours } from '../settings.ts'

const HOUR_MS = 3_600_000

/** End of the period in which the user can enter a code; null if the user has an inviter, is too old, or has paid. */
export async function readCodeDeadline(deps: Deps, userId: string): Promise<Date | null> {
  if (await selectRelation(deps.db, userId)) return null
  const user = await loadSignUp(deps.db, userId)
  if (!user) return null
  const until = new Date(user.createdAt.getTime() + (await deps.settings.get(codeHours)) * HOUR_MS)
  if (until <= deps.clock.now()) return null
  return (await selectCash(deps.db, userId)).received > 0n ? null : until
}

/** Handles the code of a new user. A user without a valid code can still enter one later. */
export async function redeemSignUpCode(deps: Deps, { userId, inviteCode }: { userId: string; inviteCode: string | null }): Promise<void> {
  if (inviteCode) await relate(deps, SYSTEM, { inviteeId: userId, code: inviteCode, way: 'signup' })
}

type Outcome = 'taken' | 'unknown' | 'closed'

async function relate(
  deps: Deps,
  actor: Actor,
  { inviteeId, code, way }: { readonly inviteeId: string; readonly code: string; readonly way: 'signup' | 'later' },
): Promise<Outcome> {
  return transact(deps.db, actor, async (tx) => {
    const found = await selectCode(tx, normalizeInviteCode(code))
    if (!found || found.userId === inviteeId) return 'unknown'
    await lockInvitee(tx, inviteeId)
    const { version } = await readCurrentRule(tx)
    const isNew = await insertRelation(tx, { inviteeId, inviterId: found.userId, code: found.code, way, ruleVersion: version })
    if (!isNew) return 'closed'
    await tx.audit('invitation.related', `user:${inviteeId}`, { code: found.code, way })
    await tx.emit('invitation.related', { userId: inviteeId, inviterId: found.userId })
    return 'taken'
  })
}

async function redeemCode(ctx: Ctx, inviteCode: string): Promise<Outcome> {
  if ((await readCodeDeadline(ctx, ctx.userId)) === null) return 'closed'
  return relate(ctx, ctx.actor, { inviteeId: ctx.userId, code: inviteCode, way: 'later' })
}

/** Code entered by hand. */
export async function redeemTypedCode(ctx: Ctx, { inviteCode }: { readonly inviteCode: string }): Promise<{}> {
  const outcome = await redeemCode(ctx, inviteCode)
  if (outcome === 'closed') fail('INVITE_CLOSED')
  if (outcome === 'unknown') fail('INVITE_UNKNOWN')
  return {}
}

/** Code sent by the page after a login through an invitation; too late, repeated or unknown is not an error. */
export const redeemLoginCode: Handler<typeof fissionContract.inviteCode> = async (ctx, { inviteCode }) => ({
  accepted: (await redeemCode(ctx, inviteCode)) === 'taken',
})
