import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import type { RiskScene } from '../contract.ts'
import { aCaptchaParam, chooseCaptcha, solveCaptchaParam } from './builders.ts'
import { requireHuman } from './door.ts'
import { risk, riskJobs } from './index.ts'
import { captchaByScene, captchaEffort, challengesPerMinute, failedMovesPerHour } from './settings.ts'

const db = await useTestDb({ max: 20 })
const clock = createTestClock()
const app = createTestApp({ features: [risk], db, clock })
await transact(db, SYSTEM, (tx) => app.deps.settings.set(tx, captchaEffort, 8))
const ASKED = { errorName: 'CAPTCHA_REQUIRED' }

let visitors = 0
const anotherIp = () => `10.1.${Math.floor(++visitors / 250)}.${visitors % 250}`
const human = (param: string | undefined, scene: RiskScene = 'login', on: TestApp = app) => requireHuman(on.deps, { scene, param, ip: '10.0.0.1' })
const challenge = async (input: object, ip = anotherIp()) => app.call('GET', '/common/captcha/challenge', input, { ip })

test('a solved challenge serves one call over HTTP, and no second one', async () => {
  const { data, status } = await challenge({ scene: 'login' })
  expect(status).toBe(200)
  expect(data).toMatchObject({ challenge: { kind: 'altcha', expiresInSeconds: 600 }, ways: ['slide'] })
  const param = await solveCaptchaParam(data.challenge.challenge)
  const calls = await Promise.allSettled(Array.from({ length: 50 }, () => human(param)))
  expect(calls.filter((call) => call.status === 'fulfilled')).toHaveLength(1)
  await expect(human(param)).rejects.toMatchObject(ASKED)
})

test.each([undefined, '', 'altcha', 'altcha.', '.x', 'off', 'unknown.x', 'slide.', 'aliyun.anything', 'altcha.e30', '\u0000', 'x'.repeat(20_000)])(
  '%s is rejected, a captcha is required',
  async (param) => {
    await expect(human(param)).rejects.toMatchObject(ASKED)
  },
)

test('a proof serves its own scene, and only while it lives', async () => {
  await expect(human(await aCaptchaParam(app.deps, 'login'), 'security')).rejects.toMatchObject(ASKED)
  const late = await aCaptchaParam(app.deps, 'login')
  clock.advance(601_000)
  await expect(human(late)).rejects.toMatchObject(ASKED)
})

test('operators choose a captcha for each scene; off requires none and gives no challenge', async () => {
  await transact(db, SYSTEM, (tx) => app.deps.settings.set(tx, captchaByScene, { reset: 'off', bind: 'slide' }))
  await human(undefined, 'reset')
  expect((await challenge({ scene: 'reset' })).data).toEqual({ challenge: { kind: 'off' }, ways: [] })
  expect((await challenge({ scene: 'bind' })).data.challenge.kind).toBe('slide')
  expect((await challenge({ scene: 'login' })).data.challenge.kind).toBe('altcha')
  await transact(db, SYSTEM, (tx) => app.deps.settings.set(tx, captchaByScene, {}))
})

test('the alternative to a puzzle is a more expensive hidden challenge; a cheap one made before does not pass', async () => {
  const cheap = await solveCaptchaParam((await challenge({ scene: 'login' })).data.challenge.challenge)
  await chooseCaptcha(app.deps, 'slide')
  const { data } = await challenge({ scene: 'login', kind: 'altcha' })
  await expect(human(cheap)).rejects.toMatchObject(ASKED)
  await human(await solveCaptchaParam(data.challenge.challenge))
  await chooseCaptcha(app.deps, 'altcha')
})

test('a captcha without credentials is replaced by the hidden challenge, not by nothing', async () => {
  await chooseCaptcha(app.deps, 'aliyun')
  expect((await challenge({ scene: 'login' })).data.challenge.kind).toBe('altcha')
  await expect(human('aliyun.good-1')).rejects.toMatchObject(ASKED)
  await human(await aCaptchaParam(app.deps, 'login'))
  await chooseCaptcha(app.deps, 'altcha')
})

test('challenges are limited per address, however many are asked for at once', async () => {
  await transact(db, SYSTEM, (tx) => app.deps.settings.set(tx, challengesPerMinute, 5))
  const ip = anotherIp()
  const replies = await Promise.all(Array.from({ length: 30 }, () => challenge({ scene: 'login' }, ip)))
  expect(replies.filter(({ code }) => code === 200)).toHaveLength(5)
  expect(replies.find(({ code }) => code === 429)!.raw.headers['retry-after']).toBeDefined()
  await transact(db, SYSTEM, (tx) => app.deps.settings.set(tx, challengesPerMinute, 1000))
})

test('misplaced pieces are limited per address', async () => {
  await transact(db, SYSTEM, (tx) => app.deps.settings.set(tx, failedMovesPerHour, 4))
  const ip = anotherIp()
  const trail = [
    [0, 0],
    [100, 20],
    [220, 60],
    [330, 100],
  ]
  const moves = []
  for (let n = 0; n < 6; n++) moves.push((await app.call('POST', '/common/captcha/slide', { id: 'nobody', x: 100, trail }, { ip })).code)
  expect(moves).toEqual([200, 200, 200, 200, 429, 429])
})

test('expired proofs and puzzles are deleted', async () => {
  await human(await aCaptchaParam(app.deps, 'login'))
  await challenge({ scene: 'login', kind: 'slide' })
  clock.advance(3_600_000)
  await riskJobs[0]!.handle(app.deps, {})
  expect(await db.query('select 1 from risk_spent_proofs union all select 1 from risk_puzzles')).toEqual([])
})
