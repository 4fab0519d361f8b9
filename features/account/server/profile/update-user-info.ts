import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { profileContract } from '../../contract-profile.ts'
import { updateProfile } from './data.ts'

/** Updates the user's names, language and theme. */
export async function updateUserInfo(ctx: Ctx, change: InputOf<typeof profileContract.updateUserInfo>): Promise<{}> {
  const fields = Object.keys(change).filter((name) => change[name as keyof typeof change] !== undefined)
  if (!fields.length) return {}
  await transact(ctx.db, ctx.actor, async (tx) => {
    await updateProfile(tx, ctx.userId, change)
    await tx.audit('account.profile-changed', `user:${ctx.userId}`, { fields })
  })
  return {}
}
