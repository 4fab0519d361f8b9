import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Lithic from 'lithic'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLithic } from './index.ts'
import type { LithicStandIn } from './index.ts'
import { createLithicOracle } from './oracle.ts'
import { LITHIC_EVENT_SCHEDULE, LITHIC_RATES, LITHIC_RULES } from './rules.ts'

interface Received {
  readonly headers: Record<string, string>
  readonly body: string
}
let lithic: LithicStandIn
let answer: (received: Received) => { status: number; body: string } = () => ({ status: 200, body: '{}' })
const received: Received[] = []
const receiver = createServer((incoming, response) => {
  const pieces: Buffer[] = []
  incoming.on('data', (piece: Buffer) => pieces.push(piece))
  incoming.on('end', () => {
    const one = { headers: incoming.headers as Record<string, string>, body: Buffer.concat(pieces).toString('utf8') }
    received.push(one)
    const { status, body } = answer(one)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve)
  })
  lithic = await startLithic({ oracle: await createLithicOracle(), decideWithinMs: 60_000 })
  lithic.company.setEndpoint(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/notify`)
})
afterAll(async () => {
  receiver.close()
  await lithic.close()
})

const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const reply = await fetch(`${lithic.url}${path}`, {
    method,
    headers: { 'authorization': lithic.apiKey, 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, any> }
}
const HOLDER = {
  ...{ workflow: 'KYC_EXEMPT', kyc_exemption_type: 'PREPAID_CARD_USER', first_name: 'Tom', last_name: 'Bombadil', email: 'tom@example.com' },
  phone_number: '+15555555555',
  address: { address1: '123 Old Forest Way', city: 'Omaha', state: 'NE', postal_code: '68022', country: 'USA' },
}
const aCard = async (over: object = {}) => {
  const { body: holder } = await call('POST', '/v1/account_holders', HOLDER)
  const wanted = {
    type: 'VIRTUAL',
    account_token: holder['account_token'],
    spend_limit: 100_000,
    spend_limit_duration: 'MONTHLY',
    exp_month: '06',
    exp_year: year(3),
  }
  return (await call('POST', '/v1/cards', { ...wanted, ...over })).body
}
const year = (ahead: number): string => String(new Date().getUTCFullYear() + ahead)
const UUID = '00000000-0000-4000-8000-000000000000'
const withAddress = (over: object): object => ({ ...HOLDER, address: { ...HOLDER.address, ...over } })

/** One request for each rule that breaks it and no other. */
const BREACHES: readonly [rule: RegExp, method: string, path: string, body?: object, headers?: Record<string, string>][] = [
  [/requires first_name/, 'POST', '/v1/account_holders', { ...HOLDER, phone_number: undefined }],
  [/no text is empty: an optional/, 'POST', '/v1/account_holders', withAddress({ address2: '' })],
  [/address.country/, 'POST', '/v1/account_holders', withAddress({ country: 'CHN' })],
  [/address.state/, 'POST', '/v1/account_holders', withAddress({ state: 'Nebraska' })],
  [/address.postal_code/, 'POST', '/v1/account_holders', withAddress({ postal_code: '100022' })],
  [/address.address1/, 'POST', '/v1/account_holders', withAddress({ address1: 'PO Box 1' })],
  [/phone_number is E.164/, 'POST', '/v1/account_holders', { ...HOLDER, phone_number: '5555555555' }],
  [/external_id is a UUID/, 'GET', '/v1/account_holders?external_id=holder%3A1'],
  [/Idempotency-Key/, 'POST', '/v1/cards', { account_token: UUID }, { 'idempotency-key': 'card:1' }],
  [/no text is empty$/, 'POST', '/v1/cards', { account_token: UUID, memo: '' }],
  [/are UUIDs/, 'POST', '/v1/cards', { account_token: 'card_1' }],
  [/account_token is required/, 'POST', '/v1/cards', {}],
  [/spend_limit/, 'POST', '/v1/cards', { account_token: UUID, spend_limit: '100' }],
  [/spend_limit/, 'POST', '/v1/cards', { account_token: UUID, spend_limit: 10.5 }],
  [/exp_month/, 'POST', '/v1/cards', { account_token: UUID, exp_month: '6', exp_year: year(1) }],
  [/exp_month/, 'POST', '/v1/cards', { account_token: UUID, exp_month: '06', exp_year: year(7) }],
  [/page_size/, 'GET', '/v1/cards?page_size=101'],
  [/page_size/, 'GET', '/v1/transactions?page_size=0'],
  [/begin and end/, 'GET', '/v1/transactions?begin=2026-01-01'],
  [/transaction_tokens/, 'GET', `/v1/disputes?transaction_tokens[]=${UUID}`],
  [/amount is a whole number/, 'POST', '/v1/disputes', { amount: 0, reason: 'OTHER', transaction_token: UUID }],
  [/customer_note/, 'POST', '/v1/disputes', { amount: 1, reason: 'OTHER', transaction_token: UUID, customer_note: 'a'.repeat(5001) }],
  [/evidence is a jpg/, 'POST', `/v1/disputes/${UUID}/evidences`, { filename: 'bill.docx' }],
]

describe('rules', () => {
  test.each([...BREACHES])('%s: %s %s', async (rule, method, path, body, headers) => {
    const reply = await call(method, path, body, headers)
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(rule), debugging_request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) } })
  })

  test('each has a breach and a source', () => {
    for (const { rule, source } of LITHIC_RULES) {
      expect(
        BREACHES.some(([pattern]) => pattern.test(rule)),
        rule,
      ).toBe(true)
      expect(source.length).toBeGreaterThan(10)
    }
  })
})

test('keys, tokens and rates: 401, 404 and 429 in Lithic’s form', async () => {
  expect(await call('GET', '/v1/cards', undefined, { authorization: 'Bearer x' })).toMatchObject({ status: 401, body: { message: expect.any(String) } })
  expect((await call('GET', '/v1/cards/card_1')).status).toBe(404)
  lithic.server.misbehave('error-code')
  const { status, headers } = await call('GET', '/v1/cards')
  expect([status, headers.get('retry-after'), headers.get('x-requests-remaining')]).toEqual([429, '1', '0'])
})

test('requests beyond the rate of a second are refused, for each method and resource', async () => {
  let now = Date.now()
  const other = await startLithic({ hasRates: true, wall: () => now })
  const ask = async (method: string, path: string) =>
    (await fetch(`${other.url}${path}`, { method, headers: { authorization: other.apiKey }, ...(method === 'GET' ? {} : { body: '{}' }) })).status
  const statuses = []
  for (let asked = 0; asked <= LITHIC_RATES.cardWrite; asked++) statuses.push(await ask('POST', '/v1/cards'))
  expect(statuses).toEqual([...Array.from({ length: LITHIC_RATES.cardWrite }, () => 400), 429])
  expect(await ask('GET', '/v1/cards')).toBe(200)
  now += 1000
  expect(await ask('POST', '/v1/cards')).toBe(400)
  await other.close()
})

test('an Idempotency-Key makes one card; with another body it is a conflict', async () => {
  const key = { 'idempotency-key': '123e4567-e89b-12d3-a456-426614174000' }
  const { body: holder } = await call('POST', '/v1/account_holders', HOLDER)
  const wanted = { type: 'VIRTUAL', account_token: holder['account_token'], exp_month: '06', exp_year: year(2) }
  const first = await call('POST', '/v1/cards', wanted, key)
  expect((await call('POST', '/v1/cards', wanted, key)).body).toEqual(first.body)
  expect((await call('POST', '/v1/cards', { ...wanted, memo: 'other' }, key)).status).toBe(409)
})

test('a decision is asked for over HTTP under the secret of the responder, again after a failure, and other results decline', async () => {
  const card = await aCard()
  const { webhooks } = new Lithic({ apiKey: lithic.apiKey, baseURL: lithic.url })
  const ask = async (...answers: { status: number; body: string }[]) => {
    received.length = 0
    answer = () => answers.shift()!
    const { ref } = await lithic.desk.authorize({ card: card['token'], minor: 100n })
    return { tries: received.length, found: (await call('GET', `/v1/transactions/${ref}`)).body }
  }
  const yes = { status: 200, body: '{"result":"APPROVED"}' }
  const { found } = await ask(yes)
  expect(found).toMatchObject({ result: 'APPROVED', status: 'PENDING', amounts: { hold: { amount: 100 } } })
  const [{ headers, body } = { headers: {}, body: '' }] = received
  expect(webhooks.unwrap(body, headers, lithic.secrets.asa)).toMatchObject({ token: found['token'], amount: 100 })
  expect(() => webhooks.unwrap(body, headers, lithic.secrets.events)).toThrow()
  expect(await ask({ status: 503, body: '' }, yes)).toMatchObject({ tries: 2, found: { result: 'APPROVED' } })
  const [first, second] = received.map((one) => [one.headers['webhook-id'], one.body])
  expect(second).toEqual(first)
  for (const [result, detail] of [
    ['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS'],
    ['CARD_PAUSED', 'CARD_PAUSED'],
  ])
    expect((await ask({ status: 200, body: JSON.stringify({ result }) })).found['events']).toMatchObject([{ detailed_results: [detail] }])
  expect((await ask({ status: 500, body: '' }, { status: 500, body: '' })).found['events']).toMatchObject([{ detailed_results: ['CUSTOMER_ASA_TIMEOUT'] }])
})

test('events are sent over HTTP, tried again as documented with the same bytes, and verify with Lithic’s own SDK', async () => {
  const { webhooks } = new Lithic({ apiKey: lithic.apiKey, baseURL: lithic.url })
  answer = () => ({ status: 200, body: '' })
  while (await lithic.desk.deliver({ all: true })) received.length = 0
  received.length = 0
  await aCard()
  answer = () => ({ status: 500, body: '' })
  for (const seconds of [0, ...LITHIC_EVENT_SCHEDULE.seconds]) {
    await lithic.desk.advance(seconds * 1000)
    await lithic.desk.deliver()
  }
  await lithic.desk.advance(100_000_000)
  expect(await lithic.desk.deliver()).toBe(0)
  expect(received.length).toBe(1 + LITHIC_EVENT_SCHEDULE.seconds.length)
  expect(new Set(received.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
  for (const { headers, body } of received) expect(webhooks.unwrap(body, headers, lithic.secrets.events)).toMatchObject({ event_type: 'card.created' })
})

test('the page for a frame is shown to the one who signed for it, until it expires', async () => {
  const card = await aCard()
  const sdk = new Lithic({ apiKey: lithic.apiKey, baseURL: lithic.url })
  const at = (expiration: string) => sdk.cards.getEmbedURL({ token: card['token'], expiration })
  const inAMinute = new Date(Date.now() + 60_000).toISOString()
  expect(await (await fetch(at(inAMinute))).text()).toContain(card['pan'])
  expect((await fetch(at(new Date(Date.now() - 1000).toISOString()))).status).toBe(401)
  expect((await fetch(at(inAMinute).replace(/hmac=[^&]{4}/, 'hmac=AAAA'))).status).toBe(401)
})
