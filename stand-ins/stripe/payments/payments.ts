import { findBrokenRule, findEmptyText } from '../../kit/field-rules.ts'
import type { AgreementControls, BookedRefund, PaymentCompany } from '../../kit/payments.ts'
import { startStandInServer } from '../../kit/server.ts'
import type { StandInReply, StandInRequest } from '../../kit/server.ts'
import { createWebhookQueue } from '../../kit/webhooks.ts'
import { randomUUID } from 'node:crypto'
import {
  createIdempotencyStore,
  createStripeId,
  failStripe,
  isCreatedWithin,
  listStripe,
  missStripe,
  refuseStripe,
  refuseStripeHeaders,
  STRIPE_API_VERSION,
  toStripeReply,
} from '../api.ts'
import type { StripeAnswer } from '../api.ts'
import { parseStripeForm } from '../form.ts'
import { createStripeStoredCards } from './agreements.ts'
import { forgeStripeNotices, signStripeWebhook, buildStripeVectors } from './forgeries.ts'
import { createStripePaymentsOracle } from './oracle.ts'
import { STRIPE_PAYMENT_RULES, STRIPE_REFUND_DAYS } from './rules.ts'
import { FINGERPRINT, createStripeShapes } from './shapes.ts'
import type { StoredStripeDispute, StoredPaymentIntent, StoredStripeRefund, StoredCheckoutSession } from './shapes.ts'

/** Seconds between retries: at growing intervals, over three days. https://docs.stripe.com/webhooks#retries */
const SCHEDULE = [60, 300, 1800, 7200, 18_000, 36_000, 43_200, 43_200, 43_200, 43_200]
const STATES: Record<string, BookedRefund['state']> = { pending: 'pending', succeeded: 'succeeded', failed: 'failed', requires_action: 'stuck' }
type Content = Record<string, any>

/** Stripe's API for payments. The webhook URL is a parameter, because real endpoints are set in the dashboard. */
export async function startStripePayments({
  now,
  notifyUrl,
  currency = 'usd',
}: {
  now: () => Date
  notifyUrl: () => string
  currency?: 'usd' | 'cny'
}): Promise<PaymentCompany & { dispute(tradeNo: string, status: string): void; readonly agreed: AgreementControls }> {
  const secretKey = `sk_test_${randomUUID().replaceAll('-', '')}`
  const secrets = [`whsec_${randomUUID().replaceAll('-', '')}`, `whsec_${randomUUID().replaceAll('-', '')}`] as const
  let secret: string = secrets[0]
  let slow = false
  const sessions = new Map<string, StoredCheckoutSession>()
  const refunds: StoredStripeRefund[] = []
  const disputes: StoredStripeDispute[] = []
  const withKey = createIdempotencyStore(now)
  const mails = createWebhookQueue(now, SCHEDULE, ({ status }) => status >= 200 && status < 300)
  const oracle = await createStripePaymentsOracle()
  const http = await startStandInServer((request) => handle(request), { oracle })
  const seconds = () => Math.floor(now().getTime() / 1000)

  function handle(request: StandInRequest): StandInReply {
    const refused = refuseStripeHeaders(request, secretKey)
    if (refused) return toStripeReply(refused)
    const answer = withKey(request, () => {
      const content = parseStripeForm(request.body)
      const broken = findBreach(request, content)
      return { answer: broken ?? route(request, content), isValid: !broken }
    })
    if (request.fault === 'error-code' || request.fault === 'bad-signature')
      return toStripeReply(failStripe(409, { type: 'api_error', code: 'lock_timeout', message: 'try again' }))
    return toStripeReply(answer)
  }

  function findBreach({ method, path }: StandInRequest, content: Content): StripeAnswer | undefined {
    const empty = findEmptyText(content)
    if (empty !== undefined) return refuseStripe('parameter_invalid_empty', `You passed an empty string for '${empty}'.`, empty)
    const call = `${method} ${path.replace(/^(\/v1\/disputes)\/\w+$/, '$1/{dispute}')}`
    const broken = findBrokenRule(STRIPE_PAYMENT_RULES, call, content, now())
    return broken && refuseStripe(broken.code, `${broken.field}: ${broken.rule}`, broken.field)
  }

  function route({ method, path, query }: StandInRequest, content: Content): StripeAnswer {
    const expand = [...query].flatMap(([name, value]) => (/^expand\[\d*\]$/.test(name) ? [value] : []))
    const ofData = expand.map((each) => each.replace(/^data\./, ''))
    const stored = cards.route(method, path, content, expand)
    if (stored) return stored
    if (path.startsWith('/v1/payment_intents')) return aboutIntent({ method, path, query, expand: path === '/v1/payment_intents' ? ofData : expand })
    if (method === 'POST' && path === '/v1/checkout/sessions') return openSession(content)
    if (path === '/v1/checkout/sessions') {
      const found = [...sessions.values()].toReversed().filter(({ created, alone }) => !alone && isCreatedWithin(created, query))
      return listStripe(
        found.map((session) => sessionOf(session, ofData)),
        query,
        path,
      )
    }
    const asked = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(path)
    const session = asked && sessions.get(asked[1]!)
    if (asked && !session) return missStripe(`checkout.session: '${asked[1]!}'`)
    if (session && !asked[2]) return [200, sessionOf(session, expand)]
    if (session) {
      if (session.status !== 'open') return refuseStripe('', 'Only Checkout Sessions with a status in ["open"] can be expired.')
      session.status = 'expired'
      return [200, sessionOf(session)]
    }
    if (method === 'POST' && path === '/v1/refunds') return takeRefund(content)
    if (path === '/v1/refunds') {
      const found = refunds.filter(({ intent }) => intent.id === query.get('payment_intent')).toReversed()
      return listStripe(found.map(refundOf), query, path)
    }
    if (path === '/v1/disputes') return listStripe(disputes.filter(({ intent }) => intent.id === query.get('payment_intent')).map(disputeOf), query, path)
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
          livemode: false,
          pending: [{ currency, amount: 777 }],
        },
      ]
    if (path === '/v1/balance_transactions') {
      const found = lines(expand.includes('data.source')).filter(({ created }) => isCreatedWithin(created, query))
      return listStripe(found, query, path)
    }
    return failStripe(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` })
  }

  function openSession(content: Content): StripeAnswer {
    const [item] = content['line_items'] as Content[]
    // An account in one currency: Stripe would convert another, which the product rules out.
    if (item!['price_data'].currency !== currency) return refuseStripe('', 'this account takes one currency', 'line_items[0][price_data][currency]')
    const session: StoredCheckoutSession = {
      id: createStripeId('cs_test'),
      content,
      amount: Number(item!['price_data'].unit_amount) * Number(item!['quantity']),
      created: seconds(),
      status: 'open',
    }
    sessions.set(session.id, session)
    return [200, sessionOf(session)]
  }

  function aboutIntent({ method, path, query, expand }: Pick<StandInRequest, 'method' | 'path' | 'query'> & { expand: readonly string[] }): StripeAnswer {
    const alone = [...sessions.values()].filter((session) => session.alone)
    const isExpanded = expand.includes('latest_charge')
    if (path === '/v1/payment_intents') {
      const found = alone.toReversed().filter(({ created }) => isCreatedWithin(created, query))
      return listStripe(
        found.map((session) => paymentOf(session.intent!, isExpanded)),
        query,
        path,
      )
    }
    const [, id, cancels] = /^\/v1\/payment_intents\/(\w+)(\/cancel)?$/.exec(path) ?? []
    const intent = alone.find((session) => session.intent?.id === id)?.intent
    if (!intent) return missStripe(`payment_intent: '${id}'`)
    if (method === 'POST' && cancels) {
      if (intent.status === 'succeeded' || intent.status === 'canceled')
        return refuseStripe('payment_intent_unexpected_state', `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`)
      intent.status = 'canceled'
      intent.canceledAt = seconds()
    }
    return [200, paymentOf(intent, isExpanded)]
  }

  /** Charges a card without its payer: paid, pending, or refused with the payment that was created for it. */
  function chargeCard(content: Content, outcome: 'paid' | 'declined' | 'authentication' | 'slow'): StripeAnswer {
    const session: StoredCheckoutSession = {
      id: createStripeId('none'),
      content: {
        ...content,
        client_reference_id: content['metadata']?.trade_no ?? '',
        payment_intent_data: { metadata: content['metadata'], description: content['description'] },
      },
      amount: Number(content['amount']),
      created: seconds(),
      status: 'open',
      alone: true,
    }
    sessions.set(session.id, session)
    const intent = intentOf(session)
    if (outcome === 'paid') {
      intent.amount_received = session.amount
      intent.charge = { id: createStripeId('ch'), created: seconds(), disputed: false }
    }
    intent.status = outcome === 'paid' ? 'succeeded' : outcome === 'slow' ? 'processing' : 'requires_payment_method'
    const code = outcome === 'declined' ? 'card_declined' : 'authentication_required'
    const isRefused = outcome === 'declined' || outcome === 'authentication'
    if (isRefused) intent.last_payment_error = { type: 'card_error', code, message: code }
    if (outcome !== 'slow') tell(event(isRefused ? 'payment_intent.payment_failed' : 'payment_intent.succeeded', paymentOf(intent)))
    return isRefused ? failStripe(402, { type: 'card_error', code, message: code, payment_intent: paymentOf(intent) }) : [200, paymentOf(intent)]
  }

  /** Evidence is staged, or submitted once; a decided dispute accepts none. */
  function aboutDispute(method: string, id: string, { evidence, metadata, submit }: Content): StripeAnswer {
    const dispute = disputes.find((each) => each.id === id)
    if (!dispute) return missStripe(`dispute: '${id}'`)
    if (method === 'GET') return [200, disputeOf(dispute)]
    if (dispute.status !== 'needs_response' || dispute.submissions) return refuseStripe('', 'This dispute is already closed.')
    dispute.evidence = { ...dispute.evidence, ...evidence }
    dispute.metadata = { ...dispute.metadata, ...metadata }
    if (submit === 'true') {
      dispute.submissions = 1
      dispute.status = 'under_review'
    }
    return [200, disputeOf(dispute)]
  }

  function takeRefund({ payment_intent: paymentIntent, amount, reason = null, metadata = {} }: Content): StripeAnswer {
    const intent = [...sessions.values()].find((session) => session.intent?.id === paymentIntent)?.intent
    if (!intent) return refuseStripe('resource_missing', `No such payment_intent: '${paymentIntent}'`, 'payment_intent')
    if (!intent.charge)
      return refuseStripe('payment_intent_unexpected_state', 'This PaymentIntent does not have a successful charge to refund.', 'payment_intent')
    const days = STRIPE_REFUND_DAYS[intent.methodType]
    if (days !== undefined && seconds() - intent.charge.created > days * 86_400)
      return refuseStripe('', `This ${intent.methodType} payment can be refunded for ${days} days.`)
    const before = refunds.filter((refund) => refund.intent === intent && refund.status !== 'failed').reduce((sum, refund) => sum + refund.amount, 0)
    const wanted = amount === undefined ? intent.amount_received - before : Number(amount)
    if (before === intent.amount_received) return refuseStripe('charge_already_refunded', `Charge ${intent.charge.id} has already been refunded.`)
    if (before + wanted > intent.amount_received) return refuseStripe('', `Refund amount (${wanted}) is greater than unrefunded amount on charge`, 'amount')
    const refund: StoredStripeRefund = {
      id: createStripeId('re'),
      intent,
      amount: wanted,
      metadata,
      reason,
      created: seconds(),
      status: slow ? 'pending' : 'succeeded',
    }
    refunds.push(refund)
    tell(event('refund.updated', refundOf(refund)))
    return [200, refundOf(refund)]
  }

  const { chargeOf, paymentOf, sessionOf, refundOf, disputeOf } = createStripeShapes(currency)
  const event = (type: string, object: object, previous?: object) => ({
    id: createStripeId('evt'),
    object: 'event',
    api_version: STRIPE_API_VERSION,
    created: seconds(),
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object, ...(previous ? { previous_attributes: previous } : {}) },
  })
  const completed = (session: StoredCheckoutSession) => event('checkout.session.completed', sessionOf(session))
  const sent = (value: object) => {
    oracle.checkEvent(value)
    return signStripeWebhook(secret, JSON.stringify(value), seconds())
  }
  /** A retry carries the same event, signed again. */
  const tell = (value: object) => mails.queue(notifyUrl(), () => sent(value))
  const cards = createStripeStoredCards({
    id: createStripeId,
    seconds,
    event,
    tell,
    sent,
    charge: chargeCard,
  })
  const byTrade = (tradeNo: string) => [...sessions.values()].find(({ content }) => content['client_reference_id'] === tradeNo)!
  const intentOf = (session: StoredCheckoutSession): StoredPaymentIntent =>
    (session.intent ??= {
      id: createStripeId('pi'),
      metadata: session.content['payment_intent_data']?.metadata ?? {},
      description: session.content['payment_intent_data']?.description ?? null,
      customer: session.content['customer'] ?? null,
      methodType: session.content['allowed_payment_method_types']?.[0] ?? 'card',
      created: seconds(),
      amount: session.amount,
      amount_received: 0,
      currency,
      status: 'requires_payment_method',
      last_payment_error: null,
    })

  /** Balance transactions, newest first, with Stripe's fee. */
  function lines(isExpanded: boolean) {
    const line = (type: string, created: number, amounts: { readonly net: number; readonly fee: number }, source: { readonly id: string }) => ({
      id: `txn_${source.id}`,
      object: 'balance_transaction',
      type,
      created,
      amount: amounts.net,
      available_on: created + 172_800,
      balance_type: 'payments',
      net: amounts.net - amounts.fee,
      fee: amounts.fee,
      fee_details: [],
      currency,
      description: null,
      exchange_rate: null,
      reporting_category: type,
      status: 'pending',
      source: isExpanded ? source : source.id,
    })
    const paid = [...sessions.values()].flatMap(({ intent }) =>
      intent?.charge
        ? [line('charge', intent.charge.created, { net: intent.amount_received, fee: Math.round(intent.amount_received * 0.029) + 30 }, chargeOf(intent)!)]
        : [],
    )
    const back = refunds
      .filter(({ status }) => status === 'succeeded')
      .map((refund) => line('refund', refund.created, { net: -refund.amount, fee: 0 }, refundOf(refund)))
    const claimed = disputes.map((dispute) => line('adjustment', dispute.created, { net: -dispute.intent.amount_received, fee: 1500 }, disputeOf(dispute)))
    const ownFee = { ...line('stripe_fee', seconds(), { net: -10, fee: 0 }, { id: 'fee' }), source: null }
    return [...paid, ...back, ...claimed, ownFee].toSorted((a, b) => b.created - a.created)
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
        // Unless a session rules it out, Stripe lets the payer choose their own currency.
        else if (!session.alone && session.content['adaptive_pricing']?.enabled !== 'false') intent.currency = 'eur'
        intent.charge = { id: createStripeId('ch'), created: seconds(), disputed: false }
      }
      intent.status = 'succeeded'
      intent.last_payment_error = null
      session.status = 'complete'
      if (!silent) tell(session.alone ? event('payment_intent.succeeded', paymentOf(intent)) : completed(session))
    },
    decline: (tradeNo) => {
      intentOf(byTrade(tradeNo)).last_payment_error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }
    },
    turnRefund: (refundNo, state) => {
      const refund = refunds.find(({ metadata }) => metadata['refund_no'] === refundNo)!
      refund.status = state === 'stuck' ? 'requires_action' : state
      tell(event(state === 'failed' ? 'refund.failed' : 'refund.updated', refundOf(refund)))
    },
    slowRefunds: (on) => {
      slow = on
    },
    dispute: (tradeNo, status) => {
      const intent = intentOf(byTrade(tradeNo))
      intent.charge!.disputed = true
      const known = disputes.find((dispute) => dispute.intent === intent)
      if (known) known.status = status
      else disputes.push({ id: createStripeId('du'), intent, status, created: seconds() })
      const dispute = disputes.find((each) => each.intent === intent)!
      tell(event(known ? 'charge.dispute.closed' : 'charge.dispute.created', disputeOf(dispute)))
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
