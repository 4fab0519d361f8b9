import { createHash } from 'node:crypto'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { forwardContract } from '../../contract-forward.ts'
import { oldSecretsOf } from '../keys/data-secrets.ts'
import { generateKey } from '../keys/generate-key.ts'
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
          isOn: key.disabled_at === null,
          oldEndsTime: old?.ends_at.toISOString() ?? null,
        }
      : null,
  }
}

/**
 * One key a member, made once and given another secret afterwards: limits and usage stay with it. A request that died between the key and its
 * mark is repeated with the same `requestKey`, gets the same key and marks it.
 */
export async function gptForwardApply(ctx: Ctx, { requestKey }: InputOf<C['gptForwardApply']>): Promise<ReplyOf<C['gptForwardApply']>> {
  const baseUrl = baseUrlsOf(ctx.siteUrl()).openai
  const known = await forwardKey(ctx.db, ctx.userId)
  // What this very request has made is answered again, and not given another secret.
  if (!known || (await isOfRequest(ctx.db, known.key_id, createHash('sha256').update(requestKey).digest()))) {
    const made = await generateKey(ctx, { keyName: known?.name ?? NAMES[ctx.lang], requestKey })
    await transact(ctx.db, ctx.actor, async (tx) => {
      await setForward(tx, ctx.userId, made.keyId)
      await tx.audit('key.forward', `key:${made.keyId}`, {})
    })
    return { baseUrl, apiKey: made.apiToken, keyId: made.keyId, masked: made.masked, oldEndsTime: null }
  }
  const { apiToken, keyId, masked: shown, oldEndsAt } = await rotateKey(ctx, { keyId: known.key_id, requestKey })
  return { baseUrl, apiKey: apiToken, keyId, masked: shown, oldEndsTime: oldEndsAt }
}
