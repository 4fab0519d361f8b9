import type { RawData, WebSocket } from 'ws'
import type { Model, Route } from '../deps.ts'
import { topLevel } from '../dialects/facts.ts'
import { geminiAsks } from '../dialects/gemini/asks.ts'
import type { Refused } from '../errors.ts'
import { newCallKey } from '../ids.ts'
import type { Breakers } from '../choice/breakers.ts'
import { dial } from './dial.ts'
import { piecesOf, textOf, valueOf } from './frames.ts'
import type { Piece } from './frames.ts'
import type { Session } from './hub.ts'
import { liveProtocol } from './live.ts'
import { realtimeProtocol } from './realtime.ts'
import { TOO_MUCH_HELD } from '../admission/promise.ts'
import { NO_LOAD } from './rules.ts'
import type { Load, Protocol } from './rules.ts'
import { letGo, secure } from './session/secure.ts'
import type { Draft } from './session/secure.ts'
import { openSession } from './session/session.ts'
import { beginning } from './session/talk.ts'
import type { Began } from './session/talk.ts'
import { refusedTicket } from './session/ticket.ts'
import { barred, placeOf } from '../admission/limits.ts'
import { createStake } from './session/stake.ts'
import { refuseKnock } from './visit.ts'
import type { Visit } from './visit.ts'
import { isRaw } from '../settlement/usage.ts'
import { asBuffer } from './say.ts'
import { isProblem } from '../dialects/problem.ts'

const SETUP_MS = 10_000
const DROPPED = /^(?:content-type|accept|user-agent|origin)$/i
const BETA_PROTOCOL = 'openai-beta.'

interface Plan {
  readonly visit: Visit
  readonly model: Model
  readonly protocol: Protocol
  readonly breakers: Breakers
  readonly path: (route: Route) => string
  readonly headers: readonly string[]
  readonly load: Load
  readonly signal: AbortSignal
}

interface Ready {
  /** `first`: what the vendor is told before anything else. */
  readonly start: (client: WebSocket, first?: (route: Route) => Buffer) => Session
}

/** Money first, then the vendor: a session is there when both are. */
async function prepare(plan: Plan): Promise<Ready | Refused> {
  const { visit, model, protocol } = plan
  const { journal } = visit.deps
  const callId = `call_${newCallKey(Date.now())}`
  const stake = createStake(journal, visit.key)
  const draft: Draft & Began = {
    visit,
    model,
    protocol,
    callId,
    stake,
    ears: createStake(journal, visit.key),
    ...beginning(plan.load, Date.now()),
  }
  const refusal = await secure(draft)
  if (refusal !== undefined) letGo(draft)
  if (refusal === 'insufficient_balance')
    return { cause: 'no_money', message: `Your credit balance is too low for this session. Add credit at ${visit.deps.brand.consoleUrl()} and connect again.` }
  if (refusal === 'too_much_held') return TOO_MUCH_HELD
  if (refusal === 'limits' && draft.denied !== undefined) return refusedTicket(visit, draft.denied, stake.total, 0)
  if (refusal !== undefined) return { cause: 'unavailable', message: 'Your balance cannot be checked at the moment. Try again shortly; nothing was charged.' }
  const dialled = await dial({ model, dialect: protocol.dialect, breakers: plan.breakers, path: plan.path, headers: plan.headers, callId, signal: plan.signal })
  if (!('socket' in dialled)) {
    letGo(draft)
    return dialled
  }
  if (plan.signal.aborted) {
    letGo(draft)
    dialled.socket.terminate()
    return { cause: 'unavailable', message: 'The client has gone.' }
  }
  return {
    start(client, first) {
      const { socket: upstream, route } = dialled
      if (first !== undefined) upstream.send(first(route), { binary: false })
      return openSession({ ...draft, client, upstream, upstreamId: route.upstream.id }, dialled)
    },
  }
}

function served(visit: Visit, id: string, dialect: 'openai-realtime' | 'gemini-live'): Model | Refused {
  const model = visit.deps.findModel(id)
  if (model === undefined || model.lifecycle === 'retired')
    return { cause: 'no_model', field: 'model', message: `The model \`${id}\` does not exist or you do not have access to it.` }
  if (!model.dialects.has(dialect)) return { cause: 'wrong_dialect', field: 'model', message: `The model \`${id}\` is not served on this socket.` }
  const { limits, keyId } = visit.key
  return (limits === undefined ? undefined : barred(limits, model, placeOf(visit.deps, keyId))) ?? model
}

/** `/v1/realtime?model=`: money is set aside and the vendor's socket is open before the client's handshake is answered. */
export async function openRealtime(visit: Visit, breakers: Breakers, accept: (opened: (socket: WebSocket) => Session) => void): Promise<void> {
  const query = new URLSearchParams(visit.located.query)
  const id = query.get('model')
  if (id === null || id === '')
    return refuseKnock(visit, { cause: 'bad_field', field: 'model', message: 'Name a model: /v1/realtime?model=... (call_id and intent are not served here).' })
  const model = served(visit, id, 'openai-realtime')
  if ('cause' in model) return refuseKnock(visit, model)
  const leaving = new AbortController()
  const left = (): void => leaving.abort()
  visit.socket.once('close', left)
  const ready = await prepare({
    visit,
    model,
    protocol: realtimeProtocol(visit.deps),
    breakers,
    path: (route) => `/v1/realtime?model=${encodeURIComponent(route.upstreamModel)}`,
    headers: forwarded(visit),
    load: NO_LOAD,
    signal: leaving.signal,
  })
  visit.socket.removeListener('close', left)
  if ('start' in ready) accept(ready.start)
  else refuseKnock(visit, ready, ready.retryMs !== undefined ? String(Math.ceil(ready.retryMs / 1_000)) : ready.cause === 'unavailable' ? '1' : undefined)
}

/** Client headers that mean something to the vendor; a browser says its beta among its protocols. */
function forwarded(visit: Visit): string[] {
  const headers: string[] = []
  const { forward } = visit.head
  for (let i = 0; i + 1 < forward.length; i += 2) if (!DROPPED.test(forward[i]!)) headers.push(forward[i]!, forward[i + 1]!)
  const offered = String(visit.req.headers['sec-websocket-protocol'] ?? '').split(',')
  const beta = offered.map((name) => name.trim()).find((name) => name.startsWith(BETA_PROTOCOL))
  if (beta !== undefined) headers.push('openai-beta', beta.slice(BETA_PROTOCOL.length).replace('-', '='))
  return headers
}

/** Gemini Live: the handshake says who, the first frame says which model; until then nothing is asked of anybody. */
export function openLive(visit: Visit, breakers: Breakers, client: WebSocket): Session {
  const since = Date.now()
  let inner: Session | undefined
  let asked = false
  const leaving = new AbortController()
  client.on('error', () => undefined)
  client.once('close', () => leaving.abort())
  /** What came while the session was being opened; the socket is paused, but a few frames may be on their way in here. */
  const early: [RawData, boolean][] = []
  const listen = (data: RawData, isBinary: boolean): void => {
    if (asked) {
      early.push([data, isBinary])
      return
    }
    asked = true
    client.pause()
    start(visit, breakers, client, asBuffer(data), leaving.signal).then(
      (session) => {
        inner = session
        client.removeListener('message', listen)
        for (const [later, binary] of early) client.emit('message', later, binary)
        client.resume()
      },
      (error: unknown) => {
        visit.deps.log.error({ error, requestId: visit.requestId }, 'live session failed')
        client.close(1011, 'UNAVAILABLE')
        client.resume()
      },
    )
  }
  client.on('message', listen)
  return {
    socket: client,
    accountId: visit.key.accountId,
    look(now) {
      if (inner !== undefined) inner.look(now)
      else if (!asked && now - since >= SETUP_MS) client.close(1008, 'INVALID_ARGUMENT: the first message must be `setup`.')
    },
    drain() {
      if (inner === undefined) client.close(1001, 'UNAVAILABLE: this server is restarting. Connect again.')
      else inner.drain()
    },
  }
}

async function start(visit: Visit, breakers: Breakers, client: WebSocket, frame: Buffer, signal: AbortSignal): Promise<Session | undefined> {
  const pieces = piecesOf(frame)
  const setup = pieces?.findLast((piece) => piece.key === 'setup')
  const members = setup === undefined ? undefined : piecesOf(setup.value)
  const name = members === undefined ? undefined : textOf(members, 'model')
  if (members === undefined || name === undefined) {
    client.close(1007, 'INVALID_ARGUMENT: the first message must be `setup` and name a model.')
    return undefined
  }
  const model = served(visit, name.replace(/^models\//, ''), 'gemini-live')
  if ('cause' in model) {
    client.close(1008, `${name.slice(0, 50)} is not found, or is not supported for bidiGenerateContent.`)
    return undefined
  }
  const unsold = unsoldIn(setup!)
  if (unsold !== undefined) {
    client.close(1007, closing(`INVALID_ARGUMENT: ${unsold}`))
    return undefined
  }
  const config = valueOf(members, 'generationConfig')
  const cap = isRaw(config) && typeof config['maxOutputTokens'] === 'number' ? config['maxOutputTokens'] : undefined
  const version = /\.(v1\w*)\./.exec(visit.located.path)?.[1] ?? 'v1beta'
  const ready = await prepare({
    visit,
    model,
    protocol: liveProtocol(cap),
    breakers,
    path: () => `/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`,
    headers: forwarded(visit),
    load: { ...NO_LOAD, text: frame.length },
    signal,
  })
  if (!('start' in ready)) {
    client.close(ready.cause === 'no_model' ? 1008 : 1011, reasonOf(ready))
    return undefined
  }
  return ready.start(client, (route) =>
    route.upstreamModel === model.id && name.endsWith(model.id) ? frame : withModel(frame, setup!, members, route.upstreamModel),
  )
}

/** Nothing counts what a session searches, so what a call may ask for beyond tokens is not sold in one. */
function unsoldIn(setup: Piece): string | undefined {
  const found = topLevel(setup.value, geminiAsks.wanted)
  if (!Array.isArray(found)) return undefined
  const asks = geminiAsks.read(setup.value, found)
  if (isProblem(asks)) return asks.message
  if (asks.tools.length > 0) return 'Google Search and Google Maps are not sold in Live sessions. Leave them out of `tools`.'
  return asks.factors.length > 0 ? '`serviceTier` is not sold in Live sessions. Leave it out.' : undefined
}

/** The setup as it came, but for the model's name at this upstream. */
function withModel(frame: Buffer, setup: Piece, members: readonly Piece[], name: string): Buffer {
  const rest = members.filter((member) => member.key !== 'model').map((member) => member.piece.toString())
  const inside = [`"model":${JSON.stringify(`models/${name}`)}`, ...rest].join(',')
  const at = frame.indexOf(setup.value)
  return Buffer.concat([frame.subarray(0, at), Buffer.from(`{${inside}}`), frame.subarray(at + setup.value.length)])
}

function reasonOf(refused: Refused): string {
  const word = refused.cause === 'no_money' ? 'RESOURCE_EXHAUSTED' : refused.cause === 'no_model' ? 'NOT_FOUND' : 'UNAVAILABLE'
  return closing(`${word}: ${refused.message}`)
}

/** A reason has 123 bytes at most. */
const closing = (reason: string): string => Buffer.from(reason).subarray(0, 120).toString().replace(/�+$/, '')
