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
  /** Reference of the order; idempotent by it. */
  readonly ref: string
  /** Owner of the username: one live use per name. */
  readonly owner: string
  readonly exitId: string
  readonly expiresAt: Date
  /** Start of the shared traffic: uses of the user for the same purpose since then share one limit; absent, each has its own. */
  readonly countedSince?: Date
}

/** Creates proxy credentials valid until `expiresAt` and ends the previous use of the name; `replaced` has its references. */
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

/** Ends the live uses of a name; their tunnels are cut at the next check. */
export async function endUses(tx: Tx, purpose: Purpose, owner: string): Promise<void> {
  await endUsesOf(tx, usernameOf(purpose, owner))
}

/** The password of a use, for its owner. */
export const passwordOf = (deps: Pick<Deps, 'secretKeys'>, use: Use): string =>
  use.password_sealed === null ? '' : unseal(deps.secretKeys, SEALED_FOR, use.user_id, use.password_sealed)
