import { fail } from '#platform/shared/errors.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { isProven } from '#features/account/server/door.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { KeyLimitsSet } from '../../contract-limits.ts'
import { ownKey, renameKey } from './data.ts'
import { setLimits } from './data-limits.ts'
import { loosens, shownLimits, storedLimits } from './stored-limits.ts'
import { secretHash } from './secret.ts'
import { modifyKeyFlag } from '../settings.ts'

/** Renames a key, found by its id or its full secret, and sets its limits. Calls under way keep what they were promised. */
export async function updateKey(ctx: Ctx, input: KeyRef & { keyName: string; limits?: KeyLimitsSet | undefined }): Promise<Record<string, never>> {
  if (!(await ctx.settings.get(modifyKeyFlag))) fail('KEY_CHANGE_OFF')
  const proven = !input.limits || (await isProven(ctx))
  return transact(ctx.db, ctx.actor, async (tx) => {
    const key = (await ownKey(tx, ctx.userId, ...refOf(input))) ?? fail('KEY_NOT_FOUND')
    if (key.name !== input.keyName) {
      await renameKey(tx, key.key_id, input.keyName)
      await tx.audit('key.renamed', `key:${key.key_id}`, { from: key.name, to: input.keyName, ip: ctx.ip })
    }
    if (input.limits) {
      const { onDisconnect } = input.limits
      const wanted = await storedLimits(tx, input.limits, ctx.clock.now(), key.expires_at)
      if (!proven && loosens(key, wanted)) fail('STEP_UP_REQUIRED')
      await setLimits(tx, key.key_id, onDisconnect, wanted)
      await tx.audit('key.limited', `key:${key.key_id}`, { from: shownLimits(key, key.on_disconnect), to: input.limits, keyName: input.keyName, ip: ctx.ip })
    }
    return {}
  })
}

export interface KeyRef {
  readonly apiToken?: string | undefined
  readonly keyId?: string | undefined
}

/** `apiToken` may carry the full secret or the keyId (decisions, "The model API"). */
export function refOf(ref: KeyRef): [keyId: string | undefined, hash: string | undefined] {
  if (ref.keyId) return [ref.keyId, undefined]
  return ref.apiToken?.startsWith('sk-') ? [undefined, secretHash(ref.apiToken)] : [ref.apiToken, undefined]
}
