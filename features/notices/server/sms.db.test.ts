import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { listSandboxSms, sendSms, listSmsRegions } from './door.ts'
import type { SmsOrder } from './door.ts'
import { notices } from './index.ts'
import { renderCodeSms } from './render.ts'
import { smsPerHour } from './settings.ts'
import { deliverSms } from './verbs/deliver-sms.ts'
import { resumeNotices } from './verbs/resume-notices.ts'
import { sweepNotices } from './verbs/sweep-notices.ts'

/** An address without a listener. */
const CLOSED_PORT_URL = 'http://127.0.0.1:4'
const db = await useTestDb({ max: 20 })
const SECRET = '731904'
const newApp = (over: { env?: Record<string, string> } = {}) => {
  const clock = createTestClock()
  return Object.assign(createTestApp({ features: [notices], db, clock, ...over }), { clock })
}

let orders = 0
/** A number whose last four digits select the sandbox's behaviour. */
const numberFor = (wish = '1111') => `+86138${String(++orders).padStart(4, '0')}${wish}`
async function order(app: TestApp, over: Partial<SmsOrder> = {}): Promise<string> {
  const to = over.to ?? numberFor()
  await transact(db, SYSTEM, (tx) => sendSms(app.deps, tx, { to, template: 'code', lang: 'zh', code: SECRET, purpose: 'login', ...over }))
  return to
}
const rowOf = async (to: string) => (await db.query(`select * from notices_sms where recipient = $1`, [to]))[0]!
const arrived = async (to: string) => (await listSandboxSms(db, to)).length

test('a code arrives in the text of its purpose, and is stored neither in plain text nor after sending', async () => {
  const app = newApp()
  const to = await order(app)
  const waiting = await rowOf(to)
  expect(JSON.stringify(waiting)).not.toContain(SECRET)
  expect((waiting['content'] as Buffer).includes(Buffer.from(SECRET))).toBe(false)
  await app.settle()
  expect(await listSandboxSms(db, to)).toMatchObject([
    { to, code: SECRET, text: '【明细】731904 是你登录的验证码，10 分钟内有效。请勿告诉任何人，工作人员也不会索取。' },
  ])
  expect(await rowOf(to)).toMatchObject({ state: 'sent', vendor: 'sandbox', content: null, attempts: 1 })
})

test('every text is one message long', () => {
  const { config } = newApp().deps
  for (const purpose of ['login', 'register', 'updatePassword', 'updateMobile', 'payPassword', 'deleteAccount', 'nobody knows']) {
    expect(renderCodeSms({ lang: 'zh', code: SECRET, purpose, minutes: 10 }, config).text.length).toBeLessThanOrEqual(70)
    expect(renderCodeSms({ lang: 'en', code: SECRET, purpose, minutes: 10 }, config).text.length).toBeLessThanOrEqual(160)
  }
})

test('an order that does not commit sends nothing; the same event sends once', async () => {
  const app = newApp()
  const to = numberFor()
  await expect(
    transact(db, SYSTEM, async (tx) => {
      await sendSms(app.deps, tx, { to, template: 'code', lang: 'zh', code: SECRET, purpose: 'login' })
      throw new Error('undo')
    }),
  ).rejects.toThrow('undo')
  expect(app.waiting()).toEqual([])
  for (let n = 0; n < 3; n++) await order(app, { to, dedupe: `once:${to}` })
  await app.settle()
  expect(await arrived(to)).toBe(1)
})

test.each([
  ['0400', 'refused', 0],
  ['0501', 'sent', 1],
  ['0404', 'sent', 0],
  ['0200', 'sent', 2],
] as const)('the sandbox behaves badly on request: %s', async (wish, state, count) => {
  const app = newApp()
  const to = await order(app, { to: numberFor(wish) })
  await app.settle()
  expect(await rowOf(to)).toMatchObject({ state, content: null })
  expect(await arrived(to)).toBe(count)
})

test('a lost answer is asked about, not repeated: one message on the phone', async () => {
  const app = newApp()
  const to = await order(app, { to: numberFor('0502') })
  await expect(app.settle(1)).rejects.toThrow('answer lost')
  const { id } = await rowOf(to)
  await expect(deliverSms(app.deps, id as string)).rejects.toThrow('another run')
  app.clock.advance(10_000)
  await resumeNotices(app.deps)
  expect(await rowOf(to)).toMatchObject({ state: 'sent', vendor: 'sandbox', content: null, attempts: 2 })
  expect(await arrived(to)).toBe(1)
})

test('a run that was killed after the carrier took the message leaves one message, one killed before it leaves one, too', async () => {
  const app = newApp()
  for (const took of [true, false]) {
    const to = await order(app)
    const { id } = await rowOf(to)
    // State after a kill: the claim, and the carrier recorded before its call.
    await db.query(`update notices_sms set attempts = 1, maybe_taken_by = 'sandbox', claimed_until = $2 where id = $1`, [
      id,
      new Date(app.clock.now().getTime() + 30_000),
    ])
    if (took) await db.query(`insert into notices_sandbox_sms (message_id, recipient, text, code, at) values ($1,$2,'x','y',now())`, [id, to])
    app.clock.advance(30_000)
    await resumeNotices(app.deps)
    expect(await rowOf(to)).toMatchObject({ state: 'sent', content: null })
    expect(await arrived(to)).toBe(1)
  }
})

test('twenty runs of one job send one message', async () => {
  const app = newApp()
  const to = await order(app)
  const { id } = await rowOf(to)
  await Promise.allSettled(Array.from({ length: 20 }, () => deliverSms(app.deps, id as string)))
  expect(await arrived(to)).toBe(1)
})

test('a carrier that fails hands over to the next one; while all are down the message waits until its code is dead', async () => {
  const down = { ALIYUN_SMS_ENDPOINT: CLOSED_PORT_URL, TWILIO_ENDPOINT: CLOSED_PORT_URL }
  const sid = `AC${'0'.repeat(32)}`
  const twilio = { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: '+15005550006' }
  const aliyun = { ALIYUN_SMS_ACCESS_KEY_ID: 'a', ALIYUN_SMS_ACCESS_KEY_SECRET: 'b', ALIYUN_SMS_SIGN_NAME: 'c', ALIYUN_SMS_TEMPLATE_CODE_INTL: 'd' }
  const app = newApp({ env: { ...down, ...twilio, ...aliyun } })
  const to = await order(app, { to: '+85261230001', goodForSeconds: 600 })
  const { id } = await rowOf(to)
  for (const carrier of ['twilio', 'aliyun', 'twilio']) await expect(deliverSms(app.deps, id as string)).rejects.toThrow(carrier)
  expect(await rowOf(to)).toMatchObject({ state: 'waiting', maybeTakenBy: null, claimedUntil: null, problem: expect.stringContaining('twilio') })
  app.clock.advance(600_000)
  await app.settle()
  expect(await rowOf(to)).toMatchObject({ state: 'expired', content: null })
  expect(await arrived(to)).toBe(0)
})

test('the hour has a budget that parallel orders cannot pass; the refusal says when it ends (A5)', async () => {
  const app = newApp()
  await db.query('delete from notices_sms_hours')
  await transact(db, SYSTEM, (tx) => app.deps.settings.set(tx, smsPerHour, 10))
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => order(app)))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(10)
  const refusal = results.find((result) => result.status === 'rejected')!
  expect(refusal.reason).toMatchObject({ errorName: 'TOO_MANY' })
  expect(refusal.reason.data.retryAfterSeconds).toBeGreaterThan(0)
  expect(refusal.reason.data.retryAfterSeconds).toBeLessThanOrEqual(3600)
  app.clock.advance(refusal.reason.data.retryAfterSeconds * 1000)
  await order(app)
  await transact(db, SYSTEM, (tx) => app.deps.settings.set(tx, smsPerHour, 2000))
})

test('regions without a carrier are neither offered nor served', async () => {
  expect(await listSmsRegions(newApp().deps)).toEqual(['86', '852', '853'])
  const bare = newApp({ env: { STAGE: 'production' } })
  expect(await listSmsRegions(bare.deps)).toEqual([])
  await expect(order(bare)).rejects.toMatchObject({ errorName: 'UNAVAILABLE' })
  await expect(order(newApp(), { to: '+4915112345678' })).rejects.toMatchObject({ errorName: 'UNAVAILABLE' })
})

test('the sweep ends what came too late and forgets old records', async () => {
  const app = newApp()
  const to = await order(app)
  app.clock.advance(601_000)
  await sweepNotices(app.deps)
  expect(await rowOf(to)).toMatchObject({ state: 'expired', content: null })
  app.clock.advance(31 * 86_400_000)
  await sweepNotices(app.deps)
  expect(await rowOf(to)).toBeUndefined()
  expect(await listSandboxSms(db, to)).toEqual([])
})

test('the sandbox shows its phone, and only where it may', async () => {
  const app = newApp()
  const to = await order(app)
  await app.settle()
  const reply = await app.inject({ url: '/sandbox/sms', query: { to } })
  expect(reply.json()).toMatchObject([{ to, code: SECRET, at: expect.any(String) }])
  expect((await newApp({ env: { STAGE: 'production', ALLOW_SANDBOX: 'mail' } }).inject({ url: '/sandbox/sms' })).statusCode).toBe(404)
})
