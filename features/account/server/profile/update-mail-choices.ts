import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { DEFAULT_CHOICES } from '../../contract-profile.ts'
import type { MailChoices, profileContract } from '../../contract-profile.ts'
import { updateChoices } from './data.ts'

/** Updates the user's mail choices. */
export async function updateMailChoices(ctx: Ctx, choices: InputOf<typeof profileContract.updateMailChoices>): Promise<MailChoices> {
  const kept = await transact(ctx.db, ctx.actor, async (tx) => {
    await tx.audit('account.mail-choices-changed', `user:${ctx.userId}`, choices)
    return updateChoices(tx, ctx.userId, choices)
  })
  return { ...DEFAULT_CHOICES, ...kept }
}
