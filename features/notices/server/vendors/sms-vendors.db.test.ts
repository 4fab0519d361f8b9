import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { systemClock } from '#platform/server/clock.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { DEFAULT_LANG, LANGS } from '#platform/shared/languages.ts'
import { ALIYUN_SIGN, startAliyun } from '#stand-ins/aliyun/index.ts'
import { ALIYUN_SMS_RULES } from '#stand-ins/aliyun/rules.ts'
import { ALIYUN_KEY_ID, ALIYUN_KEY_SECRET } from '#stand-ins/aliyun/wire.ts'
import type { StandInServer } from '#stand-ins/kit/server.ts'
import { vendorDocs } from '#stand-ins/oracles/published.ts'
import { startTwilio } from '#stand-ins/twilio/index.ts'
import { createTwilioOracle } from '#stand-ins/twilio/oracle.ts'
import { TWILIO_RULES } from '#stand-ins/twilio/rules.ts'
import { TWILIO_SID, TWILIO_TOKEN } from '#stand-ins/twilio/wire.ts'
import { noticesConfig } from '../config.ts'
import type { NoticesConfig } from '../config.ts'
import { readSandboxSms, smsVendors, listSmsVendors } from './index.ts'
import { renderAlarmSms } from '../render.ts'
import type { ReadySms } from './port.ts'

// Contract tests for all carriers: add a line to `phones` for a new one.
/** An address without a listener. */
const CLOSED_PORT_URL = 'http://127.0.0.1:4'
const db = await useTestDb()

const aliyun = await startAliyun()
const twilio = await startTwilio()
twilio.senders.add('+15005550006')
twilio.funds = 13_370_000_000n
/** Companies by carrier. */
const companies: Readonly<Record<string, StandInServer>> = { aliyun: aliyun.company, twilio: twilio.company }
afterAll(() => Promise.all(Object.values(companies).map((company) => company.close())))
test.skipIf(!vendorDocs)('Twilio is compared with its OpenAPI description (VENDOR_DOCS)', () => {
  expect(createTwilioOracle()).toBeDefined()
})

const real = {
  ALIYUN_SMS_ACCESS_KEY_ID: ALIYUN_KEY_ID,
  ALIYUN_SMS_ACCESS_KEY_SECRET: ALIYUN_KEY_SECRET,
  ALIYUN_SMS_SIGN_NAME: ALIYUN_SIGN,
  ALIYUN_SMS_TEMPLATE_CODE: 'SMS_1',
  ALIYUN_SMS_TEMPLATE_CODE_INTL: 'SMS_2',
  ALIYUN_SMS_ENDPOINT: aliyun.company.url,
  ALIYUN_BILLING_ENDPOINT: aliyun.company.url,
  TWILIO_ACCOUNT_SID: TWILIO_SID,
  TWILIO_AUTH_TOKEN: TWILIO_TOKEN,
  TWILIO_FROM: '+15005550006',
  TWILIO_ENDPOINT: twilio.company.url,
}
const configOf = (env: Record<string, string>) => readConfig({ ...platformConfig, ...noticesConfig }, env) as NoticesConfig
const config = configOf(real)

const openCarrier = (id: string, own = config) => smsVendors.find((vendor) => vendor.id === id)!.open({ config: own, sql: db, clock: systemClock })
const phones: Readonly<Record<string, (to: string) => Promise<number> | number>> = {
  aliyun: (to) => aliyun.sms.filter((one) => `+${one.to.startsWith('85') ? '' : '86'}${one.to}` === to).length,
  twilio: (to) => twilio.messages.filter((one) => one.to === to).length,
  sandbox: async (to) => (await readSandboxSms(db, to, 100)).length,
}

let numbers = 0
const smsTo = (over: Partial<ReadySms> = {}): ReadySms => {
  const n = String(++numbers).padStart(4, '0')
  return {
    id: `sms_${n}`,
    to: `+861380013${n}`,
    region: '86',
    text: `【明细】73190${n} 是你的验证码`,
    code: '731904',
    orderedAt: new Date(),
    attempt: 1,
    ...over,
  }
}

beforeEach(() => {
  for (const company of Object.values(companies)) company.behave()
  aliyun.refusal = undefined
  twilio.refusal = undefined
})

test('a carrier without credentials is not offered; the sandbox stands in outside production only', () => {
  const ids = (env: Record<string, string>, region: '86' | '852' = '86') => listSmsVendors(configOf(env), ['aliyun', 'twilio'], region).map(({ id }) => id)
  expect(ids(real)).toEqual(['aliyun', 'twilio'])
  expect(ids({ ...real, ALIYUN_SMS_TEMPLATE_CODE_INTL: '' }, '852')).toEqual(['twilio'])
  expect(ids({ ...real, ALIYUN_SMS_SIGN_NAME: '' })).toEqual(['twilio'])
  expect(ids({})).toEqual(['sandbox'])
  expect(ids({ STAGE: 'production' })).toEqual([])
  expect(ids({ STAGE: 'production', ALLOW_SANDBOX: 'mail' })).toEqual([])
  expect(ids({ STAGE: 'production', ALLOW_SANDBOX: 'sms' })).toEqual(['sandbox'])
})

describe.each(smsVendors)('$id', (vendor) => {
  const opened = vendor.open({ config, sql: db, clock: systemClock })

  test('a message arrives at its one number, mainland and Hong Kong, and can be asked about', async () => {
    for (const sms of [smsTo(), smsTo({ to: '+85261234567', region: '852' })]) {
      expect(await opened.find(sms)).toBe('absent')
      await opened.send(sms)
      expect(await phones[vendor.id]!(sms.to)).toBe(1)
      expect(await opened.find(sms)).toBe('taken')
      expect(await opened.find({ ...sms, id: 'sms_other', text: 'another' })).toBe('absent')
    }
  })

  test('many at once all arrive', async () => {
    const all = Array.from({ length: 20 }, () => smsTo())
    await Promise.all(all.map((sms) => opened.send(sms)))
    for (const sms of all) expect(await phones[vendor.id]!(sms.to)).toBe(1)
  })

  test.skipIf(vendor.sandbox)('a broken line after the request is unknown; the vendor can be asked', async () => {
    const lost = smsTo()
    companies[vendor.id]!.misbehave('reset-before', 2)
    await expect(opened.send(lost)).rejects.toMatchObject({ kind: 'unknown' })
    await expect(opened.find(lost)).rejects.toMatchObject({ kind: 'retryable' })
    const taken = smsTo()
    companies[vendor.id]!.misbehave('reset-after')
    await expect(opened.send(taken)).rejects.toMatchObject({ kind: 'unknown' })
    expect(await opened.find(lost)).toBe('absent')
    expect(await opened.find(taken)).toBe('taken')
  })

  test.skipIf(vendor.sandbox)('a refused connection is retryable; an unreadable answer is an unknown outcome', async () => {
    const gone = vendor.open({ config: { ...config, ALIYUN_SMS_ENDPOINT: CLOSED_PORT_URL, TWILIO_ENDPOINT: CLOSED_PORT_URL }, sql: db, clock: systemClock })
    await expect(gone.send(smsTo())).rejects.toMatchObject({ kind: 'retryable', ours: false })
    companies[vendor.id]!.misbehave('error-before')
    await expect(opened.send(smsTo())).rejects.toMatchObject({ kind: 'unknown' })
  })

  test.skipIf(vendor.sandbox)('a wrong secret is our fault, and no answer repeats it', async () => {
    const wrong = vendor.open({ config: { ...config, ALIYUN_SMS_ACCESS_KEY_SECRET: 'hush-1', TWILIO_AUTH_TOKEN: 'hush-1' }, sql: db, clock: systemClock })
    const failed = await wrong.send(smsTo()).catch((error: unknown) => asSupplierError(error))
    expect(failed).toMatchObject({ kind: 'retryable', ours: true })
    expect(`${failed?.message} ${failed?.detail}`).not.toContain('hush-1')
  })
})

// Codes and statuses as the vendors publish them.
test.each([
  ['isv.BUSINESS_LIMIT_CONTROL', { kind: 'rejected', reason: 'limit' }],
  ['isv.MOBILE_NUMBER_ILLEGAL', { kind: 'rejected', reason: 'number' }],
  ['isv.SMS_SIGNATURE_ILLEGAL', { kind: 'retryable', ours: true }],
  ['isv.SMS_TEMPLATE_ILLEGAL', { kind: 'retryable', ours: true }],
  ['isv.INVALID_JSON_PARAM', { kind: 'retryable', ours: true }],
  ['isv.AMOUNT_NOT_ENOUGH', { kind: 'retryable', ours: true }],
  ['SignatureDoesNotMatch', { kind: 'retryable', ours: true }],
  ['InvalidAccessKeyId.NotFound', { kind: 'retryable', ours: true }],
  ['InvalidTimeStamp.Expired', { kind: 'retryable', ours: true }],
  ['Throttling.User', { kind: 'retryable', ours: false }],
  ['ServiceUnavailable', { kind: 'retryable', ours: false }],
  ['isp.SYSTEM_ERROR', { kind: 'unknown' }],
] as const)('aliyun answering %s', async (code, failed) => {
  aliyun.refusal = code
  await expect(openCarrier('aliyun').send(smsTo())).rejects.toMatchObject(failed)
})
test.each([
  [21211, { kind: 'rejected', reason: 'number' }],
  [21614, { kind: 'rejected', reason: 'number' }],
  [21610, { kind: 'rejected', reason: 'blocked' }],
  [21408, { kind: 'retryable', ours: true }],
  [21606, { kind: 'retryable', ours: true }],
  [20003, { kind: 'retryable', ours: true }],
  [20429, { kind: 'retryable', ours: false }],
  [20500, { kind: 'unknown' }],
] as const)('twilio answering %s', async (code, failed) => {
  twilio.refusal = code
  await expect(openCarrier('twilio').send(smsTo())).rejects.toMatchObject(failed)
})

describe('rules of the carriers', () => {
  test('aliyun: a number that is none, and a second code within a minute, are refused for good', async () => {
    const to = '+8613900130001'
    await expect(openCarrier('aliyun').send(smsTo({ to: '+8611111' }))).rejects.toMatchObject({ kind: 'rejected', reason: 'number' })
    await openCarrier('aliyun').send(smsTo({ to }))
    await expect(openCarrier('aliyun').send(smsTo({ to }))).rejects.toMatchObject({ kind: 'rejected', reason: 'limit' })
  })

  test('aliyun: a message that its carrier reports as failed is absent; one that waits for its report is taken', async () => {
    const sms = smsTo()
    await openCarrier('aliyun').send(sms)
    expect(await openCarrier('aliyun').find(sms)).toBe('taken')
    aliyun.sms.at(-1)!.status = 2
    expect(await openCarrier('aliyun').find(sms)).toBe('absent')
  })

  test('twilio: a recipient who unsubscribed, a region without permission and a line without texts', async () => {
    twilio.refused.set('+8613900139001', 21610).set('+853', 21408).set('+8613900139002', 21614)
    const send = (to: string) => openCarrier('twilio').send(smsTo({ to }))
    await expect(send('+8613900139001')).rejects.toMatchObject({ kind: 'rejected', reason: 'blocked' })
    await expect(send('+85366123456')).rejects.toMatchObject({ kind: 'retryable', ours: true })
    await expect(send('+8613900139002')).rejects.toMatchObject({ kind: 'rejected', reason: 'number' })
    await expect(send('+86')).rejects.toMatchObject({ kind: 'rejected', reason: 'number' })
  })

  test('twilio: a message is taken while it is queued and when it is delivered, and absent when it was not', async () => {
    const sms = smsTo()
    await openCarrier('twilio').send(sms)
    for (const [status, outcome] of [
      ['delivered', 'taken'],
      ['undelivered', 'absent'],
    ] as const) {
      twilio.settle(status)
      expect(await openCarrier('twilio').find(sms)).toBe(outcome)
    }
  })

  test('twilio: a messaging service sends in place of a number', async () => {
    const service = `MG${'1'.repeat(32)}`
    const opened = openCarrier('twilio', configOf({ ...real, TWILIO_FROM: service }))
    await expect(opened.send(smsTo())).rejects.toMatchObject({ kind: 'retryable', ours: true })
    twilio.services.add(service)
    await opened.send(smsTo())
    expect(twilio.messages.at(-1)).toMatchObject({ service, from: null, status: 'accepted' })
  })

  test.each(LANGS)('alarms and codes fit into what the carriers send, in %s', (lang) => {
    const long = 'x'.repeat(500)
    const { alarm, text } = renderAlarmSms({ lang, name: long, detail: long }, config)
    const { least, most } = ALIYUN_SMS_RULES.variable
    for (const value of Object.values(alarm!)) expect(value.length >= least && value.length <= most).toBe(true)
    expect(text.length).toBeLessThanOrEqual(TWILIO_RULES.bodyCharacters.most)
  })
})

describe('balances and alarms for operators', () => {
  const clock = systemClock
  test('carriers tell what is left with them', async () => {
    const told = smsVendors.flatMap(({ id, balance }) => (balance ? [[id, balance({ config, clock })] as const] : []))
    expect(await Promise.all(told.map(async ([id, asked]) => [id, await asked]))).toEqual([
      ['aliyun', { currency: 'CNY', amount: '10000.50' }],
      ['twilio', { currency: 'USD', amount: '13.37' }],
    ])
  })

  test('an alarm goes by the template of alarms; a vendor without one leaves it to the next', async () => {
    const alarm = smsTo({ code: '', alarm: { name: '总账核对不通过', detail: 'x' } })
    await expect(openCarrier('aliyun').send(alarm)).rejects.toMatchObject({ kind: 'retryable', ours: true })
    const with3 = configOf({ ...real, ALIYUN_SMS_TEMPLATE_ALARM: 'SMS_3' })
    await openCarrier('aliyun', with3).send(alarm)
    expect(aliyun.sms.at(-1)!.variables).toEqual({ name: '总账核对不通过', detail: 'x' })
  })
  test('an alarm without a detail arrives: the template needs a value for each variable', async () => {
    const { alarm } = renderAlarmSms({ lang: DEFAULT_LANG, name: '总账核对不通过', detail: '' }, config)
    await openCarrier('aliyun', configOf({ ...real, ALIYUN_SMS_TEMPLATE_ALARM: 'SMS_3' })).send(smsTo({ code: '', alarm: alarm! }))
    expect(aliyun.sms.at(-1)!.variables).toMatchObject({ name: '总账核对不通过' })
  })
})
