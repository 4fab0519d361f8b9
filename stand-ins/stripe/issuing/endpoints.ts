import { randomUUID } from 'node:crypto'
import { authorizationOf } from '../../card-network/authorizations.ts'
import { cardOf, createCard, createHolder, setState } from '../../card-network/cards.ts'
import { Refusal } from '../../card-network/company.ts'
import type { Company } from '../../card-network/company.ts'
import { disputeOf, openDispute, submitDispute } from '../../card-network/disputes.ts'
import { transactionOf } from '../../card-network/transactions.ts'
import type { StandInReply, StandInRequest } from '../../kit/server.ts'
import { parseStripeIssuingForm } from './form.ts'
import { ISSUING_API_VERSION, showIssuingAuthorization, showIssuingCard, showIssuingCardholder, showIssuingDispute, showIssuingTransaction } from './objects.ts'
import type { IssuingFacts } from './objects.ts'
import { findBrokenIssuingRule } from './rules.ts'

type Form = Record<string, any>
type Read = (ref: string, query: URLSearchParams) => Form
type Write = (form: Form, ref: string) => Form

export interface IssuingHost {
  readonly company: Company
  readonly facts: IssuingFacts
  readonly secretKey: string
  readonly countries: readonly string[] | undefined
}

const json = (status: number, value: Form): StandInReply => ({
  status,
  headers: { 'content-type': 'application/json', 'request-id': `req_${randomUUID().slice(0, 14)}`, 'stripe-version': ISSUING_API_VERSION },
  body: JSON.stringify(value),
})
interface ErrorFacts {
  readonly type?: string
  readonly code?: string | undefined
  readonly param?: string
  readonly message: string
}
const refuse = (status: number, { type = 'invalid_request_error', code, param, message }: ErrorFacts): StandInReply =>
  json(status, {
    error: {
      ...(code ? { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` } : {}),
      message,
      ...(param ? { param } : {}),
      type,
    },
  })

/** Answers Stripe's interface of Issuing (docs.stripe.com/api/issuing) over the card network's store. */
export function createIssuingEndpoints(host: IssuingHost): (request: StandInRequest) => StandInReply {
  const reads = createReads(host)
  const writes = createWrites(host)
  const answers = new Map<string, { asked: string; reply: StandInReply }>()

  return (request) => {
    const { method, path, query, headers } = request
    if (headers.authorization !== `Bearer ${host.secretKey}`) return refuse(401, { message: 'Invalid API Key provided' })
    if (request.fault === 'error-code') return refuse(429, { code: 'rate_limit', message: 'Too many requests' })
    if (headers['stripe-version'] !== ISSUING_API_VERSION) return refuse(400, { message: 'Invalid Stripe API version' })
    const { at, ref } = locate(method, path)
    if (method === 'GET') return tryWork(() => (reads[at] ? json(200, reads[at](ref, query)) : refuse(404, { message: `Unrecognized request URL (${at})` })))
    const isForm = !headers['content-type']?.startsWith('multipart')
    const key = headers['idempotency-key'] === undefined ? undefined : String(headers['idempotency-key'])
    const asked = `${at} ${ref} ${isForm ? request.body : ''}`
    const known = key === undefined ? undefined : answers.get(key)
    if (known && known.asked !== asked)
      return refuse(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      })
    if (known) return known.reply
    const form = isForm ? parseStripeIssuingForm(request.body) : {}
    const fields = isForm ? [...new URLSearchParams(request.body)] : []
    const broken = findBrokenIssuingRule(at, { form, fields, headers, now: host.company.now(), countries: host.countries })
    // a request that fails validation keeps no result (docs.stripe.com/api/idempotent_requests)
    if (broken) return refuse(400, { code: broken.code, param: broken.param, message: broken.rule })
    const write = writes[at]
    if (!write) return refuse(404, { message: `Unrecognized request URL (${at})` })
    const reply = tryWork(() =>
      json(
        200,
        host.company.store.atomic(() => write(form, ref)),
      ),
    )
    if (key !== undefined) answers.set(key, { asked, reply })
    return reply
  }
}

function locate(method: string, path: string): { at: string; ref: string } {
  const [, kind = '', ref = '', verb = ''] = /^\/v1\/issuing\/(\w+)(?:\/([^/]+))?(\/\w+)?$/.exec(path) ?? []
  if (!kind) return { at: `${method} ${path}`, ref: '' }
  return { at: `${method} /v1/issuing/${kind}${ref ? `/{${kind.replace(/s$/, '')}}` : ''}${verb}`, ref: decodeURIComponent(ref) }
}

function tryWork(work: () => StandInReply): StandInReply {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refuse(error.status, { code: error.status === 404 ? 'resource_missing' : undefined, message: error.refused })
  }
}

/** Small pages, so that every list of a test has several: `limit` is an upper bound. */
const MAX_SERVED = 3

function showList(list: readonly Form[], query: URLSearchParams, url: string): Form {
  const after = query.get('starting_after')
  const rest = after ? list.slice(list.findIndex(({ id }) => id === after) + 1) : list
  const limit = Math.min(Number(query.get('limit') ?? 10), MAX_SERVED)
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url }
}

function createReads({ company, facts }: IssuingHost): Readonly<Record<string, Read>> {
  const { store } = company
  return {
    'GET /v1/issuing/cards': (_, query) =>
      showList(
        store.all('card').map((card) => showIssuingCard(company, facts, card)),
        query,
        '/v1/issuing/cards',
      ),
    'GET /v1/issuing/cards/{card}': (ref) => showIssuingCard(company, facts, cardOf(company, ref)),
    'GET /v1/issuing/authorizations/{authorization}': (ref) => showIssuingAuthorization(company, facts, authorizationOf(company, ref)),
    'GET /v1/issuing/transactions': (_, query) => {
      const [from, to] = [Number(query.get('created[gte]') ?? 0), Number(query.get('created[lt]') ?? Number.MAX_SAFE_INTEGER)]
      const within = store.all('transaction').filter(({ at }) => Math.floor(at / 1000) >= from && Math.floor(at / 1000) < to)
      return showList(
        within.map((found) => showIssuingTransaction(company, found)),
        query,
        '/v1/issuing/transactions',
      )
    },
    'GET /v1/issuing/transactions/{transaction}': (ref) => showIssuingTransaction(company, transactionOf(company, ref)),
    'GET /v1/issuing/disputes': (_, query) => {
      const all = query.has('transaction') ? store.byLink('dispute', query.get('transaction')!) : store.all('dispute')
      return showList(
        all.map((dispute) => showIssuingDispute(company, facts, dispute)),
        query,
        '/v1/issuing/disputes',
      )
    },
    'GET /v1/issuing/disputes/{dispute}': (ref) => showIssuingDispute(company, facts, disputeOf(company, ref)),
  }
}

function createWrites({ company, facts }: IssuingHost): Readonly<Record<string, Write>> {
  return {
    'POST /v1/issuing/cardholders': (form) => {
      const { email, individual, billing, metadata, phone_number: phone } = form
      const { line1, line2, city, state, postal_code: postalCode, country } = billing.address
      const ref = company.makeRef('hold')
      const dob = individual?.dob && { day: Number(individual.dob.day), month: Number(individual.dob.month), year: Number(individual.dob.year) }
      facts.metadata.set(ref, metadata ?? {})
      facts.holders.set(ref, { ...(phone ? { phone } : {}), ...(dob ? { dob } : {}) })
      createHolder(company, {
        ref,
        firstName: individual.first_name,
        lastName: individual.last_name,
        email,
        address: { line1, ...(line2 ? { line2 } : {}), city, state: state ?? '', postalCode, country },
      })
      return showIssuingCardholder(company, facts, ref)
    },
    'POST /v1/issuing/cards': (form) => {
      const now = new Date(company.now())
      const months = (Number(form['exp_year']) - now.getUTCFullYear()) * 12 + Number(form['exp_month']) - 1 - now.getUTCMonth()
      const limits = Object.values((form['spending_controls']?.spending_limits ?? {}) as Record<string, Form>)
      const ref = company.makeRef('card')
      const replaces = form['replacement_for'] as string | undefined
      facts.metadata.set(ref, form['metadata'] ?? {})
      facts.cards.set(ref, {
        ...(replaces ? { replaces, why: form['replacement_reason'] } : {}),
        limits: limits.map(({ amount, interval }) => ({ amount: Number(amount), categories: null, interval })),
      })
      const ceilingMinor = limits[0] ? BigInt(limits[0]['amount']) : 10n ** 15n
      const made = createCard(company, { ref, key: randomUUID(), holder: form['cardholder'], type: 'standard', months, ceilingMinor, replaces })
      const old = replaces === undefined ? undefined : facts.cards.get(replaces)
      if (old) old.replacedBy = ref
      return showIssuingCard(company, facts, made)
    },
    'POST /v1/issuing/cards/{card}': (form, ref) => {
      const states = { active: 'active', inactive: 'frozen', canceled: 'closed' } as const
      const merged = { ...facts.metadata.get(ref), ...(form['metadata'] as Record<string, string> | undefined) }
      facts.metadata.set(ref, Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== '')))
      return showIssuingCard(company, facts, setState(company, ref, states[form['status'] as keyof typeof states]))
    },
    'POST /v1/issuing/disputes': (form) => {
      const ref = company.makeRef('disp')
      facts.metadata.set(ref, form['metadata'] ?? {})
      facts.evidence.set(ref, form['evidence'])
      const made = openDispute(company, { ref, transaction: form['transaction'], minor: BigInt(form['amount']), reason: form['evidence'].reason })
      return showIssuingDispute(company, facts, made)
    },
    'POST /v1/issuing/disputes/{dispute}/submit': (_, ref) => showIssuingDispute(company, facts, submitDispute(company, ref)),
    'POST /v1/files': () => ({
      id: `file_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
      object: 'file',
      created: Math.floor(company.now() / 1000),
      expires_at: null,
      filename: 'evidence',
      purpose: 'dispute_evidence',
      size: 8,
      title: null,
      type: 'pdf',
      url: null,
    }),
    'POST /v1/ephemeral_keys': (form) => {
      const created = Math.floor(company.now() / 1000)
      const secret = `ek_test_${cardOf(company, form['issuing_card']).last4}${randomUUID().replaceAll('-', '')}`
      return {
        id: 'ephkey_1',
        object: 'ephemeral_key',
        associated_objects: [{ id: form['issuing_card'], type: 'issuing.card' }],
        created,
        expires: created + 900,
        livemode: false,
        secret,
      }
    },
  }
}
