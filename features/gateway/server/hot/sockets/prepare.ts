import type { WebSocket } from 'ws'
import type { GatewayModel, Route } from '../deps.ts'
import { findModelRefusal, formatKeyUrl } from '../admission/limits.ts'
import { TOO_MUCH_HELD } from '../admission/promise.ts'
import type { Breakers } from '../choice/breakers.ts'
import type { RequestRefusal } from '../errors.ts'
import { createCallKey } from '../ids.ts'
import { dialSocket } from './dial.ts'
import type { SocketSession } from './hub.ts'
import type { TokenLoad, Protocol } from './rules.ts'
import { releaseDraft, secureNextResponse } from './session/secure.ts'
import type { SessionDraft } from './session/secure.ts'
import { connectSession } from './session/session.ts'
import { createStake } from './session/stake.ts'
import { createVendorSessionStart } from './session/talk.ts'
import type { VendorSessionStart } from './session/talk.ts'
import { buildTicketRefusal } from './session/ticket.ts'
import type { AuthenticatedHandshake } from './handshake.ts'

const DROPPED_HEADERS = /^(?:content-type|accept|user-agent|origin)$/i
const BETA_PROTOCOL = 'openai-beta.'

interface SessionPlan {
  readonly visit: AuthenticatedHandshake
  readonly model: GatewayModel
  readonly protocol: Protocol
  readonly breakers: Breakers
  readonly path: (route: Route) => string
  readonly headers: readonly string[]
  readonly load: TokenLoad
  readonly signal: AbortSignal
}

interface PreparedSession {
  /** `first`: first frame to the vendor. */
  readonly start: (client: WebSocket, first?: (route: Route) => Buffer) => SocketSession
}

/** Secures the money, then connects to the vendor; a session needs both. */
export async function prepareSession(plan: SessionPlan): Promise<PreparedSession | RequestRefusal> {
  const { visit, model, protocol } = plan
  const { journal } = visit.deps
  const callId = `call_${createCallKey(Date.now())}`
  const stake = createStake(journal, visit.key)
  const draft: SessionDraft & VendorSessionStart = {
    visit,
    model,
    protocol,
    callId,
    stake,
    ears: createStake(journal, visit.key),
    ...createVendorSessionStart(plan.load, Date.now()),
  }
  const refusal = await secureNextResponse(draft)
  if (refusal !== undefined) releaseDraft(draft)
  if (refusal === 'insufficient_balance')
    return { cause: 'no_money', message: `Your credit balance is too low for this session. Add credit at ${visit.deps.brand.consoleUrl()} and connect again.` }
  if (refusal === 'too_much_held') return TOO_MUCH_HELD
  if (refusal === 'limits' && draft.denied !== undefined) return buildTicketRefusal(visit, draft.denied, stake.total, 0)
  if (refusal !== undefined) return { cause: 'unavailable', message: 'Your balance cannot be checked at the moment. Try again shortly; nothing was charged.' }
  const dialled = await dialSocket({
    model,
    dialect: protocol.dialect,
    breakers: plan.breakers,
    path: plan.path,
    headers: plan.headers,
    callId,
    signal: plan.signal,
  })
  if (!('socket' in dialled)) {
    releaseDraft(draft)
    return dialled
  }
  if (plan.signal.aborted) {
    releaseDraft(draft)
    dialled.socket.terminate()
    return { cause: 'unavailable', message: 'The client has gone.' }
  }
  return {
    start(client, first) {
      const { socket: upstream, route } = dialled
      if (first !== undefined) upstream.send(first(route), { binary: false })
      return connectSession({ ...draft, client, upstream, upstreamId: route.upstream.id }, dialled)
    },
  }
}

export function findSocketModel(visit: AuthenticatedHandshake, id: string, dialect: 'openai-realtime' | 'gemini-live'): GatewayModel | RequestRefusal {
  const model = visit.deps.findModel(id)
  if (model === undefined || model.lifecycle === 'retired')
    return { cause: 'no_model', field: 'model', message: `The model \`${id}\` does not exist or you do not have access to it.` }
  if (!model.dialects.has(dialect)) return { cause: 'wrong_dialect', field: 'model', message: `The model \`${id}\` is not served on this socket.` }
  const { limits, keyId } = visit.key
  return (limits === undefined ? undefined : findModelRefusal(limits, model, formatKeyUrl(visit.deps, keyId))) ?? model
}

/** Client headers that are relevant to the vendor; browsers pass the beta among the protocols. */
export function listForwardedHeaders(visit: AuthenticatedHandshake): string[] {
  const headers: string[] = []
  const { forward } = visit.head
  for (let i = 0; i + 1 < forward.length; i += 2) if (!DROPPED_HEADERS.test(forward[i]!)) headers.push(forward[i]!, forward[i + 1]!)
  const offered = String(visit.req.headers['sec-websocket-protocol'] ?? '').split(',')
  const beta = offered.map((name) => name.trim()).find((name) => name.startsWith(BETA_PROTOCOL))
  if (beta !== undefined) headers.push('openai-beta', beta.slice(BETA_PROTOCOL.length).replace('-', '='))
  return headers
}
