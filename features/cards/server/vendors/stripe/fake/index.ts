import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { IssuerAddress, DeclineReason, RawRequest } from '../../port.ts'
import { authorizationOf } from '../../sandbox/issuer/authorizations.ts'
import { billingOf, cardOf, createCard, createHolder, setState } from '../../sandbox/issuer/cards.ts'
import { createCompany, Refusal } from '../../sandbox/issuer/company.ts'
import { openStore } from '../../sandbox/issuer/data.ts'
import { disputeOf, openDispute, submitDispute } from '../../sandbox/issuer/disputes.ts'
import type { Authorization, Card, Dispute, Transaction } from '../../sandbox/issuer/model.ts'
import { transactionOf } from '../../sandbox/issuer/transactions.ts'
import { deskOf } from '../../sandbox/fake/index.ts'
import { changedBodies } from '../../sandbox/fake/played.ts'
import type { Hear, Played } from '../../sandbox/fake/played.ts'
import { STRIPE_ISSUING_API_VERSION } from '../client.ts'
import { stripe } from '../index.ts'
import { parseStripeIssuingForm } from './form.ts'

const SECRET = 'whsec_of_the_fake_endpoint'
const { webhooks } = new Stripe('sk_test_fake_only')
type Form = Record<string, any>

/** Stripe's names of decline reasons, where they differ from ours. */
const HISTORY: Partial<Record<DeclineReason, string>> = {
  card_frozen: 'card_inactive',
  card_closed: 'card_canceled',
  card_expired: 'card_expired',
  wrong_details: 'verification_failed',
  no_answer: 'webhook_timeout',
}

const postal = ({ postalCode, line2 = null, ...address }: Omit<IssuerAddress, 'line2'> & { line2?: string | null }): Form => ({
  ...address,
  line2,
  postal_code: postalCode,
})

/** Fake of Stripe Issuing by its documentation: wire format, signatures and idempotency, over a card company that keeps books. */
export async function aStripeIssuer({ decideWithinMs = 150 }: { decideWithinMs?: number } = {}): Promise<Played> {
  const store = openStore(':memory:')
  const sent: RawRequest[] = []
  const metadata = new Map<string, Record<string, string>>()
  const answers = new Map<string, { hash: string; reply: StandInReply }>()
  const created = new Map<string, number>()
  let hear: Hear = () => undefined

  const company = createCompany({
    store,
    noticeKey: Buffer.from('unused'),
    decideWithinMs,
    send: async (_url, _headers, text) => {
      const notice = JSON.parse(text) as { id: string; type: string; ref: string; request?: Form }
      const raw = signed(eventOf(notice))
      sent.push(raw)
      const decision = await hear(issuer.readNotice(raw), raw)
      if (!notice.request) return { status: 200, body: 'ok' }
      if (!decision) return { status: 500, body: '' }
      const reply = issuer.answer(decision)
      if (reply.status !== 200 || reply.headers?.['stripe-version'] !== STRIPE_ISSUING_API_VERSION) return { status: 500, body: '' }
      const said = JSON.parse(String(reply.body)) as { approved: boolean; amount?: number; metadata?: Record<string, string> }
      if (said.metadata) metadata.set(notice.ref, said.metadata)
      return {
        status: 200,
        body: JSON.stringify({
          approved: said.approved,
          ...(said.amount === undefined ? {} : { minor: String(said.amount) }),
          reason: said.metadata?.['our_reason'],
        }),
      }
    },
  })
  company.setEndpoint('http://stripe.invalid/')

  const seconds = (at: number) => Math.floor(at / 1000)
  const metaOf = (ref: string) => metadata.get(ref) ?? {}
  const showCard = (card: Card): Form => ({
    id: card.ref,
    object: 'issuing.card',
    brand: 'Visa',
    cardholder: {
      id: card.holder,
      object: 'issuing.cardholder',
      billing: { address: postal(billingOf(company, card)) },
      requirements: { disabled_reason: card.state === 'opening' ? 'under_review' : card.state === 'failed' ? 'rejected.listed' : null },
    },
    currency: 'usd',
    exp_month: card.expMonth,
    exp_year: card.expYear,
    last4: card.last4,
    metadata: metaOf(card.ref),
    status: card.state === 'active' ? 'active' : card.state === 'closed' ? 'canceled' : 'inactive',
    type: 'virtual',
    created: seconds(created.get(card.ref) ?? 0),
  })
  const merchantData = ({ name, city, country, mcc }: Authorization['merchant']): Form => ({
    name,
    city,
    country,
    category: 'other',
    category_code: mcc,
    network_id: '1',
    postal_code: null,
    state: null,
    tax_id: null,
    terminal_id: null,
    url: null,
  })
  const money = (minor: bigint, local: Authorization['local'], sign = 1): Form => ({
    amount: sign * Number(minor),
    currency: 'usd',
    merchant_amount: sign * Number(local?.minor ?? minor),
    merchant_currency: (local?.currency ?? 'usd').toLowerCase(),
  })
  const showTransaction = (found: Transaction): Form => ({
    id: found.ref,
    object: 'issuing.transaction',
    ...money(found.minor, found.local, found.kind === 'refund' ? 1 : -1),
    authorization: found.authorization ?? null,
    card: found.card,
    created: seconds(found.at),
    merchant_data: merchantData(found.merchant),
    metadata: {},
    type: found.kind === 'capture' ? 'capture' : 'refund',
  })
  const showAuthorization = (found: Authorization, pending: Form | null = null): Form => ({
    id: found.ref,
    object: 'issuing.authorization',
    ...money(found.status === 'pending' ? found.heldMinor : 0n, found.local),
    merchant_amount: Number(found.local?.minor ?? found.heldMinor),
    approved: found.approved,
    card: showCard(cardOf(company, found.card)),
    created: seconds(found.at),
    merchant_data: merchantData(found.merchant),
    metadata: metaOf(found.ref),
    pending_request: pending,
    request_history: found.steps
      .filter(({ what }) => what === 'approved' || what === 'declined')
      .map(({ what, minor, reason, at }) => ({
        amount: Number(minor),
        approved: what === 'approved',
        created: seconds(at),
        reason:
          what === 'approved' ? 'webhook_approved' : ((reason && HISTORY[reason]) ?? (metadata.has(found.ref) ? 'webhook_declined' : 'spending_controls')),
      })),
    balance_transactions: found.steps
      .filter(({ what, minor }) => what !== 'declined' && minor > 0n)
      .map(({ what, minor }) => ({
        type: what === 'approved' ? 'issuing_authorization_hold' : 'issuing_authorization_release',
        amount: what === 'approved' ? -Number(minor) : Number(minor),
      })),
    transactions: store.byLink('transaction', found.ref).map(showTransaction),
    status: found.status,
  })
  const showDispute = (found: Dispute): Form => ({
    id: found.ref,
    object: 'issuing.dispute',
    amount: Number(found.minor),
    currency: 'usd',
    balance_transactions: found.credited ? [{ amount: Number(found.minor), type: 'issuing_dispute' }] : [],
    metadata: metaOf(found.ref),
    status: found.status,
    transaction: found.transaction,
  })

  function eventOf({ id, type, ref, request }: { id: string; type: string; ref: string; request?: Form }): Form {
    const pending = request && {
      amount: Number(request['minor']),
      currency: 'usd',
      is_amount_controllable: request['partialAllowed'],
      merchant_amount: Number(request['local']?.minor ?? request['minor']),
      merchant_currency: String(request['local']?.currency ?? 'usd').toLowerCase(),
    }
    const show: Record<string, () => Form> = {
      authorization: () => showAuthorization(authorizationOf(company, ref), pending ?? null),
      transaction: () => showTransaction(transactionOf(company, ref)),
      card: () => showCard(cardOf(company, ref)),
      dispute: () => showDispute(disputeOf(company, ref)),
      challenge: () => ({}),
    }
    return {
      id,
      object: 'event',
      api_version: STRIPE_ISSUING_API_VERSION,
      created: seconds(company.now()),
      livemode: false,
      type: `issuing_${type}`,
      data: { object: show[type.split('.')[0]!]!() },
    }
  }
  function signed(event: Form, over: { secret?: string; timestamp?: number } = {}): RawRequest {
    const payload = JSON.stringify(event)
    const header = webhooks.generateTestHeaderString({ payload, secret: over.secret ?? SECRET, timestamp: over.timestamp ?? seconds(company.wall()) })
    return { params: {}, query: {}, headers: { 'stripe-signature': header }, body: Buffer.from(payload), ip: '', requestId: '' }
  }

  const page = (list: Form[], query: URLSearchParams): Form => {
    const after = query.get('starting_after')
    const rest = after ? list.slice(list.findIndex(({ id }) => id === after) + 1) : list
    const limit = Math.min(Number(query.get('limit') ?? 10), 3)
    return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url: '' }
  }

  function change(path: string, form: Form): Form {
    if (path === '/v1/issuing/cardholders') {
      const { name, email, individual, billing, metadata: own } = form
      const { line1, line2, city, state, postal_code: postalCode, country } = billing.address
      if (!name || !individual?.dob?.year) throw new Refusal('parameter_missing')
      // rules of its reference for these fields; an empty value is missing
      if (name.length > 24 || /[^A-Za-z .,'-]/.test(name)) throw new Refusal('invalid_name')
      if ([line1, city, postalCode, country, email].some((text: string | undefined) => !text?.trim())) throw new Refusal('parameter_missing')
      const made = createHolder(company, {
        firstName: individual.first_name,
        lastName: individual.last_name,
        email,
        address: { line1, ...(line2 ? { line2 } : {}), city, state, postalCode, country },
      })
      metadata.set(made.ref, own)
      return { id: made.ref, object: 'issuing.cardholder' }
    }
    if (path === '/v1/issuing/cards') {
      const now = new Date(company.now())
      const months = (Number(form['exp_year']) - now.getUTCFullYear()) * 12 + Number(form['exp_month']) - 1 - now.getUTCMonth()
      if (form['type'] !== 'virtual' || form['currency'] !== 'usd') throw new Refusal('parameter_invalid')
      const ceilingMinor = BigInt(form['spending_controls'].spending_limits[0].amount)
      const made = createCard(company, {
        key: randomUUID(),
        holder: form['cardholder'],
        type: 'standard',
        months,
        ceilingMinor,
        replaces: form['replacement_for'],
      })
      metadata.set(made.ref, form['metadata'])
      created.set(made.ref, company.now())
      return showCard(made)
    }
    const [, card] = /^\/v1\/issuing\/cards\/(\w+)$/.exec(path) ?? []
    if (card) {
      const states = { active: 'active', inactive: 'frozen', canceled: 'closed' } as const
      metadata.set(card, { ...metaOf(card), ...Object.fromEntries(Object.entries(form['metadata'] ?? {}).filter(([, value]) => value !== '')) } as Record<
        string,
        string
      >)
      if (form['metadata']?.frozen_by_us === '') delete metaOf(card)['frozen_by_us']
      return showCard(setState(company, card, states[form['status'] as keyof typeof states]))
    }
    if (path === '/v1/issuing/disputes') {
      const { reason } = form['evidence']
      if (!form['evidence'][reason]?.explanation) throw new Refusal('parameter_missing')
      const made = openDispute(company, { transaction: form['transaction'], minor: BigInt(form['amount']), reason })
      metadata.set(made.ref, form['metadata'])
      return showDispute(made)
    }
    const [, dispute] = /^\/v1\/issuing\/disputes\/(\w+)\/submit$/.exec(path) ?? []
    if (dispute) return showDispute(submitDispute(company, dispute))
    if (path === '/v1/files') return { id: `file_${randomUUID()}`, object: 'file' }
    if (path === '/v1/ephemeral_keys') {
      if (!form['nonce']) throw new Refusal('parameter_missing')
      return {
        id: 'ephkey_1',
        object: 'ephemeral_key',
        created: seconds(company.now()),
        expires: seconds(company.now()) + 900,
        livemode: false,
        secret: `ek_test_${cardOf(company, form['issuing_card']).last4}`,
      }
    }
    throw new Refusal('resource_missing', 404)
  }
  function read(path: string, query: URLSearchParams): Form {
    const [, what, ref] = /^\/v1\/issuing\/(\w+)(?:\/(\w+))?$/.exec(path) ?? []
    if (what === 'cards') return ref ? showCard(cardOf(company, ref)) : page(store.all('card').map(showCard), query)
    if (what === 'authorizations' && ref) return showAuthorization(authorizationOf(company, ref))
    if (what === 'transactions' && ref) return showTransaction(transactionOf(company, ref))
    if (what === 'transactions') {
      const [gte, lt] = [Number(query.get('created[gte]')), Number(query.get('created[lt]'))]
      const within = store.all('transaction').filter(({ at }) => seconds(at) >= gte && seconds(at) < lt)
      return page(within.map(showTransaction), query)
    }
    if (what === 'disputes' && ref) return showDispute(disputeOf(company, ref))
    if (what === 'disputes') return page(store.byLink('dispute', query.get('transaction') ?? '').map(showDispute), query)
    throw new Refusal('resource_missing', 404)
  }
  const json = (status: number, value: Form): StandInReply => ({
    status,
    headers: { 'content-type': 'application/json', 'request-id': 'req_1' },
    body: JSON.stringify(value),
  })
  const no = (status: number, type: string, code: string) => json(status, { error: { type, code, message: code } })

  function handle(request: StandInRequest): StandInReply {
    if (request.headers.authorization !== 'Bearer sk_test_of_the_fake') return no(401, 'authentication_error', 'api_key')
    if (request.fault === 'error-code') return no(429, 'invalid_request_error', 'rate_limit')
    if (request.method === 'GET') return tried(() => read(request.path, request.query))
    const key = String(request.headers['idempotency-key'] ?? randomUUID())
    const hash = `${request.path} ${request.headers['content-type']?.startsWith('multipart') ? '' : request.body}`
    const known = answers.get(key)
    if (known) return known.hash === hash ? known.reply : no(400, 'idempotency_error', 'idempotency_key_in_use')
    const reply = tried(() => store.atomic(() => change(request.path, parseStripeIssuingForm(request.body))))
    answers.set(key, { hash, reply })
    return reply
  }
  function tried(work: () => Form): StandInReply {
    try {
      return json(200, work())
    } catch (error) {
      if (error instanceof Refusal) return no(error.status, 'invalid_request_error', error.status === 404 ? 'resource_missing' : error.refused)
      throw error
    }
  }

  const house = await startStandInServer(handle)
  const issuer = stripe.connect(
    {
      STRIPE_ISSUING_SECRET_KEY: 'sk_test_of_the_fake',
      STRIPE_ISSUING_PUBLISHABLE_KEY: 'pk_test_of_the_fake',
      STRIPE_ISSUING_WEBHOOK_SECRETS: `${SECRET}, whsec_of_tomorrow`,
      STRIPE_ISSUING_API_BASE: house.url,
    },
    {
      ...aSupplierTools(),
      // files go to a separate host
      fetch: (input, init) => fetch(String(input).replace('http://files.stripe.com', house.url).replace('https://files.stripe.com', house.url), init),
      now: () => new Date(company.wall()),
      noticeUrl: () => '',
      secrets: () => [Buffer.alloc(32)],
    },
  )!

  return {
    issuer,
    bank: deskOf(company),
    hear: (next) => {
      hear = next
    },
    sent,
    forgeries: (raw) => {
      const event = JSON.parse(raw.body.toString('utf8')) as Form
      const now = seconds(company.wall())
      const header = String(raw.headers['stripe-signature'])
      const withHeader = (value: string): RawRequest => ({ ...raw, headers: { 'stripe-signature': value } })
      return {
        ...changedBodies(raw),
        'wrong secret': signed(event, { secret: 'whsec_somebody_else' }),
        'stale': signed(event, { timestamp: now - 301 }),
        'ahead': signed(event, { timestamp: now + 302 }),
        'live event': signed({ ...event, livemode: true }),
        'of a connected account': signed({ ...event, account: 'acct_1' }),
        'no time': withHeader(header.replace(/t=\d+,/, '')),
        'another scheme': withHeader(header.replace('v1=', 'v0=')),
      }
    },
    misbehave: (fault) => house.misbehave(fault, 1000),
    behave: () => house.behave(),
    refOf: ({ ref }) => ref,
    asked: () => house.seen.map(({ url, body }) => `${url} ${body}`),
    close: async () => {
      await house.close()
      store.close()
    },
  }
}
