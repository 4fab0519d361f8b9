import type { WebSocket } from 'ws'
import { barred } from '../admission/limits.ts'
import type { Breakers } from '../choice/breakers.ts'
import type { Session } from './hub.ts'
import { forwarded, prepare, served } from './prepare.ts'
import { realtimeProtocol } from './realtime.ts'
import { NO_LOAD } from './rules.ts'
import { refuseKnock } from './visit.ts'
import type { Visit } from './visit.ts'

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
    protocol: realtimeProtocol(visit.deps, (other) => visit.key.limits === undefined || barred(visit.key.limits, other, '') === undefined),
    breakers,
    path: (route) => `/v1/realtime?model=${encodeURIComponent(route.upstreamModel)}`,
    headers: forwarded(visit),
    load: NO_LOAD,
    signal: leaving.signal,
  })
  visit.socket.removeListener('close', left)
  if ('start' in ready) accept((socket) => ready.start(socket))
  else refuseKnock(visit, ready, ready.retryMs !== undefined ? String(Math.ceil(ready.retryMs / 1_000)) : ready.cause === 'unavailable' ? '1' : undefined)
}
