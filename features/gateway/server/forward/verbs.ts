import { createHash, randomUUID } from 'node:crypto'
import type { Ctx } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { forwardContract } from '../../contract-forward.ts'
import { selectOldSecrets } from '../keys/data-secrets.ts'
import { lockUserKeys } from '../keys/data.ts'
import { createApiKey, requireKeyCreation } from '../keys/generate-key.ts'
import { rotateKey } from '../keys/change-key.ts'
import { maskKeySecret } from '../keys/secret.ts'
import { selectForwardKey, isKeyOfRequest, setForwardKey } from './data.ts'

import { forwardTexts } from '../../texts-forward.ts'

type C = typeof forwardContract

/** Clients of each family add their own paths: OpenAI's start below /v1, the others' include it. */
const buildBaseUrls = (origin: string) => ({ openai: `${origin}/v1`, claude: origin, gemini: origin })

export async function gptForwardGet(ctx: Ctx): Promise<ReplyOf<C['gptForwardGet']>> {
  const key = await selectForwardKey(ctx.db, ctx.userId)
  const [old] = key ? await selectOldSecrets(ctx.db, [key.keyId]) : []
  return {
    baseUrls: buildBaseUrls(ctx.siteUrl()),
    key: key
      ? {
          keyId: key.keyId,
          keyName: key.name,
          masked: maskKeySecret(key.last4),
          createdTime: key.createdAt.toISOString(),
          lastUseTime: key.lastUsedAt?.toISOString() ?? null,
          isOn: key.disabledAt === null && key.pausedAt === null,
          oldEndsTime: old?.endsAt.toISOString() ?? null,
        }
      : null,
  }
}

/**
 * Creates one key per member and replaces its secret on later calls, so that limits and usage stay with it. The key and its mark are one
 * transaction under the lock of the member's keys, so that concurrent first requests never create a second key.
 */
export async function gptForwardApply(ctx: Ctx, { requestKey = randomUUID() }: InputOf<C['gptForwardApply']>): Promise<ReplyOf<C['gptForwardApply']>> {
  const baseUrl = buildBaseUrls(ctx.siteUrl()).openai
  const request = createHash('sha256').update(requestKey).digest()
  const known = await findRotatableKey(ctx.db, ctx.userId, request)
  const asked = known ? { rotate: known, made: undefined } : await createForwardKeyOnce(ctx, requestKey, request)
  if (asked.made) return { baseUrl, apiKey: asked.made.apiToken, keyId: asked.made.keyId, masked: asked.made.masked, oldEndsTime: null }
  const { apiToken, keyId, masked: shown, oldEndsAt } = await rotateKey(ctx, { keyId: asked.rotate, requestKey })
  return { baseUrl, apiKey: apiToken, keyId, masked: shown, oldEndsTime: oldEndsAt }
}

/** Returns the id of the existing key to rotate; undefined if there is none, or if this same request created it. */
async function findRotatableKey(sql: Sql, userId: string, request: Buffer): Promise<string | undefined> {
  const known = await selectForwardKey(sql, userId)
  return known && !(await isKeyOfRequest(sql, known.keyId, request)) ? known.keyId : undefined
}

async function createForwardKeyOnce(ctx: Ctx, requestKey: string, request: Buffer) {
  const most = await requireKeyCreation(ctx)
  return transact(ctx.db, ctx.actor, async (tx) => {
    await lockUserKeys(tx, ctx.userId)
    const first = await findRotatableKey(tx, ctx.userId, request)
    if (first) return { rotate: first }
    const keyName = (await selectForwardKey(tx, ctx.userId))?.name ?? forwardTexts[ctx.lang].key_name
    const made = await createApiKey(ctx, tx, { newKeyInput: { keyName, requestKey }, most })
    await setForwardKey(tx, ctx.userId, made.keyId)
    await tx.audit('key.forward', `key:${made.keyId}`, {})
    return { made }
  })
}
