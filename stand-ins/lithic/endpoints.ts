import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { cardOf, createCard, createHolder, setState } from '../card-network/cards.ts'
import { Refusal } from '../card-network/company.ts'
import type { Company } from '../card-network/company.ts'
import { disputeOf, openDispute, submitDispute } from '../card-network/disputes.ts'
import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { LITHIC_PROGRAM, showLithicCard, showLithicDispute, showLithicHolder, showLithicTransaction } from './objects.ts'
import type { LithicFacts } from './objects.ts'
import { findBrokenLithicRule, LITHIC_RATES } from './rules.ts'
import { isUuid } from './tokens.ts'

type Json = Record<string, any>
type Read = (ref: string, query: URLSearchParams) => Json
type Write = (body: Json, ref: string) => Json

export interface LithicHost {
  readonly company: Company
  readonly facts: LithicFacts
  readonly apiKey: string
  /** Address of the server, for upload links. */
  readonly url: () => string
  /** Refuses requests beyond the rates of production. */
  readonly hasRates: boolean
}

const json = (status: number, value: Json, headers: Readonly<Record<string, string>> = {}): StandInReply => ({
  status,
  headers: { 'content-type': 'application/json', 'x-requests-remaining': '29', ...headers },
  body: JSON.stringify(value),
})
const refuse = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): StandInReply =>
  json(status, { debugging_request_id: randomUUID(), message }, headers)

/** Answers Lithic's interface (docs.lithic.com/reference) over the card network's store. */
export function createLithicEndpoints(host: LithicHost): (request: StandInRequest) => StandInReply {
  const reads = createReads(host)
  const writes = createWrites(host)
  const uploads = new Set<string>()
  const known = new Map<string, { body: string; reply: StandInReply }>()
  const isWithinRate = createRateLimit(host)

  return (request) => {
    const { method, path, query, headers, body: text } = request
    if (path === '/v1/embed/card') return showEmbed(host, query)
    const [, upload] = /^\/uploads\/([\w-]+)$/.exec(path) ?? []
    if (upload) return takeUpload(host, upload, uploads)
    if (headers.authorization !== host.apiKey) return refuse(401, 'Please provide a valid API key in the Authorization header')
    const [, resource = '', ref = '', part = ''] = /^\/v1\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? []
    if (request.fault === 'error-code' || !isWithinRate(method, resource))
      return refuse(429, 'Too many requests', { 'retry-after': '1', 'x-requests-remaining': '0' })
    const at = `${method} /v1/${resource}${ref ? `/{${resource.replace(/s$/, '')}}` : ''}${part ? `/${part}` : ''}`
    const body = parseBody(text)
    if (body === undefined) return refuse(400, 'Request body is not valid JSON')
    const broken = findBrokenLithicRule(at, { body, query, headers, now: host.company.now() })
    if (broken) return refuse(broken.status ?? 400, broken.rule)
    if (ref && !isUuid(ref)) return refuse(404, `Could not find ${resource.replace(/s$/, '')}`)
    const key = at === 'POST /v1/cards' ? headers['idempotency-key'] : undefined
    const earlier = key === undefined ? undefined : known.get(String(key))
    if (earlier) return earlier.body === text ? earlier.reply : refuse(409, 'Idempotency-Key was used with another request')
    const reply = tryWork(() => {
      const read = reads[at]
      if (read) return json(200, read(decodeURIComponent(ref), query))
      const write = writes[at]
      if (!write) return refuse(404, 'Not found')
      return json(
        CREATED.has(at) ? 201 : 200,
        host.company.store.atomic(() => write(body, ref)),
      )
    })
    if (key !== undefined && reply.status < 400) known.set(String(key), { body: text, reply })
    return reply
  }
}
const CREATED: ReadonlySet<string> = new Set(['POST /v1/disputes', 'POST /v1/disputes/{dispute}/evidences'])

/** Counts requests of one method on one resource in each second. */
function createRateLimit({ company, hasRates }: LithicHost): (method: string, resource: string) => boolean {
  const counts = new Map<string, number>()
  return (method, resource) => {
    const most = method === 'GET' ? LITHIC_RATES.read : resource === 'cards' ? LITHIC_RATES.cardWrite : LITHIC_RATES.write
    const name = `${method} ${resource} ${Math.floor(company.wall() / 1000)}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return !hasRates || count <= most
  }
}

function tryWork(work: () => StandInReply): StandInReply {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.status, error.refused)
    throw error
  }
}

function parseBody(text: string): Json | undefined {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

const PAGE = 50

/** Newest first; `starting_after` names the last object of the page before. */
function showPage(list: readonly Json[], query: URLSearchParams): Json {
  const after = query.get('starting_after')
  const rest = after ? list.slice(list.findIndex(({ token }) => token === after) + 1) : list
  const size = Math.min(Number(query.get('page_size') ?? PAGE), MAX_SERVED)
  return { data: rest.slice(0, size), has_more: rest.length > size }
}
/** Small pages, so that every list of a test has several: a page may be shorter than asked for. */
const MAX_SERVED = 3

const isWithin = (at: number, query: URLSearchParams): boolean =>
  at >= Date.parse(query.get('begin') ?? '1970-01-01T00:00:00Z') && at < Date.parse(query.get('end') ?? '9999-01-01T00:00:00Z')

function createReads({ company, facts }: LithicHost): Readonly<Record<string, Read>> {
  const { store } = company
  return {
    'GET /v1/account_holders': (_, query) => {
      const all = store.all('holder').map((holder) => showLithicHolder(company, facts, holder))
      return { data: all.filter(({ external_id: id }) => !query.has('external_id') || id === query.get('external_id')), has_more: false }
    },
    'GET /v1/cards': (_, query) => {
      const all = store.all('card').map((card) => showLithicCard(company, facts, card, false))
      return showPage(
        all.filter(({ memo }) => !query.has('memo') || memo?.includes(query.get('memo')!)),
        query,
      )
    },
    'GET /v1/cards/{card}': (ref) => showLithicCard(company, facts, cardOf(company, ref)),
    'GET /v1/transactions': (_, query) => {
      const alone = store.all('transaction').filter(({ authorization }) => !authorization)
      const all = [...store.all('authorization'), ...alone].filter(({ at }) => isWithin(at, query))
      const sorted = all.toSorted((one, other) => other.at - one.at)
      return showPage(
        sorted.map(({ ref }) => showLithicTransaction(company, ref)),
        query,
      )
    },
    'GET /v1/transactions/{transaction}': (ref) => showLithicTransaction(company, ref),
    'GET /v1/disputes': (_, query) => {
      const wanted = query.get('transaction_tokens')?.split(',')
      const all = store.all('dispute').map((dispute) => showLithicDispute(company, facts, dispute))
      return showPage(
        all.filter(({ transaction_token: token }) => !wanted || wanted.includes(token)),
        query,
      )
    },
    'GET /v1/disputes/{dispute}': (ref) => showLithicDispute(company, facts, disputeOf(company, ref)),
    'GET /v1/disputes/{dispute}/evidences': (ref, query) => {
      const own = [...facts.evidences].filter(([, { dispute }]) => dispute === ref)
      return showPage(
        own.map(([token]) => showEvidence(facts, token)),
        query,
      )
    },
  }
}

function createWrites({ company, facts, url }: LithicHost): Readonly<Record<string, Write>> {
  return {
    'POST /v1/account_holders': (body) => {
      const { address1, address2, city, state, postal_code: postalCode, country } = body['address'] as Record<string, string>
      const made = createHolder(company, {
        firstName: body['first_name'],
        lastName: body['last_name'],
        email: body['email'],
        address: {
          line1: address1!,
          ...(address2 ? { line2: address2 } : {}),
          city: city!,
          state: state!,
          postalCode: postalCode!,
          country: country === 'CAN' ? 'CA' : 'US',
        },
      })
      const token = randomUUID()
      const externalId = body['external_id'] as string | undefined
      facts.holders.set(made.ref, { token, phone: body['phone_number'], ...(externalId === undefined ? {} : { externalId }) })
      const created = new Date(company.now()).toISOString()
      return {
        token,
        account_token: made.ref,
        status: 'ACCEPTED',
        status_reasons: [],
        created,
        ...(externalId === undefined ? {} : { external_id: externalId }),
      }
    },
    'POST /v1/cards': (body) => {
      const now = new Date(company.now())
      const months = (Number(body['exp_year']) - now.getUTCFullYear()) * 12 + Number(body['exp_month']) - 1 - now.getUTCMonth()
      const ref = company.makeRef('card')
      const replaces = body['replacement_for'] as string | undefined
      facts.cards.set(ref, {
        ...(body['memo'] === undefined ? {} : { memo: body['memo'] }),
        limit: body['spend_limit'] ?? 0,
        duration: body['spend_limit_duration'] ?? 'TRANSACTION',
        program: body['card_program_token'] ?? LITHIC_PROGRAM,
        ...(replaces ? { replaces } : {}),
      })
      const ceilingMinor = body['spend_limit'] ? BigInt(body['spend_limit']) : 10n ** 15n
      const made = createCard(company, { ref, key: randomUUID(), holder: body['account_token'], type: 'standard', months, ceilingMinor, replaces })
      const old = replaces === undefined ? undefined : facts.cards.get(replaces)
      if (old) old.substatus = body['replacement_substatus']
      return showLithicCard(company, facts, made)
    },
    'PATCH /v1/cards/{card}': (body, ref) => {
      const states = { OPEN: 'active', PAUSED: 'frozen', CLOSED: 'closed' } as const
      return showLithicCard(company, facts, setState(company, ref, states[body['state'] as keyof typeof states]))
    },
    'POST /v1/disputes': (body) => {
      const token = body['transaction_token'] as string
      const taken = company.store.byLink('transaction', token).find(({ kind }) => kind === 'capture') ?? company.store.find('transaction', token)
      if (!taken) throw new Refusal('Could not find transaction', 404)
      const ref = company.makeRef('disp')
      facts.disputes.set(ref, { reason: body['reason'], ...(body['customer_note'] === undefined ? {} : { note: body['customer_note'] }) })
      openDispute(company, { ref, transaction: taken.ref, minor: BigInt(body['amount']), reason: body['reason'] })
      return showLithicDispute(company, facts, submitDispute(company, ref))
    },
    'POST /v1/disputes/{dispute}/evidences': (body, ref) => {
      const token = randomUUID()
      const filename = body['filename'] as string | undefined
      disputeOf(company, ref)
      facts.evidences.set(token, { dispute: ref, isUploaded: false, at: company.now(), ...(filename === undefined ? {} : { filename }) })
      return { ...showEvidence(facts, token), upload_url: `${url()}/uploads/${token}` }
    },
  }
}

function showEvidence({ evidences }: LithicFacts, token: string): Json {
  const { dispute, filename, isUploaded, at } = evidences.get(token)!
  return {
    token,
    created: new Date(at).toISOString(),
    dispute_token: dispute,
    upload_status: isUploaded ? 'UPLOADED' : 'PENDING',
    ...(filename === undefined ? {} : { filename }),
  }
}

/** The link of an evidence, good once and without a key. */
function takeUpload({ facts }: LithicHost, token: string, used: Set<string>): StandInReply {
  const found = facts.evidences.get(token)
  if (!found || used.has(token)) return { status: 403, body: '' }
  used.add(token)
  facts.evidences.set(token, { ...found, isUploaded: true })
  return { status: 200, body: '' }
}

/** The page for a frame: its request is signed with the API key, and expires (types of `lithic` 0.145.0, getEmbedURL). */
function showEmbed({ company, apiKey }: LithicHost, query: URLSearchParams): StandInReply {
  const serialized = Buffer.from(query.get('embed_request') ?? '', 'base64')
  const expected = createHmac('sha256', apiKey).update(serialized).digest()
  const given = Buffer.from(query.get('hmac') ?? '', 'base64')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return refuse(401, 'HMAC does not match')
  const asked = JSON.parse(serialized.toString('utf8')) as { token: string; expiration?: string; css?: string }
  if (asked.expiration && Date.parse(asked.expiration) <= company.wall()) return refuse(401, 'The request has expired')
  const card = company.store.find('card', asked.token)
  if (!card) return refuse(404, 'Could not find card')
  const { number, cvv } = company.store.numberOf(card.ref)
  const body = `<!doctype html><style>${(asked.css ?? '').replaceAll('<', '')}</style><div id="pan">${number}</div><div id="cvv">${cvv}</div>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}
