import type { Deps } from '#platform/server/feature.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { aKey, aRefusedCall, recordRefusedCalls, generateUse, markKeyUsed } from '#features/gateway/server/builders.ts'

const MINUTE_MS = 60_000

/** Seeds the demo's keys in various states, a month of use of them, and refused calls; returns the secret of the first. */
export async function seedGateway({ db, log }: Deps, userId: string): Promise<string> {
  const { secret, key } = await aKey(db, userId, { name: '演示密钥 Demo' })
  const { key: claude } = await aKey(db, userId, { name: 'claude code 本机', limits: { monthBudget: parseUsd('8') } })
  const limits = { models: ['google/*'], requestsMinute: 20, expiresAt: new Date(Date.now() + 9 * 86_400_000) }
  const { key: intern } = await aKey(db, userId, { name: '给实习生的测试密钥，只能用便宜模型，请记得删除', limits })
  await generateUse(db, log, { key, days: 30 })
  await generateUse(db, log, { key: claude, days: 12, mostCalls: 3 })
  await markKeyUsed(db, key, { ago: 4 * MINUTE_MS, model: 'gpt-6.2-sol' })
  await markKeyUsed(db, claude, { ago: 31 * MINUTE_MS, model: 'claude-sonnet-5-5', from: '113.87.1.2' })
  await markKeyUsed(db, intern, { ago: 26 * 60 * MINUTE_MS, model: 'gemini-3.8-flash', from: '203.0.113.7' })
  const tooMany = { cause: 'too_many_requests', status: 429, model: 'gemini-3.8-flash', asked: 'gemini-3.8-flash', field: undefined }
  await recordRefusedCalls(db, log, [
    aRefusedCall(intern, 5 * MINUTE_MS),
    aRefusedCall(intern, 6 * MINUTE_MS),
    aRefusedCall(intern, 95 * MINUTE_MS, {
      ...tooMany,
      message: 'Rate limit reached for this API key on requests per minute: limit 20, used 20. Please try again in 12s.',
    }),
    aRefusedCall(key, 50 * 60 * MINUTE_MS, {
      cause: 'no_model',
      status: 404,
      model: '',
      asked: 'gpt-9-preview',
      message: 'The model `gpt-9-preview` does not exist or you do not have access to it.',
    }),
  ])
  return secret
}
