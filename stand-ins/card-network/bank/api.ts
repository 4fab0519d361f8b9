import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ZodError } from 'zod'
import { authorizationOf } from '../authorizations.ts'
import { cardOf, createCard, createHolder, setBilling, setState } from '../cards.ts'
import { challengeOf, isOpen } from '../challenges.ts'
import { Refusal } from '../company.ts'
import type { Company } from '../company.ts'
import { disputeOf, openDispute, submitDispute } from '../disputes.ts'
import type { Reply, Request } from '../web/http.ts'
import { load } from '../loads.ts'
import { playScenes } from '../plays.ts'
import { cardMagic, LOAD_MAGIC, loadMagic, PURCHASE_MAGIC } from '../magic-inputs.ts'
import type { CallFault } from '../magic-inputs.ts'
import { showAuthorization, showCard, showChallenge, showDispute, showLoad, showTransaction } from './shown.ts'
import { transactionOf } from '../transactions.ts'
import { billingCall, cardCall, disputeCall, holderCall, loadCall, playCall, revealCall, stateCall } from './wire.ts'

const SLOW_MS = 3_000
const PAGE = 500
/** How long a frame may be asked for, and shows what it shows. */
export const REVEAL_MS = 60_000

const json = (status: number, value: unknown): Reply => ({ status, type: 'application/json', body: JSON.stringify(value) })
const absent = json(404, { refused: 'not_found' })

/** The company's API for the platform; requires one of `tokens`. */
export function createBankApi(company: Company, tokens: readonly Buffer[]) {
  const digests = tokens.map((token) => createHash('sha256').update(token.toString('base64url')).digest())
  const seen = new Set<string>()

  function mayCall(request: Request): boolean {
    const given = createHash('sha256')
      .update(request.headers['authorization']?.replace(/^Bearer /, '') ?? '')
      .digest()
    return digests.some((digest) => timingSafeEqual(digest, given))
  }

  return async (request: Request): Promise<Reply> => {
    if (!mayCall(request)) return json(401, { refused: 'unknown_token' })
    const notices = request.headers['notice-url']
    if (notices) company.setEndpoint(notices)
    try {
      if (request.method === 'GET') return read(company, request)
      if (request.path === '/v1/plays') return play(company, request)
      return await change(company, request, seen)
    } catch (error) {
      if (error instanceof Refusal) return json(error.status, { refused: error.refused })
      throw error
    }
  }
}

/** Starts merchants that charge a card in the background. */
function play(company: Company, { body }: Request): Reply {
  const { ref } = cardOf(company, playCall.parse(JSON.parse(body)).card)
  void playScenes(company, ref).catch((error: unknown) => console.error('a merchant gave up:', (error as Error).message))
  return json(200, {})
}

function read(whole: Company, { path, query }: Request): Reply {
  const { store } = whole
  const [, what, ref] = /^\/v1\/(\w+)(?:\/(\w+))?$/.exec(path) ?? []
  const key = query.get('key') ?? ''
  if (what === 'cards' && ref) return json(200, showCard(whole, cardOf(whole, ref)))
  if (what === 'cards') {
    const [card] = store.byLink('card', key)
    return card ? json(200, showCard(whole, card)) : absent
  }
  if (what === 'loads') {
    const [found] = store.byLink('load', key)
    return found ? json(200, showLoad(found)) : absent
  }
  if (what === 'authorizations' && ref) return json(200, showAuthorization(authorizationOf(whole, ref)))
  if (what === 'transactions' && ref) return json(200, showTransaction(transactionOf(whole, ref)))
  if (what === 'disputes' && ref) return json(200, showDispute(disputeOf(whole, ref)))
  if (what === 'challenges' && ref) {
    const found = challengeOf(whole, ref)
    return isOpen(whole, found) ? json(200, showChallenge(found)) : absent
  }
  if (what === 'book') {
    const rows = store.book(Number(query.get('from')), Number(query.get('to')), query.get('after') ?? '', PAGE)
    return json(200, { rows: rows.map(showTransaction), more: rows.length === PAGE })
  }
  if (what === 'standing') return json(200, { ...standing(whole), now: whole.now() })
  return absent
}

/** Figures for the sandbox page. */
function standing(company: Company) {
  const { store } = company
  const { total, wrong } = store.verifyBook()
  return {
    sound: total === 0n && !wrong.length,
    magic: { loads: LOAD_MAGIC, purchases: PURCHASE_MAGIC },
    cards: store.all('card', 20).map((card) => ({ ...showCard(company, card), balance: store.balance(`card:${card.ref}`).toString() })),
  }
}

/** Runs a change once per idempotency key; effect and response are stored together. */
async function change(company: Company, request: Request, seen: Set<string>): Promise<Reply> {
  const key = request.headers['idempotency-key']
  if (!key || key.length > 200) return json(400, { refused: 'no_key' })
  const hash = createHash('sha256').update(`${request.path}\n${request.body}`).digest('hex')
  const first = !seen.has(key)
  seen.add(key)
  const fault = company.plan.calls.shift() ?? (first ? magicOf(company, request) : undefined)
  if (fault === 'error-before') return json(500, { error: 'try again' })
  const reply = company.store.atomic(() => {
    const known = company.store.answer(key)
    if (known && known.hash !== hash) return json(409, { refused: 'key_was_used' })
    if (known) return { status: known.status, type: 'application/json', body: known.body }
    const made = effect(company, request, key)
    company.store.keepAnswer(key, hash, made.status, made.body as string)
    return made
  })
  if (fault === 'slow') await new Promise((done) => setTimeout(done, SLOW_MS))
  return fault === 'lost-after' || fault === 'hang-after' ? { ...reply, never: fault === 'lost-after' ? 'cut' : 'hang' } : reply
}

function effect(company: Company, { path, body }: Request, key: string): Reply {
  try {
    return made(company, path, body ? JSON.parse(body) : {}, key)
  } catch (error) {
    if (error instanceof Refusal) return json(error.status, { refused: error.refused })
    if (error instanceof ZodError) return json(400, { refused: 'bad_call', field: error.issues[0]?.path.join('.') ?? '' })
    if (error instanceof SyntaxError) return json(400, { refused: 'bad_call' })
    throw error
  }
}

function made(company: Company, path: string, body: unknown, key: string): Reply {
  const [, what, ref, verb] = /^\/v1\/(\w+)(?:\/(\w+)\/(\w+))?$/.exec(path) ?? []
  if (what === 'holders' && !ref) return json(200, { ref: createHolder(company, holderCall.parse(body)).ref })
  if (what === 'cards' && !ref) {
    const { ceiling, replaces, ...rest } = cardCall.parse(body)
    return json(200, showCard(company, createCard(company, { ...rest, key, ceilingMinor: ceiling, replaces: replaces?.card })))
  }
  if (what === 'cards' && ref && verb === 'state') return json(200, showCard(company, setState(company, ref, stateCall.parse(body).state)))
  if (what === 'cards' && ref && verb === 'billing') return json(200, showCard(company, setBilling(company, ref, billingCall.parse(body).billing)))
  if (what === 'loads' && !ref) return json(200, showLoad(load(company, { ...loadCall.parse(body), key })))
  if (what === 'disputes' && !ref) return json(200, showDispute(openDispute(company, disputeCall.parse(body))))
  if (what === 'disputes' && ref && verb === 'submit') return json(200, showDispute(submitDispute(company, ref)))
  if (what === 'reveals' && !ref) {
    const { seconds, ...call } = revealCall.parse(body)
    const nonce = randomBytes(32).toString('base64url')
    const ends = company.wall() + (seconds === undefined ? REVEAL_MS : seconds * 1000)
    company.store.keepReveal(nonce, { ...call, card: cardOf(company, call.card).ref, ends })
    return json(200, { nonce, ends })
  }
  throw new Refusal('no_such_call', 404)
}

/** Fault chosen by magic inputs of a call; once per key, so that a retry succeeds. */
function magicOf(company: Company, { path, body }: Request): CallFault | undefined {
  try {
    const call = JSON.parse(body) as { minor?: unknown; holder?: unknown }
    if (path === '/v1/loads') {
      const magic = loadMagic(BigInt(call.minor as string))
      return magic === 'lost-after' || magic === 'error-before' || magic === 'hang-after' || magic === 'slow' ? magic : undefined
    }
    if (path !== '/v1/cards') return undefined
    const magic = cardMagic(company.store.find('holder', String(call.holder))?.email ?? '')
    return magic === 'lost' ? 'lost-after' : magic === 'slow' ? 'slow' : undefined
  } catch {
    return undefined
  }
}
