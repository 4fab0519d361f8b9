import { fail } from '#platform/shared/errors.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/transact.ts'
import { ownKey, renameKey } from '../data.ts'
import { secretHash } from '../secret.ts'
import { modifyKeyFlag } from '../settings.ts'

/** Renames a key, found by its id or its full secret. */
export async function updateKey(ctx: Ctx, input: KeyRef & { keyName: string }): Promise<Record<string, never>> {
  if (!(await ctx.settings.get(modifyKeyFlag))) fail('KEY_CHANGE_OFF')
  return transact(ctx.db, ctx.actor, async (tx) => {
    const key = (await ownKey(tx, ctx.userId, ...refOf(input))) ?? fail('KEY_NOT_FOUND')
    await renameKey(tx, key.key_id, input.keyName)
    await tx.audit('key.renamed', `key:${key.key_id}`, { from: key.name, to: input.keyName })
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
