import { beforeEach, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { CONSENT_VERSION } from '../../words-out.ts'
import { createRechargingApp } from '../testing/recharging.ts'
import { autoOpen } from './settings.ts'

// Permissions to change, resume and view a plan, by user and state.
const app = await createRechargingApp()
const { db, call } = app
const CHANGED = 3161
const LIMITS = { threshold: '8', amount: '20', dayMost: '50', monthMost: '300' }
const change = (token: string, more: object = {}) =>
  call('POST', '/v1/pay/autoRecharge/change', { ...LIMITS, agreed: true, consentVersion: CONSENT_VERSION, ...more }, { token })
const callVerb = (token: string, name: string) => call('POST', `/v1/pay/autoRecharge/${name}`, {}, { token })
const planOf = async (userId: string) => (await app.view(userId)).plan
const OLD = { threshold: '5', amount: '10', dayMost: '35', monthMost: '200' }

let userId = ''
beforeEach(async () => {
  userId = (await app.signed()).userId
})

test('limits are changed by consent to today’s words, within the bounds, and a refusal leaves them as they were', async () => {
  expect((await change(userId, { agreed: false })).status).toBe(400)
  expect((await change(userId, { consentVersion: '2020-01' })).code).toBe(3162)
  expect((await change(userId, { threshold: '0.99' })).code).toBe(3105)
  expect((await change(userId, { amount: '4.99' })).code).toBe(3105)
  // 20.70 with its fee
  expect((await change(userId, { dayMost: '20.69' })).code).toBe(3163)
  expect((await change(userId, { monthMost: '49.99' })).code).toBe(3163)
  expect(await planOf(userId)).toEqual(OLD)
  expect(await db.query('select 1 from payments_auto_consents where user_id = $1', [userId])).toHaveLength(1)
  expect((await change(userId, { dayMost: '20.7' })).data.plan).toEqual({ ...LIMITS, dayMost: '20.7' })
  expect(await app.events(userId)).toContain('auto.changed')
})

test('without auto recharge there is nothing to change or resume, and another user’s plan is out of reach', async () => {
  const stranger = createId('user')
  expect([(await change(stranger)).code, (await callVerb(stranger, 'resume')).code]).toEqual([CHANGED, CHANGED])
  expect((await callVerb(stranger, 'stop')).data.state).toBe('off')
  expect(await app.view(userId)).toMatchObject({ state: 'active', plan: OLD })
})

test('a stop can be undone within its time and not after, and an active plan needs no undo', async () => {
  expect((await callVerb(userId, 'resume')).code).toBe(CHANGED)
  await app.verb(userId, 'stop')
  expect((await app.verb(userId, 'resume')).state).toBe('active')
  await app.verb(userId, 'stop')
  await db.owner.query(`update payments_auto_plans set undo_until = now() - interval '1 second' where user_id = $1`, [userId])
  expect((await callVerb(userId, 'resume')).code).toBe(CHANGED)
  expect((await app.view(userId)).state).toBe('stopped')
  await app.work()
  expect(await app.charges(userId)).toEqual([])
})

test('the closed switch refuses a change and a resume, never a stop', async () => {
  await app.set(autoOpen, false)
  expect((await change(userId)).code).toBe(3160)
  expect((await app.verb(userId, 'stop')).state).toBe('stopped')
  expect((await callVerb(userId, 'resume')).code).toBe(3160)
  await app.set(autoOpen, true)
  expect(await planOf(userId)).toEqual(OLD)
})

test('a user starts ten agreements a day; the next one is refused until the first is a day old', async () => {
  const signer = createId('user')
  const agreements: string[] = []
  for (let n = 0; n < 10; n++) agreements.push((await app.start(signer)).data.agreementNo)
  expect(new Set(agreements).size).toBe(10)
  expect((await app.start(signer)).code).toBe(3112)
  expect(await app.view(signer)).toMatchObject({ state: 'signing' })
  expect((await app.start(createId('user'))).code).toBe(200)
  await db.owner.query(`update payments_agreements set created_at = created_at - interval '1 day' where agreement_no = $1`, [agreements[0]])
  expect((await app.start(signer)).code).toBe(200)
})

test('the return from the channel’s page activates a signed agreement once, and leaves an unsigned one waiting', async () => {
  const other = createId('user')
  expect((await app.verb(other, 'check')).state).toBe('off')
  const { data } = await app.start(other)
  expect((await app.verb(other, 'check')).state).toBe('signing')
  await app.press(data.payUrl, 'agreeSilently')
  expect((await app.view(other)).state).toBe('signing')
  expect((await app.verb(other, 'check')).state).toBe('active')
  expect((await app.verb(other, 'check')).state).toBe('active')
  expect((await app.events(other)).filter((event) => event === 'auto.started')).toHaveLength(1)
})
