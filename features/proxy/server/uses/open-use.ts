import type { Deps } from '#platform/server/feature.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { endUsesOf, insertUse } from '../data.ts'
import type { Purpose, Use } from '../data.ts'
import { newPassword, passwordHash, SEALED_FOR, usernameOf } from './credentials.ts'

export interface Wish {
  readonly userId: string
  readonly purpose: Purpose
  /** What it is ordered as; a second time nothing happens. */
  readonly ref: string
  /** Whose name it gets: one use at a time under a name. */
  readonly owner: string
  readonly exitId: string
  readonly expiresAt: Date
  /** Uses of the user for the same purpose that began since then share its traffic; each has its own when absent. */
  readonly countedSince?: Date
}

/** Credentials that the proxy takes until then. Those of the name before are void; `replaced` says what they were ordered as. */
export async function openUse(deps: Pick<Deps, 'secretKey'>, tx: Tx, wish: Wish): Promise<{ username: string; password: string; replaced: string[] }> {
  const username = usernameOf(wish.purpose, wish.owner)
  const password = newPassword()
  const replaced = await endUsesOf(tx, username, wish.ref)
  const id = `use_${randomCode(16).toLowerCase()}`
  await insertUse(tx, {
    id,
    username,
    ...wish,
    countedSince: wish.countedSince ?? null,
    passwordHash: passwordHash(password),
    passwordSealed: wish.purpose !== 'proxy' ? null : seal(deps.secretKey, SEALED_FOR, wish.userId, password),
  })
  return { username, password, replaced }
}

/** All that is open under a name ends; its tunnels are cut with the next look. */
export async function endUses(tx: Tx, purpose: Purpose, owner: string): Promise<void> {
  await endUsesOf(tx, usernameOf(purpose, owner))
}

/** The password of a use, for its owner. */
export const passwordOf = (deps: Pick<Deps, 'secretKeys'>, use: Use): string =>
  use.password_sealed === null ? '' : unseal(deps.secretKeys, SEALED_FOR, use.user_id, use.password_sealed)
