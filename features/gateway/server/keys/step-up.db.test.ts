import { beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { gateway } from '../index.ts'

const MINUTE = 60_000
const STEP_UP = 1020
const db = await useTestDb()
const clock = createTestClock()
const app = createTestApp({ features: [wallet, notices, risk, account, gateway], db, clock })
beforeAll(async () => {
  await gateway.start?.(app.deps, new Set(['api']))
  await chooseCaptcha(app.deps, 'off')
})

/** Creates a user with an old sign-in, and a way to step up. */
async function aMemberWithOldSignIn() {
  const user = await aUser(app.deps)
  await aFundedUser(db, { userId: user.userId })
  let { token } = user
  return {
    ...user,
    ask: async (path: string, input: object) => (await app.callAs(token)('POST', path, input)) as { code: number; data: any },
    stepUp: async () => {
      token = (await app.callAs(token)('POST', '/user/secondaryVerify', { password: user.password })).data.token
    },
  }
}

test('a key is made right after signing in; later it wants a fresh proof, and none is made without', async () => {
  const me = await aMemberWithOldSignIn()
  expect((await me.ask('/user/key/generate', { keyName: 'first' })).code).toBe(200)
  clock.advance(11 * MINUTE)
  const input = { keyName: 'second', requestKey: 'a request of the page' }
  expect((await me.ask('/user/key/generate', input)).code).toBe(STEP_UP)
  const count = () => db.query('select name from gateway_keys where user_id = $1', [me.userId])
  expect(await count()).toEqual([{ name: 'first' }])
  await me.stepUp()
  expect((await me.ask('/user/key/generate', input)).code).toBe(200)
  clock.advance(11 * MINUTE)
  // a repeated request shows the secret again, and requires the proof like the first
  expect((await me.ask('/user/key/generate', input)).code).toBe(STEP_UP)
  expect(await count()).toHaveLength(2)
})

test('a webhook wants a fresh proof; taking one away and a threshold do not', async () => {
  const me = await aMemberWithOldSignIn()
  clock.advance(11 * MINUTE)
  expect((await me.ask('/user/alerts', { lowBalance: '3', webhookUrl: null })).code).toBe(200)
  expect((await me.ask('/user/alerts', { lowBalance: '3', webhookUrl: 'https://hooks.example.com/in' })).code).toBe(STEP_UP)
  await me.stepUp()
  expect((await me.ask('/user/alerts', { lowBalance: '3', webhookUrl: 'https://hooks.example.com/in' })).data.webhookSecret).toMatch(/^whsec_/)
  clock.advance(11 * MINUTE)
  expect((await me.ask('/user/alerts', { lowBalance: '4', webhookUrl: 'https://hooks.example.com/in' })).code).toBe(200)
  expect((await me.ask('/user/alerts', { lowBalance: '4', webhookUrl: 'https://hooks.example.com/other' })).code).toBe(STEP_UP)
  expect((await me.ask('/user/alerts', { lowBalance: '4', webhookUrl: null })).code).toBe(200)
})

test('limits are narrowed at any time and widened with a fresh proof only', async () => {
  const me = await aMemberWithOldSignIn()
  const limits = { dayBudget: '5', requestsPerMinute: 10, networks: ['203.0.113.0/24'], expiresAt: new Date(clock.now().getTime() + 1e9).toISOString() }
  const { keyId } = (await me.ask('/user/key/generate', { keyName: 'k', limits })).data
  clock.advance(11 * MINUTE)
  const change = async (more: object) => (await me.ask('/user/key/update', { keyId, keyName: 'k', limits: { ...limits, ...more } })).code
  for (const wider of [
    { dayBudget: '5.01' },
    { dayBudget: null },
    { requestsPerMinute: 11 },
    { networks: [] },
    { networks: [...limits.networks, '198.51.100.1'] },
    { expiresAt: null },
  ])
    expect([wider, await change(wider)]).toEqual([wider, STEP_UP])
  for (const narrower of [{}, { dayBudget: '4', concurrency: 2 }, { dayBudget: '4', concurrency: 2, monthBudget: '9' }])
    expect([narrower, await change(narrower)]).toEqual([narrower, 200])
  expect(await change({})).toBe(STEP_UP)
  expect((await me.ask('/user/key/update', { keyId, keyName: 'another name' })).code).toBe(200)
  await me.stepUp()
  expect(await change({})).toBe(200)
})
