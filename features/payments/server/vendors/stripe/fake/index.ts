import { createWebhookQueue } from '#stand-ins/kit/webhooks.ts'
import { randomUUID } from 'node:crypto'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import type { BookedRefund, FakeAgreements, FakeChannel } from '../../../testing/fake-channel.ts'
import { createFakeStoredCards } from './agreements.ts'
import { forgeStripeNotices, signStripeWebhook, buildStripeVectors } from './forgeries.ts'
import { parsePaymentsStripeForm } from './form.ts'
import { FINGERPRINT, createStripeShapes } from './shapes.ts'
import type { FakeStripeDispute, FakePaymentIntent, FakeStripeRefund, FakeCheckoutSession } from './shapes.ts'

/** Seconds between retries: at growing intervals, over three days. */
const SCHEDULE = [60, 300, 1800, 7200, 18_000, 36_000, 43_200, 43_200, 43_200, 43_200]
const idOf = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`
const STATES: Record<string, BookedRefund['state']> = { pending: 'pending', succeeded: 'succeeded', failed: 'failed', requires_action: 'stuck' }

/** Fake of the Stripe API that we use. The webhook URL is a parameter, because real endpoints are set in the dashboard. */
export async function fakeStripe({
  now,
  notifyUrl,
  currency = 'usd',
}: {
  now: () => Date
  notifyUrl: () => string
  currency?: 'usd' | 'cny'
}): Promise<FakeChannel & { dispute(tradeNo: string, status: string): void; readonly agreed: FakeAgreements }> {
  const secretKey = `sk_test_${randomUUID().replaceAll('-', '')}`
  const secrets = [`whsec_${randomUUID().replaceAll('-', '')}`, `whsec_${randomUUID().replaceAll('-', '')}`] as const
  let secret: string = secrets[0]
  let slow = false
  const sessions = new Map<string, FakeCheckoutSession>()
  const refunds: FakeStripeRefund[] = []
  const disputes: FakeStripeDispute[] = []
  const replies = new Map<string, { content: string; status: number; value: unknown; at: number }>()
  const mails = createWebhookQueue(now, SCHEDULE, ({ status }) => status >= 200 && status < 300)
  const http = await startStandInServer((request) => handle(request))
  const seconds = () => Math.floor(now().getTime() / 1000)

  function handle(request: StandInRequest): StandInReply {
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return failed(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${String(request.headers.authorization).slice(-30)}` })
    const key = request.headers['idempotency-key']
    const kept = typeof key === 'string' ? replies.get(key) : undefined
    // An idempotency key expires after a day.
    const known = kept && seconds() - kept.at < 86_400 ? kept : undefined
    if (known && known.content !== request.body) return failed(400, { type: 'idempotency_error', message: 'not the same parameters' })
    const [status, value] = known ? [known.status, known.value] : route(request)
    if (typeof key === 'string' && !known) replies.set(key, { content: request.body, status, value, at: seconds() })
    if (request.fault === 'error-code' || request.fault === 'bad-signature')
      return failed(409, { type: 'api_error', code: 'lock_timeout', message: 'try again' })
    return { status, headers: { 'content-type': 'application/json', 'request-id': idOf('req') }, body: JSON.stringify(value) }
  }

  function route({ method, path, query, body }: StandInRequest): [number, unknown] {
    const content = parsePaymentsStripeForm(body)
    const stored = cards.route(method, path, content)
    if (stored) return stored
    if (path.startsWith('/v1/payment_intents')) return aboutIntent(method, path, query)
    if (method === 'POST' && path === '/v1/checkout/sessions') return openSession(content)
    if (path === '/v1/checkout/sessions')
      return [
        200,
        list(
          [...sessions.values()]
            .toReversed()
            .filter(({ created, alone }) => !alone && isCreatedWithin(created, query))
            .map(sessionOf),
          query,
          path,
        ),
      ]
    const asked = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(path)
    const session = asked && sessions.get(asked[1]!)
    if (asked && !session) return notFound
    if (session && !asked[2]) return [200, sessionOf(session)]
    if (session) {
      if (session.status !== 'open') return invalid('session_not_open')
      session.status = 'expired'
      return [200, sessionOf(session)]
    }
    if (method === 'POST' && path === '/v1/refunds') return takeRefund(content)
    if (path === '/v1/refunds')
      return [
        200,
        list(
          refunds
            .filter(({ intent }) => intent.id === query.get('payment_intent'))
            .toReversed()
            .map(refundOf),
          query,
          path,
        ),
      ]
    if (path === '/v1/disputes') return [200, list(disputes.filter(({ intent }) => intent.id === query.get('payment_intent')).map(disputeOf), query, path)]
    const contested = /^\/v1\/disputes\/(\w+)$/.exec(path)
    if (contested) return aboutDispute(method, contested[1]!, content)
    if (method === 'GET' && path === '/v1/balance')
      return [
        200,
        {
          object: 'balance',
          available: [
            { currency, amount: 12_345 },
            { currency: 'jpy', amount: 900 },
          ],
          pending: [{ currency, amount: 777 }],
        },
      ]
    if (path === '/v1/balance_transactions')
      return [
        200,
        list(
          lines().filter(({ created }) => isCreatedWithin(created, query)),
          query,
          path,
        ),
      ]
    return notFound
  }

  function openSession(content: Record<string, any>): [number, unknown] {
    const item = content['line_items']?.[0]
    const amount = Number(item?.price_data?.unit_amount) * Number(item?.quantity)
    const wellFormed =
      content['mode'] === 'payment' &&
      Number.isInteger(amount) &&
      amount > 0 &&
      content['allowed_payment_method_types']?.[0] &&
      content['adaptive_pricing']?.enabled === 'false'
    const life = Number(content['expires_at']) - seconds()
    if (!wellFormed || item.price_data.currency !== currency || life < 1799 || life > 86_400) return invalid('parameter_invalid')
    if (content['allowed_payment_method_types'][0] === 'wechat_pay' && content['payment_method_options']?.wechat_pay?.client !== 'web')
      return invalid('parameter_missing')
    const session: FakeCheckoutSession = { id: idOf('cs_test'), content, amount, created: seconds(), status: 'open' }
    sessions.set(session.id, session)
    return [200, sessionOf(session)]
  }

  function aboutIntent(method: string, path: string, query: URLSearchParams): [number, unknown] {
    const alone = [...sessions.values()].filter((session) => session.alone)
    if (path === '/v1/payment_intents')
      return [
        200,
        list(
          alone
            .toReversed()
            .filter(({ created }) => isCreatedWithin(created, query))
            .map((session) => paymentOf(session.intent!)),
          query,
          path,
        ),
      ]
    const [, id, cancels] = /^\/v1\/payment_intents\/(\w+)(\/cancel)?$/.exec(path) ?? []
    const intent = alone.find((session) => session.intent?.id === id)?.intent
    if (!intent) return notFound
    if (method === 'POST' && cancels) {
      if (intent.status === 'succeeded') return invalid('payment_intent_unexpected_state')
      intent.status = 'canceled'
    }
    return [200, paymentOf(intent)]
  }

  /** Charges a card without its payer: paid, pending, or refused with the payment that was created for it. */
  function chargeCard(content: Record<string, any>, outcome: 'paid' | 'declined' | 'authentication' | 'slow'): [number, unknown] {
    const session: FakeCheckoutSession = {
      id: idOf('none'),
      content: { ...content, client_reference_id: content['metadata'].trade_no, payment_intent_data: { metadata: content['metadata'] } },
      amount: Number(content['amount']),
      created: seconds(),
      status: 'open',
      alone: true,
    }
    sessions.set(session.id, session)
    const intent = intentOf(session)
    if (outcome === 'paid') {
      intent.amount_received = session.amount
      intent.charge = { id: idOf('ch'), created: seconds(), disputed: false }
    }
    intent.status = outcome === 'paid' ? 'succeeded' : outcome === 'slow' ? 'processing' : 'requires_payment_method'
    const code = outcome === 'declined' ? 'card_declined' : 'authentication_required'
    const isRefused = outcome === 'declined' || outcome === 'authentication'
    if (isRefused) intent.last_payment_error = { code }
    if (outcome !== 'slow')
      mails.queue(notifyUrl(), () => sent(event(isRefused ? 'payment_intent.payment_failed' : 'payment_intent.succeeded', paymentOf(intent))))
    return isRefused ? [402, { error: { type: 'card_error', code, message: code, payment_intent: paymentOf(intent) } }] : [200, paymentOf(intent)]
  }

  /** Evidence is staged, or submitted once; a decided dispute accepts none. */
  function aboutDispute(method: string, id: string, { evidence, metadata, submit }: Record<string, any>): [number, unknown] {
    const dispute = disputes.find((each) => each.id === id)
    if (!dispute) return notFound
    if (method === 'GET') return [200, disputeOf(dispute)]
    if (dispute.status !== 'needs_response' || dispute.submissions) return invalid('dispute_not_open')
    if (Object.values({ ...evidence }).some((text) => String(text).length > 20_000)) return invalid('string_too_long')
    dispute.evidence = { ...dispute.evidence, ...evidence }
    dispute.metadata = { ...dispute.metadata, ...metadata }
    if (submit === 'true') {
      dispute.submissions = 1
      dispute.status = 'under_review'
    }
    return [200, disputeOf(dispute)]
  }

  function takeRefund({ payment_intent: paymentIntent, amount, metadata = {} }: Record<string, any>): [number, unknown] {
    const intent = [...sessions.values()].find((session) => session.intent?.id === paymentIntent)?.intent
    if (!intent?.amount_received) return invalid('resource_missing')
    const before = refunds.filter((refund) => refund.intent === intent && refund.status !== 'failed').reduce((sum, refund) => sum + refund.amount, 0)
    if (before === intent.amount_received) return invalid('charge_already_refunded')
    if (!/^[1-9]\d*$/.test(amount) || before + Number(amount) > intent.amount_received) return invalid('amount_too_large')
    const refund: FakeStripeRefund = { id: idOf('re'), intent, amount: Number(amount), metadata, created: seconds(), status: slow ? 'pending' : 'succeeded' }
    refunds.push(refund)
    mails.queue(notifyUrl(), () => sent(event('refund.updated', refundOf(refund))))
    return [200, refundOf(refund)]
  }

  const { chargeOf, paymentOf, sessionOf, refundOf, disputeOf } = createStripeShapes(currency)
  const event = (type: string, object: object, previous?: object) => ({
    id: idOf('evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: seconds(),
    livemode: false,
    pending_webhooks: 1,
    type,
    data: { object, ...(previous ? { previous_attributes: previous } : {}) },
  })
  const completed = (session: FakeCheckoutSession) => {
    const object = sessionOf(session)
    return event('checkout.session.completed', { ...object, payment_intent: session.intent?.id ?? null })
  }
  const sent = (value: object) => signStripeWebhook(secret, JSON.stringify(value), seconds())
  const cards = createFakeStoredCards({ id: idOf, event, queue: (make) => mails.queue(notifyUrl(), make), sent, charge: chargeCard })
  const byTrade = (tradeNo: string) => [...sessions.values()].find(({ content }) => content['client_reference_id'] === tradeNo)!
  const intentOf = (session: FakeCheckoutSession): FakePaymentIntent =>
    (session.intent ??= {
      id: idOf('pi'),
      metadata: session.content['payment_intent_data'].metadata,
      amount: session.amount,
      amount_received: 0,
      currency,
      status: 'requires_payment_method',
      last_payment_error: null,
    })

  /** Balance transactions, newest first, with Stripe's fee. */
  function lines() {
    const line = (type: string, created: number, net: number, fee: number, source: object) => ({
      id: `txn_${(source as { id?: string }).id ?? 'fee'}`,
      object: 'balance_transaction',
      type,
      created,
      amount: net,
      net: net - fee,
      fee,
      currency,
      source,
    })
    const paid = [...sessions.values()].flatMap(({ intent }) =>
      intent?.charge ? [line('charge', intent.charge.created, intent.amount_received, Math.round(intent.amount_received * 0.029) + 30, chargeOf(intent)!)] : [],
    )
    const back = refunds.filter(({ status }) => status === 'succeeded').map((refund) => line('refund', refund.created, -refund.amount, 0, refundOf(refund)))
    const claimed = disputes.map((dispute) => line('adjustment', dispute.created, -dispute.intent.amount_received, 1500, disputeOf(dispute)))
    return [...paid, ...back, ...claimed, line('stripe_fee', seconds(), -10, 0, {})].toSorted((a, b) => b.created - a.created)
  }

  return {
    name: 'stripe',
    payer: FINGERPRINT,
    agreed: cards,
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRETS: secrets.join(','),
      STRIPE_METHODS: 'card,alipay,wechat_pay',
      STRIPE_CURRENCY: currency,
      STRIPE_API_BASE: http.url,
    },
    http,
    secrets: [secretKey.slice(8), ...secrets.map((each) => each.slice(6))],
    trades: () => [...sessions.values()].map(({ content }) => content['client_reference_id'] as string),
    payments: () =>
      [...sessions.values()].flatMap(({ content, intent }) =>
        intent?.amount_received
          ? [
              {
                tradeNo: content['client_reference_id'] as string,
                txn: intent.id,
                minor: BigInt(intent.amount_received),
                currency: intent.currency.toUpperCase(),
              },
            ]
          : [],
      ),
    refunds: () =>
      refunds.map(({ metadata, intent, amount, status }) => ({
        refundNo: metadata['refund_no'] ?? '',
        txn: intent.id,
        minor: BigInt(amount),
        state: STATES[status]!,
      })),
    arrive: async () => {},
    pay: (tradeNo, { minor, currency: other, silent = false } = {}) => {
      const session = byTrade(tradeNo)
      const intent = intentOf(session)
      if (!intent.amount_received) {
        intent.amount_received = minor === undefined ? session.amount : Number(minor)
        if (other) intent.currency = other.toLowerCase()
        intent.charge = { id: idOf('ch'), created: seconds(), disputed: false }
      }
      intent.status = 'succeeded'
      intent.last_payment_error = null
      session.status = 'complete'
      if (!silent) mails.queue(notifyUrl(), () => sent(session.alone ? event('payment_intent.succeeded', paymentOf(intent)) : completed(session)))
    },
    decline: (tradeNo) => {
      intentOf(byTrade(tradeNo)).last_payment_error = { code: 'card_declined' }
    },
    turnRefund: (refundNo, state) => {
      const refund = refunds.find(({ metadata }) => metadata['refund_no'] === refundNo)!
      refund.status = state === 'stuck' ? 'requires_action' : state
      mails.queue(notifyUrl(), () => sent(event(state === 'failed' ? 'refund.failed' : 'refund.updated', refundOf(refund))))
    },
    slowRefunds: (on) => {
      slow = on
    },
    dispute: (tradeNo, status) => {
      const intent = intentOf(byTrade(tradeNo))
      intent.charge!.disputed = true
      const known = disputes.find((dispute) => dispute.intent === intent)
      if (known) known.status = status
      else disputes.push({ id: idOf('dp'), intent, status, created: seconds() })
      const dispute = disputes.find((each) => each.intent === intent)!
      mails.queue(notifyUrl(), () => sent(event(known ? 'charge.dispute.closed' : 'charge.dispute.created', disputeOf(dispute))))
    },
    notice: (tradeNo) => sent(completed(byTrade(tradeNo))),
    deliver: mails.deliver,
    forgeries: (tradeNo, other) => forgeStripeNotices(secret, seconds(), completed(byTrade(tradeNo)), completed(byTrade(other))),
    vectors: (tradeNo) => buildStripeVectors(secret, seconds(), () => completed(byTrade(tradeNo))),
    rotate: () => {
      secret = secrets[1]
    },
    close: () => http.close(),
  }
}

const failed = (status: number, error: object): StandInReply => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) })
const invalid = (code: string): [number, unknown] => [400, { error: { type: 'invalid_request_error', code, message: code } }]
const notFound: [number, unknown] = [404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'no such object' } }]

function list(all: readonly { readonly id: string }[], query: URLSearchParams, url: string) {
  const after = query.get('starting_after')
  const from = after ? all.findIndex(({ id }) => id === after) + 1 : 0
  const size = Number(query.get('limit') ?? 10)
  return { object: 'list', url, data: all.slice(from, from + size), has_more: all.length > from + size }
}

function isCreatedWithin(created: number, query: URLSearchParams): boolean {
  const [gte, lt, lte] = ['created[gte]', 'created[lt]', 'created[lte]'].map((name) => query.get(name))
  return (!gte || created >= Number(gte)) && (!lt || created < Number(lt)) && (!lte || created <= Number(lte))
}
