import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { systemClock } from '#platform/server/clock.ts'
import { signAcs3Headers } from '#platform/server/sealing/sign-acs3.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { noticesConfig } from '../config.ts'
import type { NoticesConfig } from '../config.ts'
import { readSandboxSms, smsVendors, listSmsVendors } from './index.ts'
import type { ReadySms } from './port.ts'

// Contract tests for all carriers: add a line to `phones` for a new one. The two fake servers verify requests as the real ones do.
/** An address without a listener. */
const CLOSED_PORT_URL = 'http://127.0.0.1:4'
const db = await useTestDb()
const KEY = { accessKeyId: 'LTAI-sms', accessKeySecret: 'a secret' }
const SID = `AC${'0'.repeat(32)}`

interface Taken {
  readonly to: string
  readonly text: string
  readonly outId?: string
  readonly status?: string
}
const taken: { aliyun: Taken[]; twilio: Taken[] } = { aliyun: [], twilio: [] }
const nonces = new Set<string>()
/** Response of the fake carrier instead of accepting the message. */
let trouble: { status: number; body?: object } | 'hang up' | 'take and hang up' | undefined

async function serve(
  answer: (request: IncomingMessage, body: string, say: (status: number, body: object) => void, reply: ServerResponse) => void,
): Promise<string> {
  const server = createServer(async (request, reply) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    if (trouble === 'hang up') return void request.socket.destroy()
    if (trouble && typeof trouble === 'object')
      return void reply.writeHead(trouble.status, { 'content-type': 'application/json' }).end(trouble.body ? JSON.stringify(trouble.body) : '<html>')
    const say = (status: number, body: object) => {
      if (trouble === 'take and hang up') return void request.socket.destroy()
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    answer(request, Buffer.concat(pieces).toString(), say, reply)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterAll(() => new Promise<void>((done) => server.close(() => done())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const aliyunUrl = await serve((request, body, say) => {
  const query = Object.fromEntries(new URL(request.url!, 'http://x').searchParams)
  const header = (name: string) => String(request.headers[name])
  const action = header('x-acs-action')
  const expected = signAcs3Headers({
    ...KEY,
    host: header('host'),
    action,
    version: action === 'QueryAccountBalance' ? '2017-12-14' : '2017-05-25',
    query,
    nonce: header('x-acs-signature-nonce'),
    now: new Date(header('x-acs-date')),
  })
  if (header('authorization') !== expected['authorization'] || body !== '') return say(400, { Code: 'SignatureDoesNotMatch' })
  if (nonces.has(header('x-acs-signature-nonce'))) return say(400, { Code: 'SignatureNonceUsed' })
  nonces.add(header('x-acs-signature-nonce'))
  if (action === 'QueryAccountBalance') return say(200, { Code: '200', Data: { AvailableAmount: '10,000.50', Currency: 'CNY' }, Success: true })
  if (action === 'SendSms' && query['TemplateCode'] === 'SMS_3') {
    taken.aliyun.push({ to: query['PhoneNumbers']!, text: query['TemplateParam']!, outId: query['OutId']! })
    return say(200, { Code: 'OK' })
  }
  if (action === 'SendSms') {
    const template = query['TemplateCode'] === (query['PhoneNumbers']!.startsWith('85') ? 'SMS_2' : 'SMS_1')
    if (!template || query['SignName'] !== '明细') return say(200, { Code: 'isv.SMS_TEMPLATE_ILLEGAL' })
    taken.aliyun.push({ to: query['PhoneNumbers']!, text: JSON.parse(query['TemplateParam']!).code, outId: query['OutId']! })
    return say(200, { Code: 'OK', Message: 'OK', BizId: '1', RequestId: 'r' })
  }
  if (!/^\d{8}$/.test(query['SendDate']!)) return say(200, { Code: 'isv.INVALID_PARAMETERS' })
  const details = taken.aliyun
    .filter((one) => one.to === query['PhoneNumber'])
    .map((one) => ({ OutId: one.outId, SendStatus: one.status === 'failed' ? 2 : 1 }))
  say(200, { Code: 'OK', TotalCount: String(details.length), SmsSendDetailDTOs: { SmsSendDetailDTO: details } })
})

const twilioUrl = await serve((request, body, say) => {
  if (request.headers.authorization !== `Basic ${Buffer.from(`${SID}:token`).toString('base64')}`) return say(401, { code: 20003 })
  const url = new URL(request.url!, 'http://x')
  if (url.pathname === `/2010-04-01/Accounts/${SID}/Balance.json`) return say(200, { currency: 'USD', balance: '13.37', account_sid: SID })
  if (url.pathname !== `/2010-04-01/Accounts/${SID}/Messages.json`) return say(404, { code: 20404 })
  if (request.method === 'GET') {
    const messages = taken.twilio.filter((one) => one.to === url.searchParams.get('To')).map((one) => ({ body: one.text, status: one.status ?? 'sent' }))
    return say(200, { messages })
  }
  const form = new URLSearchParams(body)
  if (form.get('From') !== '+15005550006') return say(400, { code: 21606 })
  taken.twilio.push({ to: form.get('To')!, text: form.get('Body')! })
  say(201, { sid: 'SM1', status: 'queued' })
})

const real = {
  ALIYUN_SMS_ACCESS_KEY_ID: KEY.accessKeyId,
  ALIYUN_SMS_ACCESS_KEY_SECRET: KEY.accessKeySecret,
  ALIYUN_SMS_SIGN_NAME: '明细',
  ALIYUN_SMS_TEMPLATE_CODE: 'SMS_1',
  ALIYUN_SMS_TEMPLATE_CODE_INTL: 'SMS_2',
  ALIYUN_SMS_ENDPOINT: aliyunUrl,
  ALIYUN_BILLING_ENDPOINT: aliyunUrl,
  TWILIO_ACCOUNT_SID: SID,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+15005550006',
  TWILIO_ENDPOINT: twilioUrl,
}
const configOf = (env: Record<string, string>) => readConfig({ ...platformConfig, ...noticesConfig }, env) as NoticesConfig
const config = configOf(real)

const phones: Readonly<Record<string, (to: string) => Promise<number> | number>> = {
  aliyun: (to) => taken.aliyun.filter((one) => `+${one.to.startsWith('85') ? '' : '86'}${one.to}` === to).length,
  twilio: (to) => taken.twilio.filter((one) => one.to === to).length,
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
  trouble = undefined
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
    trouble = 'hang up'
    await expect(opened.send(lost)).rejects.toMatchObject({ kind: 'unknown' })
    await expect(opened.find(lost)).rejects.toMatchObject({ kind: 'retryable' })
    trouble = 'take and hang up'
    const taken = smsTo()
    await expect(opened.send(taken)).rejects.toMatchObject({ kind: 'unknown' })
    trouble = undefined
    expect(await opened.find(lost)).toBe('absent')
    expect(await opened.find(taken)).toBe('taken')
  })

  test.skipIf(vendor.sandbox)('a refused connection is retryable; an unreadable answer is an unknown outcome', async () => {
    const gone = vendor.open({ config: { ...config, ALIYUN_SMS_ENDPOINT: CLOSED_PORT_URL, TWILIO_ENDPOINT: CLOSED_PORT_URL }, sql: db, clock: systemClock })
    await expect(gone.send(smsTo())).rejects.toMatchObject({ kind: 'retryable', ours: false })
    trouble = { status: 502 }
    await expect(opened.send(smsTo())).rejects.toMatchObject({ kind: 'unknown' })
  })

  test.skipIf(vendor.sandbox)('a wrong secret is our fault, and no answer repeats it', async () => {
    const wrong = vendor.open({ config: { ...config, ALIYUN_SMS_ACCESS_KEY_SECRET: 'hush-1', TWILIO_AUTH_TOKEN: 'hush-1' }, sql: db, clock: systemClock })
    const failed = await wrong.send(smsTo()).catch((error: unknown) => asSupplierError(error))
    expect(failed).toMatchObject({ kind: 'retryable', ours: true })
    expect(`${failed?.message} ${failed?.detail}`).not.toContain('hush-1')
  })
})

// Codes as the vendors publish them.
test.each([
  ['aliyun', 200, { Code: 'isv.BUSINESS_LIMIT_CONTROL' }, { kind: 'rejected' }],
  ['aliyun', 200, { Code: 'isv.MOBILE_NUMBER_ILLEGAL' }, { kind: 'rejected' }],
  ['aliyun', 200, { Code: 'isv.SMS_SIGNATURE_ILLEGAL' }, { kind: 'retryable', ours: true }],
  ['aliyun', 200, { Code: 'isv.AMOUNT_NOT_ENOUGH' }, { kind: 'retryable', ours: true }],
  ['aliyun', 400, { Code: 'SignatureDoesNotMatch' }, { kind: 'retryable', ours: true }],
  ['aliyun', 404, { Code: 'InvalidAccessKeyId.NotFound' }, { kind: 'retryable', ours: true }],
  ['aliyun', 400, { Code: 'Throttling.User' }, { kind: 'retryable', ours: false }],
  ['aliyun', 503, { Code: 'ServiceUnavailable' }, { kind: 'retryable', ours: false }],
  ['aliyun', 200, { Code: 'isp.SYSTEM_ERROR' }, { kind: 'unknown' }],
  ['twilio', 400, { code: 21211 }, { kind: 'rejected' }],
  ['twilio', 400, { code: 21614 }, { kind: 'rejected' }],
  ['twilio', 400, { code: 21610 }, { kind: 'rejected' }],
  ['twilio', 400, { code: 21408 }, { kind: 'retryable', ours: true }],
  ['twilio', 401, { code: 20003 }, { kind: 'retryable', ours: true }],
  ['twilio', 429, { code: 20429 }, { kind: 'retryable', ours: false }],
  ['twilio', 500, { code: 20500 }, { kind: 'unknown' }],
] as const)('%s answering %s %o', async (id, status, body, failed) => {
  trouble = { status, body }
  const opened = smsVendors.find((vendor) => vendor.id === id)!.open({ config, sql: db, clock: systemClock })
  await expect(opened.send(smsTo())).rejects.toMatchObject(failed)
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
    const aliyun = smsVendors.find(({ id }) => id === 'aliyun')!
    const alarm = smsTo({ code: '', alarm: { name: '总账核对不通过', detail: 'x' } })
    trouble = undefined
    await expect(aliyun.open({ config, sql: db, clock }).send(alarm)).rejects.toMatchObject({ kind: 'retryable', ours: true })
    const with3 = configOf({ ...real, ALIYUN_SMS_TEMPLATE_ALARM: 'SMS_3' })
    await aliyun.open({ config: with3, sql: db, clock }).send(alarm)
    expect(JSON.parse(taken.aliyun.at(-1)!.text)).toEqual({ name: '总账核对不通过', detail: 'x' })
  })
})
