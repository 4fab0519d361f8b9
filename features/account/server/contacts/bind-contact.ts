import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { isTakenError, replaceIdentity } from '../data.ts'
import type { UserRow } from '../data.ts'
import type { ContactTarget } from '../target.ts'
import { notifyAccountChange } from '../history/notify-change.ts'

/** Replaces the user's contact with one that was just verified; false if it belongs to another user. */
export async function bindContact(ctx: Ctx, tx: Tx, { user, target }: { readonly user: UserRow; readonly target: ContactTarget }): Promise<boolean> {
  try {
    await tx.savepoint(() => replaceIdentity(tx, user.id, { identity: target, now: ctx.clock.now() }))
  } catch (error) {
    if (isTakenError(error)) return false
    throw error
  }
  await tx.audit(`account.${target.kind}-changed`, `user:${user.id}`, { first: !(target.kind === 'email' ? user.email : user.mobile), ip: ctx.ip })
  await notifyAccountChange(ctx, tx, { before: user, change: target.kind })
  return true
}
