import type { WebSocket } from 'ws'
import { findModelRefusal } from '../admission/limits.ts'
import type { Breakers } from '../choice/breakers.ts'
import type { SocketSession } from './hub.ts'
import { listForwardedHeaders, prepareSession, findSocketModel } from './prepare.ts'
import { createRealtimeProtocol } from './realtime.ts'
import { NO_LOAD } from './rules.ts'
import { refuseHandshake } from './handshake.ts'
import type { AuthenticatedHandshake } from './handshake.ts'

/** `/v1/realtime?model=`: sets money aside and opens the vendor's socket before answering the client's handshake. */
export async function openRealtime(
  visit: AuthenticatedHandshake,
  breakers: Breakers,
  accept: (opened: (socket: WebSocket) => SocketSession) => void,
): Promise<void> {
  const query = new URLSearchParams(visit.located.query)
  const id = query.get('model')
  if (id === null || id === '')
    return refuseHandshake(visit, {
      cause: 'bad_field',
      field: 'model',
      message: 'Name a model: /v1/realtime?model=... (call_id and intent are not served here).',
    })
  const model = findSocketModel(visit, id, 'openai-realtime')
  if ('cause' in model) return refuseHandshake(visit, model)
  const leaving = new AbortController()
  const left = (): void => leaving.abort()
  visit.socket.once('close', left)
  const ready = await prepareSession({
    visit,
    model,
    protocol: createRealtimeProtocol(visit.deps, (other) => visit.key.limits === undefined || findModelRefusal(visit.key.limits, other, '') === undefined),
    breakers,
    path: (route) => `/v1/realtime?model=${encodeURIComponent(route.upstreamModel)}`,
    headers: listForwardedHeaders(visit),
    load: NO_LOAD,
    signal: leaving.signal,
  })
  visit.socket.removeListener('close', left)
  if ('start' in ready) accept((socket) => ready.start(socket))
  else refuseHandshake(visit, ready, ready.retryMs !== undefined ? String(Math.ceil(ready.retryMs / 1_000)) : ready.cause === 'unavailable' ? '1' : undefined)
}
