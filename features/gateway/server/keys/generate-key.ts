import { createHash } from 'node:crypto'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { transact } from '#platform/server/database/transact.ts'
import { requireProven } from '#features/account/server/door.ts'
import { readBalance, openAccount } from '#features/wallet/server/door.ts'
import type { gatewayContract, KeyFields } from '../../contract.ts'
import type { KeyLimitsInput } from '../../contract-limits.ts'
import { updateKeyLimits } from './data-limits.ts'
import { toStoredLimits } from './stored-limits.ts'
import { countKeys, insertKey, selectKeyByRequest, lockUserKeys } from './data.ts'
import { deriveKeySecret, maskKeySecret, generateKeySecret, hashKeySecret } from './secret.ts'
import { createKeyFlag, keysPerUser } from '../settings.ts'

interface NewKeyInput extends KeyFields {
  readonly requestKey?: string | undefined
  readonly limits?: KeyLimitsInput | undefined
}
type CreatedKey = ReplyOf<(typeof gatewayContract)['generateKey']>

/** Creates a key. The secret is returned only in this reply and not stored, neither in the table nor among stored replies. */
export async function generateKey(ctx: Ctx, input: NewKeyInput): Promise<CreatedKey> {
  const most = await requireKeyCreation(ctx)
  return transact(ctx.db, ctx.actor, async (tx) => {
    await lockUserKeys(tx, ctx.userId)
    return createApiKey(ctx, tx, { newKeyInput: input, most }) // audited by createApiKey
  })
}

/** Returns the limit on keys per user; throws if none may be created now. */
export async function requireKeyCreation(ctx: Ctx): Promise<number> {
  if (!(await ctx.settings.get(createKeyFlag))) fail('KEY_CREATE_OFF')
  await requireProven(ctx)
  return ctx.settings.get(keysPerUser)
}

/** Creates a key. The user's keys must be locked. */
export async function createApiKey(
  ctx: Ctx,
  tx: Tx,
  { newKeyInput: { requestKey, limits, ...fields }, most }: { readonly newKeyInput: NewKeyInput; readonly most: number },
): Promise<CreatedKey> {
  const { keyName } = fields
  const secret = requestKey === undefined ? generateKeySecret() : deriveKeySecret(ctx.secretKey, ctx.userId, requestKey)
  const requestHash = requestKey === undefined ? undefined : hashRequestKey(requestKey)
  const again = requestKey !== undefined && (await findRepeatedReply(ctx, tx, { requestKey, keyName }))
  if (again) return again
  if ((await readBalance(tx, ctx.userId)).posted <= 0n) fail('KEY_NEEDS_BALANCE')
  if ((await countKeys(tx, ctx.userId)) >= most) fail('KEY_TOO_MANY', { most })
  const keyId = createId('key')
  const last4 = secret.slice(-4)
  const accountId = await openAccount(tx, `user:${ctx.userId}`, { kind: 'customer' })
  await insertKey(tx, { ...fields, keyId, userId: ctx.userId, accountId, secretHash: hashKeySecret(secret), last4, requestHash })
  if (limits) await updateKeyLimits(tx, keyId, { onDisconnect: limits.onDisconnect, limits: await toStoredLimits(tx, limits, { now: ctx.clock.now() }) })
  await tx.audit('key.created', `key:${keyId}`, { keyName, last4, ip: ctx.ip, ...(limits ? { limits } : {}) })
  return { apiToken: secret, api_token: secret, keyId, keyName, masked: maskKeySecret(last4) }
}

const hashRequestKey = (requestKey: string) => createHash('sha256').update(requestKey).digest()

/** Returns the reply of an earlier request with this key, while its page can still be waiting for it. */
async function findRepeatedReply(
  ctx: Ctx,
  tx: Tx,
  { requestKey, keyName }: { readonly requestKey: string; readonly keyName: string },
): Promise<CreatedKey | undefined> {
  const made = await selectKeyByRequest(tx, ctx.userId, hashRequestKey(requestKey))
  if (!made) return undefined
  // the secret may derive from an older key of the installation: the right one matches the stored hash
  const secret = ctx.secretKeys.map((key) => deriveKeySecret(key, ctx.userId, requestKey)).find((one) => hashKeySecret(one) === made.secretHash)
  if (made.deletedAt || !made.fresh || made.keyName !== keyName || secret === undefined) return fail('KEY_REQUEST_USED')
  return { apiToken: secret, api_token: secret, keyId: made.keyId, keyName: made.keyName, masked: maskKeySecret(made.last4) }
}
