import type { WebSocket } from 'ws'
import type { Model, Route } from '../deps.ts'
import { barred, placeOf } from '../admission/limits.ts'
import { TOO_MUCH_HELD } from '../admission/promise.ts'
import type { Breakers } from '../choice/breakers.ts'
import type { Refused } from '../errors.ts'
import { newCallKey } from '../ids.ts'
import { dial } from './dial.ts'
import type { Session } from './hub.ts'
import type { Load, Protocol } from './rules.ts'
import { letGo, secure } from './session/secure.ts'
import type { Draft } from './session/secure.ts'
import { openSession } from './session/session.ts'
import { createStake } from './session/stake.ts'
import { beginning } from './session/talk.ts'
import type { Began } from './session/talk.ts'
import { refusedTicket } from './session/ticket.ts'
import type { Visit } from './visit.ts'

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
  /** `first`: first frame to the vendor. */
  readonly start: (client: WebSocket, first?: (route: Route) => Buffer) => Session
}

/** Secures the money, then connects to the vendor; a session needs both. */
export async function prepare(plan: Plan): Promise<Ready | Refused> {
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

export function served(visit: Visit, id: string, dialect: 'openai-realtime' | 'gemini-live'): Model | Refused {
  const model = visit.deps.findModel(id)
  if (model === undefined || model.lifecycle === 'retired')
    return { cause: 'no_model', field: 'model', message: `The model \`${id}\` does not exist or you do not have access to it.` }
  if (!model.dialects.has(dialect)) return { cause: 'wrong_dialect', field: 'model', message: `The model \`${id}\` is not served on this socket.` }
  const { limits, keyId } = visit.key
  return (limits === undefined ? undefined : barred(limits, model, placeOf(visit.deps, keyId))) ?? model
}

/** Client headers that mean something to the vendor; a browser says its beta among its protocols. */
export function forwarded(visit: Visit): string[] {
  const headers: string[] = []
  const { forward } = visit.head
  for (let i = 0; i + 1 < forward.length; i += 2) if (!DROPPED.test(forward[i]!)) headers.push(forward[i]!, forward[i + 1]!)
  const offered = String(visit.req.headers['sec-websocket-protocol'] ?? '').split(',')
  const beta = offered.map((name) => name.trim()).find((name) => name.startsWith(BETA_PROTOCOL))
  if (beta !== undefined) headers.push('openai-beta', beta.slice(BETA_PROTOCOL.length).replace('-', '='))
  return headers
}
