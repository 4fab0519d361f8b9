import { fail } from '#platform/shared/errors.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { endKey, selectOwnKey } from './data.ts'
import { deleteKeyFlag } from '../settings.ts'
import { parseKeyRef } from './update-key.ts'
import type { KeyRef } from './update-key.ts'

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
