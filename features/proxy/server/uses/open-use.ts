import type { Deps } from '#platform/server/feature.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { endUsesOfName, insertUse } from '../data.ts'
import type { Purpose, Use } from '../data.ts'
import { generateProxyPassword, hashProxyPassword, PROXY_PASSWORD_PURPOSE, buildProxyUsername } from './credentials.ts'

export interface UseRequest {
  readonly userId: string
  readonly purpose: Purpose
  /** Reference of the order; makes the call idempotent. */
  readonly ref: string
  /** Owner of the username: one live use per name. */
  readonly owner: string
  readonly exitId: string
  readonly expiresAt: Date
  /** Start of the shared traffic: uses of the user for the same purpose since then share one limit; absent, each has its own. */
  readonly countedSince?: Date
}

/** Creates proxy credentials valid until `expiresAt` and ends the previous use of the name; `replaced` has its references. */
export async function openUse(deps: Pick<Deps, 'secretKey'>, tx: Tx, wish: UseRequest): Promise<{ username: string; password: string; replaced: string[] }> {
  const username = buildProxyUsername(wish.purpose, wish.owner)
  const password = generateProxyPassword()
  const replaced = await endUsesOfName(tx, username, wish.ref)
  const id = `use_${createRandomCode(16).toLowerCase()}`
  await insertUse(tx, {
    id,
    username,
    ...wish,
    countedSince: wish.countedSince ?? null,
    passwordHash: hashProxyPassword(password),
    passwordSealed: wish.purpose !== 'proxy' ? null : seal(deps.secretKey, PROXY_PASSWORD_PURPOSE, { owner: wish.userId, text: password }),
  })
  return { username, password, replaced }
}

/** Ends the live uses of a name; their tunnels are cut at the next check. */
export async function endUses(tx: Tx, purpose: Purpose, owner: string): Promise<void> {
  await endUsesOfName(tx, buildProxyUsername(purpose, owner))
}

/** Returns the password of a use, for its owner. */
export const unsealUsePassword = (deps: Pick<Deps, 'secretKeys'>, use: Use): string =>
  use.passwordSealed === null ? '' : unseal(deps.secretKeys, PROXY_PASSWORD_PURPOSE, { owner: use.userId, sealed: use.passwordSealed })
