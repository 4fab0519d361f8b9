import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { claimIdentity, deleteNewUser, insertUser } from '../data.ts'
import type { NewIdentity } from '../data.ts'

interface NewUserInput {
  readonly identities: readonly NewIdentity[]
  readonly passwordHash?: string | undefined
  readonly name?: string
  readonly inviteCode: string | undefined
}

/**
 * Creates a user with verified identities; undefined, without any effect, if the first one is taken. Emits `user.registered { userId,
 * inviteCode }` for wallet and invitations; account itself opens nothing there.
 */
export async function createUser(ctx: Ctx, tx: Tx, { identities, passwordHash, name, inviteCode }: NewUserInput): Promise<string | undefined> {
  const now = ctx.clock.now()
  const userId = createId('usr', now.getTime())
  await insertUser(tx, { id: userId, passwordHash, language: ctx.lang, inviteCode, now, ...(name ? { name } : {}) })
  for (const [index, identity] of identities.entries()) {
    if (await claimIdentity(tx, userId, { identity, now })) continue
    // Only the first can be taken: the caller checked the others under its locks, or the transaction fails.
    if (index > 0) throw new Error('an identity was taken meanwhile')
    await deleteNewUser(tx, userId)
    return undefined
  }
  await tx.emit('user.registered', { userId, inviteCode: inviteCode ?? null })
  return userId
}
