import { createHash } from 'node:crypto'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { transact } from '#platform/server/database/transact.ts'
import { requireProven } from '#features/account/server/door.ts'
import { balanceOf, openAccount } from '#features/wallet/server/door.ts'
import type { gatewayContract } from '../../contract.ts'
import type { KeyLimitsSet } from '../../contract-limits.ts'
import { setLimits } from './data-limits.ts'
import { storedLimits } from './stored-limits.ts'
import { countKeys, insertKey, keyOfRequest, lockKeysOf } from './data.ts'
import { derivedSecret, masked, randomSecret, secretHash } from './secret.ts'
import { createKeyFlag, keysPerUser } from '../settings.ts'

interface Asked {
  readonly keyName: string
  readonly requestKey?: string | undefined
  readonly limits?: KeyLimitsSet | undefined
}
type Made = ReplyOf<(typeof gatewayContract)['generateKey']>

/** Makes a key. The secret leaves with this reply and is kept nowhere: not in the table, not among stored replies. */
export async function generateKey(ctx: Ctx, input: Asked): Promise<Made> {
  const most = await mayMakeKeys(ctx)
  return transact(ctx.db, ctx.actor, async (tx) => {
    await lockKeysOf(tx, ctx.userId)
    return makeKey(ctx, tx, input, most) // audited by makeKey
  })
}

/** How many keys one may have; throws where none may be made now. */
export async function mayMakeKeys(ctx: Ctx): Promise<number> {
  if (!(await ctx.settings.get(createKeyFlag))) fail('KEY_CREATE_OFF')
  await requireProven(ctx)
  return ctx.settings.get(keysPerUser)
}

/** The keys of the user are locked. */
export async function makeKey(ctx: Ctx, tx: Tx, { requestKey, keyName, limits }: Asked, most: number): Promise<Made> {
  const secret = requestKey === undefined ? randomSecret() : derivedSecret(ctx.secretKey, ctx.userId, requestKey)
  const requestHash = requestKey === undefined ? undefined : hashOf(requestKey)
  const again = requestKey !== undefined && (await repeated(ctx, tx, requestKey, keyName))
  if (again) return again
  if ((await balanceOf(tx, ctx.userId)).posted <= 0n) fail('KEY_NEEDS_BALANCE')
  if ((await countKeys(tx, ctx.userId)) >= most) fail('KEY_TOO_MANY', { most })
  const keyId = newId('key')
  const last4 = secret.slice(-4)
  const accountId = await openAccount(tx, `user:${ctx.userId}`, 'customer')
  await insertKey(tx, { keyId, userId: ctx.userId, accountId, name: keyName, secretHash: secretHash(secret), last4, requestHash })
  if (limits) await setLimits(tx, keyId, limits.onDisconnect, await storedLimits(tx, limits, ctx.clock.now()))
  await tx.audit('key.created', `key:${keyId}`, { keyName, last4, ip: ctx.ip, ...(limits ? { limits } : {}) })
  return { apiToken: secret, api_token: secret, keyId, keyName, masked: masked(last4) }
}

const hashOf = (requestKey: string) => createHash('sha256').update(requestKey).digest()

/** The reply to a request that came before, while its page can still be waiting for it. */
async function repeated(ctx: Ctx, tx: Tx, requestKey: string, keyName: string): Promise<Made | undefined> {
  const made = await keyOfRequest(tx, ctx.userId, hashOf(requestKey))
  if (!made) return undefined
  // made under another key of the installation, perhaps: the right secret is the one whose hash is kept
  const secret = ctx.secretKeys.map((key) => derivedSecret(key, ctx.userId, requestKey)).find((one) => secretHash(one) === made.secret_hash)
  if (made.deleted_at || !made.fresh || made.name !== keyName || secret === undefined) return fail('KEY_REQUEST_USED')
  return { apiToken: secret, api_token: secret, keyId: made.key_id, keyName: made.name, masked: masked(made.last4) }
}
