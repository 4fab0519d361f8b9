import { fail } from '#platform/shared/errors.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { isSessionProven } from '#features/account/server/door.ts'
import { transact } from '#platform/server/database/transact.ts'
import { KEY_FIELDS } from '../../contract.ts'
import type { KeyFields } from '../../contract.ts'
import type { KeyLimitsInput } from '../../contract-limits.ts'
import { selectOwnKey, updateKeyFields } from './data.ts'
import type { StoredKeyRef } from './data.ts'
import { updateKeyLimits } from './data-limits.ts'
import { isLooser, toLimitsView, toStoredLimits } from './stored-limits.ts'
import { hashKeySecret } from './secret.ts'
import { modifyKeyFlag } from '../settings.ts'

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
