import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { takeInvite } from '../profile/data.ts'
import { inviteDays } from '../settings.ts'

const DAY_MS = 86_400_000
/** The invitation of a user by a user. */
const BY_USER = 2

/**
 * The code by which a user was invited: the first one counts, within some days of registering. What it is worth is for the
 * invitations to say, who hear `user.invited { userId, inviteCode, invitationType }`.
 */
async function take(ctx: Ctx, inviteCode: string): Promise<boolean> {
  const since = new Date(ctx.clock.now().getTime() - (await ctx.settings.get(inviteDays)) * DAY_MS)
  return transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await takeInvite(tx, ctx.userId, inviteCode, since))) return false
    await tx.audit('account.invited', `user:${ctx.userId}`, { inviteCode })
    await tx.emit('user.invited', { userId: ctx.userId, inviteCode, invitationType: BY_USER })
    return true
  })
}

/** Sent by the page after a login that came through an invitation; too late or twice is no error. */
export async function takeInviteCode(ctx: Ctx, { inviteCode }: { inviteCode: string }): Promise<{ accepted: boolean }> {
  return { accepted: await take(ctx, inviteCode) }
}

/** Typed by hand. */
export async function updateInvitedCode(ctx: Ctx, { inviteCode }: { inviteCode: string }): Promise<{}> {
  return (await take(ctx, inviteCode)) ? {} : fail('INVITE_CLOSED')
}
