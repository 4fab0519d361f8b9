import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { isTaken, replaceIdentity } from '../data.ts'
import type { UserRow } from '../data.ts'
import type { Target } from '../target.ts'
import { tellChange } from '../history/tell-change.ts'

/** Puts a contact that was just proven in the place of the user's old one; false when it is another user's. */
export async function bindContact(ctx: Ctx, tx: Tx, user: UserRow, target: Target): Promise<boolean> {
  try {
    await tx.savepoint(() => replaceIdentity(tx, user.id, target, ctx.clock.now()))
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
  await tx.audit(`account.${target.kind}-changed`, `user:${user.id}`, { first: !(target.kind === 'email' ? user.email : user.mobile), ip: ctx.ip })
  await tellChange(ctx, tx, user, target.kind)
  return true
}
