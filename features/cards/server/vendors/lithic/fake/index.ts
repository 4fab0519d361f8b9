import { createHmac, randomUUID } from 'node:crypto'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { DeclineReason, RawRequest } from '../../port.ts'
import { cardOf, createCard, createHolder, setState } from '../../sandbox/issuer/cards.ts'
import { createCompany, Refusal } from '../../sandbox/issuer/company.ts'
import { openStore } from '../../sandbox/issuer/data.ts'
import { disputeOf, openDispute, submitDispute } from '../../sandbox/issuer/disputes.ts'
import type { Authorization, Card, Dispute, Local, Transaction } from '../../sandbox/issuer/model.ts'
import { deskOf } from '../../sandbox/fake/index.ts'
import { changedBodies } from '../../sandbox/fake/played.ts'
import type { Hear, Played } from '../../sandbox/fake/played.ts'
import { lithic } from '../index.ts'

const KEY = 'fake-lithic-key-0000'
const ASA_SECRET = 'fake-asa-secret'
const SECRET = `whsec_${Buffer.from('the fake subscription').toString('base64')}`
type Json = Record<string, any>

const DETAILS: Partial<Record<DeclineReason, string>> = {
  card_frozen: 'CARD_PAUSED',
  card_closed: 'CARD_CLOSED',
  card_expired: 'CARD_EXPIRED',
  card_not_ready: 'CARD_NOT_ACTIVATED',
  wrong_details: 'CARD_SECURITY_CODE_INCORRECT',
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  suspected_fraud: 'SUSPECTED_FRAUD',
  merchant_blocked: 'UNAUTHORIZED_MERCHANT',
  no_answer: 'CUSTOMER_ASA_TIMEOUT',
}
const ALPHA3_COUNTRIES: Readonly<Record<string, string>> = { US: 'USA', CZ: 'CZE', DE: 'DEU' }

/** Fake of Lithic by its documentation: one transaction holds an authorisation and all that is cleared under it, as events. */
export async function aLithicIssuer({ decideWithinMs = 150 }: { decideWithinMs?: number } = {}): Promise<Played> {
  const store = openStore(':memory:')
  const sent: RawRequest[] = []
  const notes = new Map<string, string>()
  const holders = new Map<string, string>()
  const cards = new Map<string, { memo: string; idempotency: string }>()
  let hear: Hear = () => undefined

  const company = createCompany({
    store,
    noticeKey: Buffer.from('unused'),
    decideWithinMs,
    send: async (_url, _headers, text) => {
      const notice = JSON.parse(text) as { id: string; type: string; ref: string; card: string; request?: Json }
      const raw = notice.request ? asa(notice.ref, notice.card, notice.request) : event(notice.id, payloadOf(notice))
      sent.push(raw)
      const decision = await hear(issuer.readNotice(raw), raw)
      if (!notice.request) return { status: 200, body: 'ok' }
      if (!decision) return { status: 500, body: '' }
      const { result } = JSON.parse(String(issuer.answer(decision).body)) as { result: string }
      const reason = Object.entries(DETAILS).find(([, detail]) => detail === result)?.[0]
      return { status: 200, body: JSON.stringify({ approved: result === 'APPROVED', ...(reason ? { reason } : {}) }) }
    },
  })
  company.setEndpoint('http://lithic.invalid/')

  const side = (minor: bigint, local?: Local) => ({
    cardholder: { amount: Number(minor), currency: 'USD', conversion_rate: '1' },
    merchant: { amount: Number(local?.minor ?? minor), currency: local?.currency ?? 'USD' },
  })
  const iso = (at: number) => new Date(at).toISOString()
  const merchantOf = ({ name, city, country, mcc }: Authorization['merchant']): Json => ({
    acceptor_id: '1',
    acquiring_institution_id: '1',
    descriptor: name,
    city,
    country: ALPHA3_COUNTRIES[country] ?? country,
    mcc,
    state: '',
  })
  const eventTypes = { capture: 'CLEARING', refund: 'RETURN', refund_reversal: 'RETURN_REVERSAL' } as const
  const rowOf = (found: Transaction): Json => ({
    token: found.ref,
    type: eventTypes[found.kind],
    amount: Number(found.minor),
    amounts: side(found.minor, found.local),
    created: iso(found.at),
    result: 'APPROVED',
    detailed_results: ['APPROVED'],
  })
  const stepTypes = { approved: 'AUTHORIZATION', declined: 'AUTHORIZATION', reversed: 'AUTHORIZATION_REVERSAL', expired: 'AUTHORIZATION_EXPIRY' } as const

  function showAuthorization(found: Authorization): Json {
    const steps = found.steps.flatMap(({ what, minor, at, reason }, index): Json[] =>
      what === 'cleared'
        ? []
        : [
            {
              token: `${found.ref}step${index}`,
              type: stepTypes[what],
              amount: Number(minor),
              amounts: side(minor, found.local),
              created: iso(at),
              result: what === 'declined' ? 'DECLINED' : 'APPROVED',
              detailed_results: [what === 'declined' ? ((reason && DETAILS[reason]) ?? 'DO_NOT_HONOR') : 'APPROVED'],
            },
          ],
    )
    const rows = store.byLink('transaction', found.ref)
    const states = { pending: 'PENDING', closed: found.approved || rows.length ? 'SETTLED' : 'DECLINED', reversed: 'VOIDED', expired: 'EXPIRED' } as const
    return {
      token: found.ref,
      card_token: found.card,
      created: iso(found.at),
      status: states[found.status],
      result: found.approved ? 'APPROVED' : 'DECLINED',
      merchant: merchantOf(found.merchant),
      amounts: { ...side(found.askedMinor, found.local), hold: { amount: Number(found.heldMinor), currency: 'USD' } },
      events: [...steps, ...rows.map(rowOf)],
    }
  }
  const showAlone = (found: Transaction): Json => ({
    token: found.ref,
    card_token: found.card,
    created: iso(found.at),
    status: 'SETTLED',
    result: 'APPROVED',
    merchant: merchantOf(found.merchant),
    amounts: { ...side(found.minor, found.local), hold: { amount: 0, currency: 'USD' } },
    events: [rowOf(found)],
  })
  function showAny(ref: string): Json {
    const authorization = store.find('authorization', ref)
    if (authorization) return showAuthorization(authorization)
    const found = store.find('transaction', ref)
    if (!found) throw new Refusal('not_found', 404)
    return found.authorization ? showAny(found.authorization) : showAlone(found)
  }
  /** Some programs may see numbers: the adapter must not read them. */
  const showCard = (card: Card): Json => {
    const { number, cvv } = store.numberOf(card.ref)
    const states = { active: 'OPEN', frozen: 'PAUSED', closed: 'CLOSED', opening: 'PENDING_FULFILLMENT', failed: 'CLOSED' } as const
    return {
      token: card.ref,
      account_token: card.holder,
      state: states[card.state],
      last_four: card.last4,
      exp_month: String(card.expMonth).padStart(2, '0'),
      exp_year: String(card.expYear),
      memo: cards.get(card.ref)?.memo,
      type: 'VIRTUAL',
      pan: number,
      cvv,
    }
  }
  const showDispute = (found: Dispute): Json => ({
    token: found.ref,
    amount: Number(found.minor),
    status: { unsubmitted: 'PENDING_CUSTOMER', submitted: 'SUBMITTED', won: 'CASE_WON', lost: 'CASE_CLOSED', expired: 'CASE_CLOSED' }[found.status],
    resolution_reason: found.status === 'expired' ? 'PAST_FILING_DATE' : null,
    transaction_token: store.find('transaction', found.transaction)?.authorization ?? found.transaction,
    customer_note: notes.get(found.ref) ?? null,
  })

  function asa(ref: string, card: string, request: Json): RawRequest {
    const minor = BigInt(request['minor'] as string)
    const local = request['local'] && { minor: BigInt(request['local'].minor as string), currency: request['local'].currency as string }
    const body = JSON.stringify({
      token: ref,
      card: { token: card, last_four: '0000' },
      amount: Number(minor),
      amounts: side(minor, local),
      merchant: merchantOf(request['merchant']),
      status: 'AUTHORIZATION',
      created: iso(company.now()),
    })
    return rawWith({ 'x-lithic-hmac': createHmac('sha256', ASA_SECRET).update(body).digest('base64') }, body)
  }
  const payloadOf = ({ type, ref, card }: { type: string; ref: string; card: string }): Json => {
    if (type.startsWith('card.')) return { event_type: type, card_token: card }
    if (type.startsWith('dispute.')) return { event_type: 'dispute.updated', ...showDispute(disputeOf(company, ref)) }
    return { event_type: 'card_transaction.updated', ...showAny(ref) }
  }
  const rawWith = (headers: Record<string, string>, body: string): RawRequest => ({
    params: {},
    query: {},
    headers,
    body: Buffer.from(body),
    ip: '',
    requestId: '',
  })
  function event(id: string, payload: Json, over: { secret?: string; at?: number; id?: string } = {}): RawRequest {
    const body = JSON.stringify(payload)
    const at = String(over.at ?? Math.floor(company.wall() / 1000))
    const secret = Buffer.from((over.secret ?? SECRET).slice(6), 'base64')
    const mac = createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')
    return rawWith({ 'webhook-id': over.id ?? id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` }, body)
  }

  /** Newest first, in small pages, like Lithic's lists. */
  const page = (list: Json[], query: URLSearchParams): Json => {
    const after = query.get('starting_after')
    const rest = after ? list.slice(list.findIndex(({ token }) => token === after) + 1) : list
    return { data: rest.slice(0, 3), has_more: rest.length > 3 }
  }
  const within = (at: number, query: URLSearchParams) =>
    at >= Date.parse(query.get('begin') ?? '1970-01-01') && at < Date.parse(query.get('end') ?? '9999-01-01')

  function read(path: string, query: URLSearchParams): Json {
    const [, what, ref, part] = /^\/v1\/(\w+)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(path) ?? []
    if (part === 'evidences') return { data: [], has_more: false }
    if (what === 'account_holders')
      return {
        data: holders.has(query.get('external_id') ?? '') ? [{ token: 'h', account_token: holders.get(query.get('external_id')!) }] : [],
        has_more: false,
      }
    if (what === 'cards')
      return ref
        ? showCard(cardOf(company, ref))
        : page(
            store
              .all('card')
              .map(showCard)
              .filter(({ memo }) => memo === query.get('memo')),
            query,
          )
    if (what === 'transactions' && ref) return showAny(ref)
    if (what === 'transactions') {
      const all = [
        ...store.all('authorization').map((one) => [one.at, one.ref] as const),
        ...store
          .all('transaction')
          .filter(({ authorization }) => !authorization)
          .map((one) => [one.at, one.ref] as const),
      ]
      return page(
        all
          .filter(([at]) => within(at, query))
          .toSorted(([one], [other]) => other - one)
          .map(([, one]) => showAny(one)),
        query,
      )
    }
    if (what === 'disputes' && ref) return showDispute(disputeOf(company, ref))
    const token = query.get('transaction_tokens') ?? query.get('transaction_tokens[]') ?? ''
    return {
      data: store
        .all('dispute')
        .map(showDispute)
        .filter(({ transaction_token: one }) => one === token),
      has_more: false,
    }
  }
  function change(method: string, path: string, body: Json, idempotency: string): Json {
    const [, what, ref, part] = /^\/v1\/(\w+)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(path) ?? []
    if (what === 'account_holders') {
      const { line1 = body['address'].address1, city, state, postal_code: postalCode } = body['address']
      const { address1, country } = body['address']
      const required = [body['first_name'], body['last_name'], body['email'], address1, city, postalCode]
      if (body['workflow'] !== 'KYC_EXEMPT' || !/^\+[1-9]\d{6,14}$/.test(body['phone_number'])) throw new Refusal('bad')
      if (country !== 'USA' || !/^[A-Z]{2}$/.test(state) || required.some((text: string | undefined) => !text?.trim())) throw new Refusal('bad')
      const made = createHolder(company, {
        firstName: body['first_name'],
        lastName: body['last_name'],
        email: body['email'],
        address: { line1, city, state, postalCode, country: 'US' },
      })
      holders.set(body['external_id'], made.ref)
      return { token: 'h', account_token: made.ref, status: 'ACCEPTED', status_reasons: [] }
    }
    if (what === 'cards' && !ref) {
      const earlier = [...cards].find(([, card]) => card.idempotency === idempotency)
      if (earlier) return showCard(cardOf(company, earlier[0]))
      if (!/^[0-9a-f-]{36}$/.test(idempotency)) throw new Refusal('bad')
      const now = new Date(company.now())
      const months = (Number(body['exp_year']) - now.getUTCFullYear()) * 12 + Number(body['exp_month']) - 1 - now.getUTCMonth()
      const made = createCard(company, {
        key: randomUUID(),
        holder: body['account_token'],
        type: 'standard',
        months,
        ceilingMinor: BigInt(body['spend_limit']),
        replaces: body['replacement_for'],
      })
      cards.set(made.ref, { memo: body['memo'], idempotency })
      return showCard(made)
    }
    if (what === 'cards' && ref && method === 'PATCH') {
      const states = { OPEN: 'active', PAUSED: 'frozen', CLOSED: 'closed' } as const
      return showCard(setState(company, ref, states[body['state'] as keyof typeof states]))
    }
    if (what === 'disputes' && !ref) {
      const token = body['transaction_token'] as string
      const taken = store.byLink('transaction', token).find(({ kind }) => kind === 'capture') ?? store.find('transaction', token)
      if (!taken) throw new Refusal('not_found', 404)
      const made = openDispute(company, { transaction: taken.ref, minor: BigInt(body['amount']), reason: 'other' })
      notes.set(made.ref, body['customer_note'])
      return showDispute(submitDispute(company, made.ref))
    }
    if (what === 'disputes' && part === 'evidences') return { token: randomUUID(), upload_url: `${house.url}/upload`, upload_status: 'PENDING' }
    throw new Refusal('not_found', 404)
  }
  const json = (status: number, value: Json): StandInReply => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
  function handle(request: StandInRequest): StandInReply {
    if (request.path === '/upload') return { status: 200, body: '' }
    if (request.headers.authorization !== KEY) return json(401, { message: 'no' })
    if (request.fault === 'error-code') return json(429, { message: 'slow down' })
    try {
      if (request.method === 'GET') return json(200, read(request.path, request.query))
      return json(
        200,
        store.atomic(() =>
          change(request.method, request.path, request.body ? (JSON.parse(request.body) as Json) : {}, String(request.headers['idempotency-key'] ?? '')),
        ),
      )
    } catch (error) {
      if (error instanceof Refusal) return json(error.status, { message: error.refused })
      throw error
    }
  }

  const house = await startStandInServer(handle)
  const issuer = lithic.connect(
    {
      LITHIC_API_KEY: KEY,
      LITHIC_ASA_SECRET: ASA_SECRET,
      LITHIC_WEBHOOK_SECRETS: `${SECRET}, whsec_${Buffer.from('tomorrow').toString('base64')}`,
      LITHIC_API_BASE: house.url,
    },
    { ...aSupplierTools(), now: () => new Date(company.wall()), noticeUrl: () => '', secrets: () => [Buffer.alloc(32)] },
  )!

  return {
    issuer,
    bank: deskOf(company),
    hear: (next) => {
      hear = next
    },
    sent,
    forgeries: (raw) => {
      if (raw.headers['x-lithic-hmac']) {
        const other = createHmac('sha256', 'another secret').update(raw.body).digest('base64')
        return {
          ...changedBodies(raw),
          'wrong secret': { ...raw, headers: { 'x-lithic-hmac': other } },
          'twice': { ...raw, headers: { 'x-lithic-hmac': [other, other] } },
        }
      }
      const payload = JSON.parse(raw.body.toString('utf8')) as Json
      const now = Math.floor(company.wall() / 1000)
      return {
        ...changedBodies(raw),
        'wrong secret': event('evt', payload, { secret: `whsec_${Buffer.from('somebody else').toString('base64')}` }),
        'stale': event('evt', payload, { at: now - 302 }),
        'ahead': event('evt', payload, { at: now + 302 }),
        'another id': event('evt', payload, { id: 'evt_other' }),
      }
    },
    misbehave: (fault) => house.misbehave(fault, 1000),
    behave: () => house.behave(),
    refOf: ({ ref, authorization }) => `${authorization ?? ref}.${ref}`,
    asked: () => house.seen.map(({ url, body }) => `${url} ${body}`),
    close: async () => {
      await house.close()
      store.close()
    },
  }
}
