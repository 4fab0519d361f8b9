import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { requireProven } from '#features/account/server/door.ts'
import type { keysContract } from '../../contract-keys.ts'
import { lockUserKeys, selectOwnKey } from './data.ts'
import { deriveKeySecret, maskKeySecret, hashKeySecret } from './secret.ts'
import { modifyKeyFlag } from '../settings.ts'
import { endOldSecrets, selectOldSecrets, replaceSecret, selectKeySecret } from './data-secrets.ts'

type Rotate = (typeof keysContract)['rotateKey']
type EndOld = (typeof keysContract)['endOldSecret']

const OVERLAP_MS = 24 * 3_600_000

/**
 * Gives a key a new secret; the old one works for another day. Limits, budgets and usage belong to the key and stay. The secret is
 * returned only in this reply and not stored; idempotent by `requestKey`.
 */
export async function rotateKey(ctx: Ctx, input: InputOf<Rotate>): Promise<ReplyOf<Rotate>> {
  if (!(await ctx.settings.get(modifyKeyFlag))) fail('KEY_CHANGE_OFF')
  await requireProven(ctx)
  const secretsOf = ctx.secretKeys.map((secretKey) => deriveKeySecret(secretKey, ctx.userId, `rotate\0${input.keyId}\0${input.requestKey}`))
  return transact(ctx.db, ctx.actor, async (tx) => {
    await lockUserKeys(tx, ctx.userId)
    const key = (await selectOwnKey(tx, ctx.userId, { keyId: input.keyId })) ?? fail('KEY_NOT_FOUND')
    const now = await selectKeySecret(tx, key.keyId)
    const [old] = await selectOldSecrets(tx, [key.keyId])
    const made = secretsOf.find((secret) => hashKeySecret(secret) === now?.secretHash)
    const reply = (apiToken: string, endsAt: Date) => ({
      apiToken,
      keyId: key.keyId,
      keyName: key.keyName,
      masked: maskKeySecret(apiToken.slice(-4)),
      oldEndsAt: endsAt.toISOString(),
    })
    if (made !== undefined && old) return reply(made, old.endsAt)
    if (old) fail('KEY_ROTATING')
    if (made !== undefined) fail('KEY_REQUEST_USED')
    const secret = secretsOf[0]!
    const endsAt = new Date(ctx.clock.now().getTime() + OVERLAP_MS)
    await replaceSecret(tx, key.keyId, { made: { secretHash: hashKeySecret(secret), last4: secret.slice(-4) }, endsAt })
    await tx.audit('key.rotated', `key:${key.keyId}`, { keyName: key.keyName, from: key.last4, to: secret.slice(-4), ip: ctx.ip })
    return reply(secret, endsAt)
  })
}

/** Ends the previous secret of a rotated key; it is refused everywhere within a second. */
export async function endOldSecret(ctx: Ctx, input: InputOf<EndOld>): Promise<Record<string, never>> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    const key = (await selectOwnKey(tx, ctx.userId, { keyId: input.keyId })) ?? fail('KEY_NOT_FOUND')
    if (await endOldSecrets(tx, key.keyId)) await tx.audit('key.rotation-ended', `key:${key.keyId}`, { keyName: key.keyName, ip: ctx.ip })
    return {}
  })
}
