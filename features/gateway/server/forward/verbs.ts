import { createHash, randomUUID } from 'node:crypto'
import type { Ctx } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { forwardContract } from '../../contract-forward.ts'
import { oldSecretsOf } from '../keys/data-secrets.ts'
import { lockKeysOf } from '../keys/data.ts'
import { makeKey, mayMakeKeys } from '../keys/generate-key.ts'
import { rotateKey } from '../keys/rotate-key.ts'
import { masked } from '../keys/secret.ts'
import { forwardKey, isOfRequest, setForward } from './data.ts'

type C = typeof forwardContract
const NAMES = { zh: '转发', en: 'Forward' } as const

/** Clients of each family add their own paths: OpenAI's begin below /v1, the others' bring theirs. */
const baseUrlsOf = (origin: string) => ({ openai: `${origin}/v1`, claude: origin, gemini: origin })

export async function gptForwardGet(ctx: Ctx): Promise<ReplyOf<C['gptForwardGet']>> {
  const key = await forwardKey(ctx.db, ctx.userId)
  const [old] = key ? await oldSecretsOf(ctx.db, [key.key_id]) : []
  return {
    baseUrls: baseUrlsOf(ctx.siteUrl()),
    key: key
      ? {
          keyId: key.key_id,
          keyName: key.name,
          masked: masked(key.last4),
          createdTime: key.created_at.toISOString(),
          lastUseTime: key.last_used_at?.toISOString() ?? null,
          isOn: key.disabled_at === null && key.paused_at === null,
          oldEndsTime: old?.ends_at.toISOString() ?? null,
        }
      : null,
  }
}

/**
 * One key a member, made once and given another secret afterwards: limits and usage stay with it. The key and its mark are one transaction
 * under the lock of the member's keys, so that first requests at once never leave a second key.
 */
export async function gptForwardApply(ctx: Ctx, { requestKey = randomUUID() }: InputOf<C['gptForwardApply']>): Promise<ReplyOf<C['gptForwardApply']>> {
  const baseUrl = baseUrlsOf(ctx.siteUrl()).openai
  const request = createHash('sha256').update(requestKey).digest()
  const known = await rotatable(ctx.db, ctx.userId, request)
  const asked = known ? { rotate: known, made: undefined } : await makeOnce(ctx, requestKey, request)
  if (asked.made) return { baseUrl, apiKey: asked.made.apiToken, keyId: asked.made.keyId, masked: asked.made.masked, oldEndsTime: null }
  const { apiToken, keyId, masked: shown, oldEndsAt } = await rotateKey(ctx, { keyId: asked.rotate, requestKey })
  return { baseUrl, apiKey: apiToken, keyId, masked: shown, oldEndsTime: oldEndsAt }
}

/** The key that is there, unless this very request has made it: that is answered again, and not given another secret. */
async function rotatable(sql: Sql, userId: string, request: Buffer): Promise<string | undefined> {
  const known = await forwardKey(sql, userId)
  return known && !(await isOfRequest(sql, known.key_id, request)) ? known.key_id : undefined
}

async function makeOnce(ctx: Ctx, requestKey: string, request: Buffer) {
  const most = await mayMakeKeys(ctx)
  return transact(ctx.db, ctx.actor, async (tx) => {
    await lockKeysOf(tx, ctx.userId)
    const first = await rotatable(tx, ctx.userId, request)
    if (first) return { rotate: first }
    const keyName = (await forwardKey(tx, ctx.userId))?.name ?? NAMES[ctx.lang]
    const made = await makeKey(ctx, tx, { keyName, requestKey }, most)
    await setForward(tx, ctx.userId, made.keyId)
    await tx.audit('key.forward', `key:${made.keyId}`, {})
    return { made }
  })
}
