import { fail } from '#platform/shared/errors.ts'
import type { Ctx, Deps } from '#platform/server/feature.ts'
import { isSessionProven, requireProven } from '#features/account/server/door.ts'
import { transact, SYSTEM } from '#platform/server/database/transact.ts'
import { KEY_FIELDS, type KeyFields } from '../../contract.ts'
import type { KeyLimitsInput } from '../../contract-limits.ts'
import { selectOwnKey, updateKeyFields, type StoredKeyRef, endKey, lockUserKeys, endUserKeys } from './data.ts'
import { updateKeyLimits } from './data-limits.ts'
import { isLooser, toLimitsView, toStoredLimits } from './stored-limits.ts'
import { hashKeySecret, deriveKeySecret, maskKeySecret } from './secret.ts'
import { modifyKeyFlag, deleteKeyFlag } from '../settings.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { keysContract } from '../../contract-keys.ts'
import { setKeyEnabled as setKey, endOldSecrets, selectOldSecrets, replaceSecret, selectKeySecret } from './data-secrets.ts'
import { deleteAlertSettings } from '../alerts/data-alerts.ts'

/** Ends all keys and alerts of a user who closed the account or whose secrets may have leaked. Idempotent. */
export async function endKeys({ db }: Deps, { userId }: { readonly userId: string }): Promise<void> {
  await transact(db, SYSTEM, async (tx) => {
    await deleteAlertSettings(tx, userId)
    for (const { keyId } of await endUserKeys(tx, userId)) await tx.audit('key.deleted', `key:${keyId}`, { because: 'user' })
  })
}

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

/**
 * Switches a key off, which is effective everywhere within a second, or on again, which requires re-authentication like any wider limit.
 * Errors: KEY_PAUSED (by operators).
 */
export async function switchKey(ctx: Ctx, input: InputOf<(typeof keysContract)['switchKey']>): Promise<Record<string, never>> {
  if (!(await ctx.settings.get(modifyKeyFlag))) fail('KEY_CHANGE_OFF')
  if (input.on) await requireProven(ctx)
  return transact(ctx.db, ctx.actor, async (tx) => {
    const key = (await selectOwnKey(tx, ctx.userId, { keyId: input.keyId })) ?? fail('KEY_NOT_FOUND')
    if (input.on && key.pausedAt) fail('KEY_PAUSED')
    if (await setKey(tx, key.keyId, input.on))
      await tx.audit(input.on ? 'key.enabled' : 'key.disabled', `key:${key.keyId}`, { keyName: key.keyName, ip: ctx.ip })
    return {}
  })
}

/** Changes the fields of a key, found by its id or its full secret, and sets its limits. Calls under way keep their reservations. */
export async function updateKey(ctx: Ctx, input: KeyRef & KeyFields & { limits?: KeyLimitsInput | undefined }): Promise<Record<string, never>> {
  if (!(await ctx.settings.get(modifyKeyFlag))) fail('KEY_CHANGE_OFF')
  const proven = !input.limits || (await isSessionProven(ctx))
  return transact(ctx.db, ctx.actor, async (tx) => {
    const key = (await selectOwnKey(tx, ctx.userId, parseKeyRef(input))) ?? fail('KEY_NOT_FOUND')
    if (KEY_FIELDS.some((name) => key[name] !== input[name])) {
      await updateKeyFields(tx, key.keyId, input)
      await tx.audit('key.renamed', `key:${key.keyId}`, { from: key.keyName, to: input.keyName, ip: ctx.ip })
    }
    if (input.limits) {
      const { onDisconnect } = input.limits
      const wanted = await toStoredLimits(tx, input.limits, { now: ctx.clock.now(), before: key.expiresAt })
      if (!proven && isLooser(key, wanted)) fail('STEP_UP_REQUIRED')
      await updateKeyLimits(tx, key.keyId, { onDisconnect, limits: wanted })
      await tx.audit('key.limited', `key:${key.keyId}`, { from: toLimitsView(key, key.onDisconnect), to: input.limits, keyName: input.keyName, ip: ctx.ip })
    }
    return {}
  })
}

export interface KeyRef {
  readonly apiToken?: string | undefined
  readonly keyId?: string | undefined
}

/** `apiToken` may carry the full secret or the keyId. */
export function parseKeyRef(ref: KeyRef): StoredKeyRef {
  if (ref.keyId) return { keyId: ref.keyId }
  return ref.apiToken?.startsWith('sk-') ? { secretHash: hashKeySecret(ref.apiToken) } : { keyId: ref.apiToken }
}

/** Ends a key. Calls under way are settled; new ones are refused everywhere within a second. */
export async function deleteKey(ctx: Ctx, input: KeyRef): Promise<Record<string, never>> {
  if (!(await ctx.settings.get(deleteKeyFlag))) fail('KEY_DELETE_OFF')
  return transact(ctx.db, ctx.actor, async (tx) => {
    const key = (await selectOwnKey(tx, ctx.userId, parseKeyRef(input))) ?? fail('KEY_NOT_FOUND')
    await endKey(tx, key.keyId)
    await tx.audit('key.deleted', `key:${key.keyId}`, { keyName: key.keyName, ip: ctx.ip })
    return {}
  })
}
