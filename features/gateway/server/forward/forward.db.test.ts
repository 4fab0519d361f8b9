import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { gateway } from '../index.ts'
import { selectKeysByHash } from '../keys/data.ts'
import { hashKeySecret } from '../keys/secret.ts'

const db = await useTestDb()
const clock = createTestClock()
const app = createTestApp({ features: [wallet, notices, risk, account, gateway], db, clock })
beforeAll(async () => {
  await gateway.start?.(app.deps, new Set(['api']))
  await chooseCaptcha(app.deps, 'off')
})
let user: BuiltUser
beforeEach(async () => {
  user = await aUser(app.deps)
  await aFundedUser(db, { userId: user.userId })
})
const get = async (who = user) => (await app.call('GET', '/reward/gptForward/get', {}, { token: who.token })).data
const apply = (requestKey: string, who = user) => app.call('POST', '/reward/gptForward/apply', { requestKey }, { token: who.token })
/** Evaluates a key as the gateway would. */
const works = async (secret: string) => (await selectKeysByHash(db, [hashKeySecret(secret)])).get(hashKeySecret(secret))?.userId

test('the address and its key are made once, the secret is shown once, and another secret replaces it', async () => {
  expect(await get()).toEqual({
    baseUrls: { openai: 'http://localhost:3000/v1', claude: 'http://localhost:3000', gemini: 'http://localhost:3000' },
    key: null,
  })
  const { data: first } = await apply('the first request of the page')
  expect(first).toMatchObject({ baseUrl: 'http://localhost:3000/v1', oldEndsTime: null })
  expect(await works(first.apiKey)).toBe(user.userId)
  // its reply was lost
  expect((await apply('the first request of the page')).data).toEqual(first)
  const shown = await get()
  expect(shown.key).toMatchObject({ keyId: first.keyId, masked: first.masked, isOn: true, oldEndsTime: null })
  expect(JSON.stringify(shown)).not.toContain(first.apiKey)
  const { data: second } = await apply('the second request of the page')
  expect(second.keyId).toBe(first.keyId)
  expect(second.apiKey).not.toBe(first.apiKey)
  expect([await works(first.apiKey), await works(second.apiKey)]).toEqual([user.userId, user.userId])
  expect((await apply('the second request of the page')).data).toEqual(second)
  expect(Date.parse((await get()).key.oldEndsTime)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  const keys = await db.query('select 1 from gateway_keys where user_id = $1', [user.userId])
  expect(keys).toHaveLength(1)
})

test('without a request key each call makes another secret of the one key', async () => {
  const bare = () => app.call('POST', '/reward/gptForward/apply', {}, { token: user.token })
  const [{ data: first }, { data: second }] = [await bare(), await bare()]
  expect(second.keyId).toBe(first.keyId)
  expect(second.apiKey).not.toBe(first.apiKey)
  expect([await works(first.apiKey), await works(second.apiKey)]).toEqual([user.userId, user.userId])
})

test('a deleted key is replaced by a new one; another user’s is never shown', async () => {
  const { data: first } = await apply('the first request of the page')
  const other = await aUser(app.deps)
  expect((await get(other)).key).toBeNull()
  expect((await app.call('POST', '/user/key/delete', { keyId: first.keyId }, { token: user.token })).code).toBe(200)
  expect((await get()).key).toBeNull()
  const { data: next } = await apply('another request of the page')
  expect(next.keyId).not.toBe(first.keyId)
  expect((await get()).key.keyId).toBe(next.keyId)
})

test('twenty first requests at once make one key and leave no other; without money there is none', async () => {
  const windows = Array.from({ length: 20 }, (_, at) => `a request of window ${at % 10} here`)
  const replies = await Promise.all(windows.map((window) => apply(window)))
  const { key } = await get()
  const made = replies.filter(({ code }) => code === 200)
  expect(made.length).toBeGreaterThan(0)
  expect(new Set(made.map(({ data }) => data.keyId))).toEqual(new Set([key.keyId]))
  const keys = await db.query('select key_id from gateway_keys where user_id = $1', [user.userId])
  expect(keys).toEqual([{ keyId: key.keyId }])
  for (const { data } of made) expect(await works(data.apiKey)).toBe(user.userId)
  const poor = await aUser(app.deps)
  expect((await apply('a request without any money', poor)).code).not.toBe(200)
  expect((await get(poor)).key).toBeNull()
})
