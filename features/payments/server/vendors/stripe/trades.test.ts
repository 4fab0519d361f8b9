import { beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import type { ChannelTools, OpenCall, TradeRef } from '../port.ts'
import type { PaymentsStripeAccount } from './config.ts'
import { closeStripeTrade, openStripeTrade, queryStripeTrade } from './trades.ts'

/** Responses as documented at https://docs.stripe.com/api/checkout/sessions/object and /payment_intents/object. */
const INTENT = {
  id: 'pi_1',
  object: 'payment_intent',
  amount_received: 0,
  currency: 'cny',
  status: 'requires_payment_method',
  last_payment_error: null as object | null,
  metadata: { trade_no: 'T1-25A' },
  latest_charge: null as object | string | null,
}
const CHARGE = { id: 'ch_1', created: 1_680_651_000, disputed: false, payment_method_details: { card: { fingerprint: 'f1' } } }
const PAID = { ...INTENT, amount_received: 14_745, status: 'succeeded', latest_charge: CHARGE }
const SESSION = {
  id: 'cs_1',
  object: 'checkout.session',
  client_reference_id: 'T1',
  status: 'open',
  url: 'https://pay.example/1',
  payment_intent: null as unknown,
}
const OUR_TRADE: TradeRef = { tradeNo: 'T1', openedAt: new Date(1_680_650_000_000), channelRef: 'cs_1' }
const CHARGED: TradeRef = { tradeNo: 'T1-25A', openedAt: OUR_TRADE.openedAt, channelRef: 'pi_1' }

let answers: Record<string, { status?: number; body: object }> = {}
let sent: string[] = []
const tools = {
  fetch: async (input: string | URL | Request, init?: RequestInit) => {
    const call = `${init?.method ?? 'GET'} ${new URL(input instanceof Request ? input.url : String(input)).pathname}`
    sent.push(call)
    const { status = 200, body } = answers[call] ?? { status: 500, body: {} }
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', 'request-id': 'req_1' } })
  },
  now: () => new Date(1_680_651_000_000),
  log: createLog('silent'),
  publicUrl: () => 'http://127.0.0.1',
  secret: () => Buffer.alloc(32),
} as unknown as ChannelTools
const account = {
  secretKey: 'sk_test_x',
  base: new URL('https://api.stripe.com'),
  webhookSecrets: [],
  isLive: false,
  methods: ['card'],
} as unknown as PaymentsStripeAccount
const session = (over: object) => {
  answers['GET /v1/checkout/sessions/cs_1'] = { body: { ...SESSION, ...over } }
  return queryStripeTrade(account, tools, OUR_TRADE)
}
const charge = (over: object) => {
  answers['GET /v1/payment_intents/pi_1'] = { body: { ...INTENT, ...over } }
  return queryStripeTrade(account, tools, CHARGED)
}
beforeEach(() => {
  answers = {}
  sent = []
})

describe('a session', () => {
  test('reports what was received, also when it has expired, and not what was asked for', async () => {
    const fact = await session({ status: 'expired', amount_total: 99_999, payment_intent: { ...PAID, amount: 99_999 } })
    const paid = { channelTxn: 'pi_1', minor: 14_745n, currency: 'CNY', paidAt: new Date(1_680_651_000_000), payer: 'f1' }
    expect(fact).toEqual({ status: 'paid', scanned: true, payments: [paid], disputes: [] })
  })
  test.each([
    ['open', {}, { status: 'open', scanned: false }],
    ['expired', { status: 'expired' }, { status: 'closed', scanned: false }],
    ['declined once', { payment_intent: { ...INTENT, last_payment_error: { code: 'card_declined' } } }, { status: 'declined', scanned: false }],
    ['authenticating', { payment_intent: { ...INTENT, status: 'requires_action' } }, { status: 'open', scanned: true }],
    ['complete, its payment under way', { status: 'complete', payment_intent: { ...INTENT, status: 'processing' } }, { status: 'open', scanned: true }],
  ])('%s: no payment', async (_, over, fact) => {
    expect(await session(over)).toEqual({ ...fact, payments: [] })
  })
  test.each([
    ['of another trade', { client_reference_id: 'T2', payment_intent: PAID }],
    ['of no trade', { client_reference_id: null, payment_intent: PAID }],
    ['whose payment is only an id', { payment_intent: 'pi_1' }],
    ['that was paid without a time', { payment_intent: { ...PAID, latest_charge: null } }],
    ['whose charge is only an id', { payment_intent: { ...PAID, latest_charge: 'ch_1' } }],
  ])('%s is rejected', async (_, over) => {
    await expect(session(over)).rejects.toThrow(/^Stripe /)
  })
})

describe('disputes of a payment', () => {
  test.each([
    ['won', 'won'],
    ['warning_closed', 'won'],
    ['lost', 'lost'],
    ['needs_response', 'open'],
    ['under_review', 'open'],
    ['warning_needs_response', 'open'],
    ['a state of next year', 'open'],
  ])('%s is %s', async (status, ours) => {
    const dispute = { id: 'du_1', object: 'dispute', amount: 500, currency: 'cny', status, evidence_details: { due_by: null } }
    answers['GET /v1/disputes'] = { body: { object: 'list', url: '/v1/disputes', has_more: false, data: [dispute] } }
    const { disputes } = await session({ payment_intent: { ...PAID, latest_charge: { ...CHARGE, disputed: true } } })
    expect(disputes).toEqual([{ disputeId: 'du_1', channelTxn: 'pi_1', minor: 500n, currency: 'CNY', status: ours }])
  })
  test('that cannot be listed leave the whole answer unknown: money that is wanted back is not taken for safe', async () => {
    await expect(session({ payment_intent: { ...PAID, latest_charge: { ...CHARGE, disputed: true } } })).rejects.toThrow('list disputes')
  })
})

describe('a charge without its payer', () => {
  test.each([
    ['declined', { last_payment_error: { code: 'card_declined' } }, { status: 'declined', refusal: 'declined' }],
    ['for the payer', { last_payment_error: { code: 'authentication_required' } }, { status: 'declined', refusal: 'authentication' }],
    ['canceled', { status: 'canceled', last_payment_error: { code: 'authentication_required' } }, { status: 'closed', refusal: 'authentication' }],
    ['under way', { status: 'processing' }, { status: 'open' }],
    ['paid', PAID, { status: 'paid' }],
  ])('%s', async (_, over, fact) => {
    expect(await charge(over)).toMatchObject(fact)
    expect(sent).toEqual(['GET /v1/payment_intents/pi_1'])
  })
  test('closing cancels what is open, and says paid or closed without another call', async () => {
    await charge(PAID)
    expect(await closeStripeTrade(account, tools, CHARGED)).toBe('paid')
    await charge({ status: 'canceled' })
    expect(await closeStripeTrade(account, tools, CHARGED)).toBe('closed')
    expect(sent.filter((call) => call.startsWith('POST'))).toEqual([])
    await charge({ status: 'requires_action' })
    answers['POST /v1/payment_intents/pi_1/cancel'] = { body: { ...INTENT, status: 'canceled' } }
    expect(await closeStripeTrade(account, tools, CHARGED)).toBe('closed')
  })
})

describe('closing a session', () => {
  const EXPIRE = 'POST /v1/checkout/sessions/cs_1/expire'
  const refused = { status: 400, body: { error: { type: 'invalid_request_error', message: 'only open ones' } } }
  test('that was paid between two calls is paid, not closed', async () => {
    answers[EXPIRE] = refused
    answers['GET /v1/checkout/sessions/cs_1'] = { body: { ...SESSION, payment_intent: PAID } }
    expect(await closeStripeTrade(account, tools, OUR_TRADE)).toBe('paid')
  })
  test('that is unpaid and cannot be ended, or whose end is not known, is not called closed', async () => {
    answers['GET /v1/checkout/sessions/cs_1'] = { body: SESSION }
    for (const reply of [refused, { status: 500, body: {} }]) {
      answers[EXPIRE] = reply
      await expect(closeStripeTrade(account, tools, OUR_TRADE)).rejects.toThrow(/Stripe /)
    }
  })
})

describe('opening', () => {
  const call = {
    tradeNo: 'T1',
    payMinor: 14_745n,
    currency: 'CNY',
    subject: 's',
    transactionType: 5,
    expiresAt: tools.now(),
    returnUrl: 'https://a',
    lang: 'zh',
  }
  const opening = (reply: { status?: number; body: object }, over: object = {}) => {
    answers['POST /v1/checkout/sessions'] = reply
    return openStripeTrade(account, tools, { ...call, ...over } as unknown as OpenCall)
  }
  const error = (status: number, type: string) => ({ status, body: { error: { type, code: 'some_code', message: 'no' } } })
  test('a refusal is certain; a key in use, a limit and a failure are not', async () => {
    expect(await opening(error(400, 'invalid_request_error'))).toEqual({ kind: 'refused', reason: 'some_code' })
    for (const reply of [error(400, 'idempotency_error'), error(409, 'invalid_request_error'), error(429, 'rate_limit_error'), error(500, 'api_error')])
      await expect(opening(reply)).rejects.toThrow('Stripe could not open a session')
  })
  test('a session that is over already is no page to pay on', async () => {
    for (const status of ['complete', 'expired']) await expect(opening({ body: { ...SESSION, status } })).rejects.toThrow(status)
  })
})
