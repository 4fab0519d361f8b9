import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import type { ChannelTools, EvidenceCall } from '../port.ts'
import { contestStripeDispute } from './refunds.ts'
import type { PaymentsStripeAccount } from './config.ts'
import { queryStripeTrade } from './trades.ts'

/** Responses as documented at https://docs.stripe.com/api/disputes/object and /update; sent requests are recorded unchanged. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly key: string | null
  readonly form: Readonly<Record<string, string>>
}
const DISPUTE = {
  id: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
  object: 'dispute',
  amount: 1000,
  charge: 'ch_1AZtxr2eZvKYlo2CJDX8whov',
  created: 1_680_651_737,
  currency: 'usd',
  evidence: {},
  evidence_details: { due_by: 1_682_294_399, has_evidence: false, past_due: false, submission_count: 0 },
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: 'pi_1',
  reason: 'general',
  status: 'needs_response',
}
const sent: Sent[] = []
let standing: object = DISPUTE
let answer: { status: number; body: object } = { status: 200, body: {} }
const reply = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', 'request-id': 'req_1' } })
const tools = {
  fetch: async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    const method = init?.method ?? 'GET'
    sent.push({
      method,
      path: url.pathname,
      key: new Headers(init?.headers).get('idempotency-key'),
      form: Object.fromEntries(new URLSearchParams(String(init?.body ?? ''))),
    })
    if (method === 'GET')
      return reply(
        200,
        url.pathname === '/v1/disputes'
          ? { object: 'list', url: '/v1/disputes', has_more: false, data: [standing] }
          : url.pathname.startsWith('/v1/disputes/')
            ? standing
            : SESSION,
      )
    return reply(answer.status, answer.body)
  },
  now: () => new Date(),
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
const SESSION = {
  id: 'cs_1',
  client_reference_id: 'T1',
  status: 'complete',
  payment_intent: {
    id: 'pi_1',
    amount_received: 1000,
    currency: 'usd',
    status: 'succeeded',
    latest_charge: { id: 'ch_1', created: 1_680_651_000, disputed: true, payment_method_details: null },
  },
}
const call: EvidenceCall = {
  evidenceNo: 'E20261121-0000000000AA',
  disputeId: DISPUTE.id,
  words: 'They used it.',
  facts: { product: 'Prepaid credit', paidOn: '2026-11-21', receipt: 'Order R1', use: '12 calls', access: 'sign-ins' },
}
beforeAll(() => {
  sent.length = 0
})
afterAll(() => {
  sent.length = 0
})

test('evidence goes to /v1/disputes/:id with submit, under our number', async () => {
  answer = { status: 200, body: { ...DISPUTE, status: 'under_review' } }
  expect(await contestStripeDispute(account, tools, call)).toEqual({ kind: 'taken' })
  expect(sent.at(-1)).toEqual({
    method: 'POST',
    path: `/v1/disputes/${DISPUTE.id}`,
    key: call.evidenceNo,
    form: {
      'evidence[product_description]': 'Prepaid credit',
      'evidence[service_date]': '2026-11-21',
      'evidence[access_activity_log]': '12 calls\n\nsign-ins',
      'evidence[uncategorized_text]': 'They used it.\n\nOrder R1',
      'metadata[evidence_no]': call.evidenceNo,
      'submit': 'true',
    },
  })
})

test('evidence that Stripe has under our number is not sent again, though its idempotency key is forgotten', async () => {
  standing = {
    ...DISPUTE,
    status: 'under_review',
    metadata: { evidence_no: call.evidenceNo },
    evidence_details: { ...DISPUTE.evidence_details, submission_count: 1 },
  }
  const before = sent.length
  expect(await contestStripeDispute(account, tools, call)).toEqual({ kind: 'taken' })
  expect(sent.slice(before).map(({ method }) => method)).toEqual(['GET'])
  standing = DISPUTE
})

test('a refusal is certain, a failure is not; no text is longer than Stripe takes', async () => {
  answer = { status: 400, body: { error: { type: 'invalid_request_error', code: 'dispute_already_closed', message: 'no' } } }
  expect(await contestStripeDispute(account, tools, call)).toEqual({ kind: 'refused', reason: 'dispute_already_closed' })
  for (const status of [409, 429, 500]) {
    answer = { status, body: { error: { type: 'api_error', message: 'later' } } }
    await expect(contestStripeDispute(account, tools, call)).rejects.toThrow('Stripe could not submit evidence')
  }
  answer = { status: 200, body: DISPUTE }
  await contestStripeDispute(account, tools, { ...call, words: 'x'.repeat(50_000), facts: { ...call.facts, use: 'y'.repeat(50_000) } })
  for (const text of Object.values(sent.at(-1)!.form)) expect(text.length).toBeLessThanOrEqual(20_000)
})

test('a trade’s disputes say until when evidence is taken', async () => {
  const { disputes } = await queryStripeTrade(account, tools, { tradeNo: 'T1', openedAt: new Date(), channelRef: 'cs_1' })
  expect(disputes).toEqual([{ disputeId: DISPUTE.id, channelTxn: 'pi_1', minor: 1000n, currency: 'USD', status: 'open', dueAt: new Date(1_682_294_399_000) }])
})
