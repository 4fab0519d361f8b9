import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStripeIssuing } from './index.ts'
import type { StripeIssuingStandIn } from './index.ts'
import { ISSUING_API_VERSION } from './objects.ts'
import { createIssuingOracle } from './oracle.ts'
import { ISSUING_EVENT_SCHEDULE, ISSUING_RULES } from './rules.ts'

interface Received {
  readonly headers: Record<string, string>
  readonly body: string
}
let issuing: StripeIssuingStandIn
let answer: () => { status: number; body: string; headers?: Record<string, string> } = () => ({ status: 200, body: '' })
const received: Received[] = []
const receiver = createServer((incoming, response) => {
  const pieces: Buffer[] = []
  incoming.on('data', (piece: Buffer) => pieces.push(piece))
  incoming.on('end', () => {
    received.push({ headers: incoming.headers as Record<string, string>, body: Buffer.concat(pieces).toString('utf8') })
    const { status, body, headers = {} } = answer()
    response.writeHead(status, headers).end(body)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve)
  })
  issuing = await startStripeIssuing({ oracle: await createIssuingOracle(), decideWithinMs: 60_000, countries: ['US'] })
  issuing.company.setEndpoint(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/notify`)
})
afterAll(async () => {
  receiver.close()
  await issuing.close()
})

type Fields = Record<string, string | undefined>
const call = async (path: string, fields: Fields, headers: Record<string, string> = {}) => {
  const given = Object.entries(fields).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
  const reply = await fetch(`${issuing.url}${path}`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${issuing.secretKey}`, 'stripe-version': ISSUING_API_VERSION, ...headers },
    body: new URLSearchParams(given),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, any> }
}
const HOLDER = {
  'type': 'individual',
  'name': 'Jenny Rosen',
  'email': 'jenny@example.com',
  'individual[first_name]': 'Jenny',
  'individual[last_name]': 'Rosen',
  'individual[dob][year]': '1990',
  'individual[dob][month]': '2',
  'individual[dob][day]': '3',
  'billing[address][line1]': '123 Main Street',
  'billing[address][city]': 'San Francisco',
  'billing[address][state]': 'CA',
  'billing[address][postal_code]': '94111',
  'billing[address][country]': 'US',
}
const nextYear = String(new Date().getUTCFullYear() + 1)
const cardFields = (cardholder: string): Fields => ({ type: 'virtual', currency: 'usd', cardholder, status: 'active', exp_month: '6', exp_year: nextYear })
const aCard = async () => (await call('/v1/issuing/cards', cardFields((await call('/v1/issuing/cardholders', HOLDER)).body['id']))).body

const H = '/v1/issuing/cardholders'
const C = '/v1/issuing/cards'
const D = '/v1/issuing/disputes'
/** One request for each rule that breaks it and no other, with the parameter that Stripe names. */
const BREACHES: readonly [rule: RegExp, param: string, path: string, fields: Fields, headers?: Record<string, string>][] = [
  [/empty string/, 'billing[address][line2]', H, { ...HOLDER, 'billing[address][line2]': '' }],
  [/Idempotency-Key/, 'Idempotency-Key', H, HOLDER, { 'idempotency-key': 'k'.repeat(256) }],
  [/metadata/, 'metadata[k]', H, { ...HOLDER, 'metadata[k]': 'v'.repeat(501) }],
  [/are required$/, 'billing[address][postal_code]', H, { ...HOLDER, 'billing[address][postal_code]': undefined }],
  [/24 characters/, 'name', H, { ...HOLDER, name: 'Jennifer-Elisabeth Rosens' }],
  [/24 characters/, 'name', H, { ...HOLDER, name: 'Jenny Rosen 2' }],
  [/first and last name/, 'individual[last_name]', H, { ...HOLDER, 'individual[last_name]': undefined }],
  [/older than 13/, 'individual[dob][year]', H, { ...HOLDER, 'individual[dob][year]': String(new Date().getUTCFullYear() - 12) }],
  [/country/, 'billing[address][country]', H, { ...HOLDER, 'billing[address][country]': 'CN' }],
  [/is a street/, 'billing[address][line1]', H, { ...HOLDER, 'billing[address][line1]': 'PO Box 12' }],
  [/E.164/, 'phone_number', H, { ...HOLDER, phone_number: '555-1234' }],
  [/cardholder, currency and type/, 'cardholder', C, { type: 'virtual', currency: 'usd' }],
  [/the currency is/, 'currency', C, { ...cardFields('ich_1'), currency: 'USD' }],
  [
    /spending limits/,
    'spending_controls[spending_limits][0][amount]',
    C,
    { ...cardFields('ich_1'), 'spending_controls[spending_limits][0][amount]': '10.5', 'spending_controls[spending_limits][0][interval]': 'monthly' },
  ],
  [/exp_month and exp_year/, 'exp_year', C, { ...cardFields('ich_1'), exp_year: '2020' }],
  [/replacement_reason/, 'replacement_reason', C, { ...cardFields('ich_1'), replacement_for: 'ic_1' }],
  [/transaction is required/, 'transaction', D, { 'amount': '100', 'evidence[reason]': 'other', 'evidence[other][explanation]': 'x' }],
  [
    /evidence stands/,
    'evidence[fraudulent][explanation]',
    D,
    { 'transaction': 'ipi_1', 'amount': '100', 'evidence[reason]': 'fraudulent', 'evidence[other][explanation]': 'x' },
  ],
  [/issuing_card and nonce/, 'nonce', '/v1/ephemeral_keys', { issuing_card: 'ic_1' }],
]

describe('rules', () => {
  test.each([...BREACHES])('%s: %s at %s', async (rule, param, path, fields, headers) => {
    expect(await call(path, fields, headers)).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', param, message: expect.stringMatching(rule) } },
    })
  })

  test('each has a breach, or is checked before them, and a source', () => {
    for (const { rule, source } of ISSUING_RULES) {
      expect(BREACHES.some(([pattern]) => pattern.test(rule)) || /Stripe-Version/.test(rule), rule).toBe(true)
      expect(source).toContain('https://')
    }
  })
})

test('keys, versions and rates: errors in Stripe’s form', async () => {
  expect(await call(H, HOLDER, { authorization: 'Bearer x' })).toMatchObject({ status: 401, body: { error: { type: 'invalid_request_error' } } })
  expect((await call(H, HOLDER, { 'stripe-version': '2020-01-01' })).status).toBe(400)
  issuing.server.misbehave('error-code')
  expect(await call(H, HOLDER)).toMatchObject({ status: 429, body: { error: { code: 'rate_limit' } } })
})

test('an Idempotency-Key makes one cardholder; with other parameters it is an error of its own type', async () => {
  const key = { 'idempotency-key': 'a key' }
  const first = await call(H, HOLDER, key)
  expect((await call(H, HOLDER, key)).body).toEqual(first.body)
  expect(await call(H, { ...HOLDER, email: 'b@example.com' }, key)).toMatchObject({ status: 400, body: { error: { type: 'idempotency_error' } } })
})

test('a decision is asked for over HTTP; an answer needs 200, the version and JSON', async () => {
  const card = await aCard()
  const version = { 'stripe-version': ISSUING_API_VERSION }
  const ask = async (reply: ReturnType<typeof answer>) => {
    received.length = 0
    answer = () => reply
    return (await issuing.desk.authorize({ card: card['id'], minor: 100n })).approved
  }
  const yes = JSON.stringify({ approved: true })
  expect(await ask({ status: 200, body: yes, headers: version })).toBe(true)
  const [{ headers, body } = { headers: {}, body: '' }] = received
  const event = new Stripe('sk_test_none').webhooks.constructEvent(body, (headers as Record<string, string>)['stripe-signature']!, issuing.webhookSecret)
  expect(event).toMatchObject({ type: 'issuing_authorization.request', data: { object: { pending_request: { amount: 100, is_amount_controllable: false } } } })
  expect(await ask({ status: 200, body: yes })).toBe(false)
  expect(await ask({ status: 201, body: yes, headers: version })).toBe(false)
  expect(await ask({ status: 200, body: 'yes', headers: version })).toBe(false)
  // less may be approved only where the amount is controllable
  expect(await ask({ status: 200, body: JSON.stringify({ approved: true, amount: 50 }), headers: version })).toBe(false)
})

test('events are sent over HTTP, tried again for three days with the same bytes, and verify with Stripe’s own SDK', async () => {
  answer = () => ({ status: 200, body: '' })
  while (await issuing.desk.deliver({ all: true })) received.length = 0
  received.length = 0
  await aCard()
  answer = () => ({ status: 500, body: '' })
  for (const seconds of [0, ...ISSUING_EVENT_SCHEDULE.seconds]) {
    await issuing.desk.advance(seconds * 1000)
    await issuing.desk.deliver()
  }
  await issuing.desk.advance(100_000_000)
  expect(await issuing.desk.deliver()).toBe(0)
  expect(received.length).toBe(1 + ISSUING_EVENT_SCHEDULE.seconds.length)
  expect(ISSUING_EVENT_SCHEDULE.seconds.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(3 * 86_400)
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  const { webhooks } = new Stripe('sk_test_none')
  for (const { headers, body } of received)
    expect(webhooks.constructEvent(body, headers['stripe-signature']!, issuing.webhookSecret)).toMatchObject({ type: 'issuing_card.created' })
})
