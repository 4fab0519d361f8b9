import { fail } from '#platform/shared/errors.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { requireProven } from '#features/account/server/door.ts'
import type { keysContract } from '../../contract-keys.ts'
import { selectOwnKey } from './data.ts'
import { modifyKeyFlag } from '../settings.ts'
import { setKeyEnabled as setKey } from './data-secrets.ts'

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
