import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { HandleRequest } from '../client.ts'
import type { ApiKey, HotDeps, Surface } from '../deps.ts'
import { ownDeps } from '../request/authenticate.ts'
import { readHead } from '../request/head.ts'
import { newCallKey } from '../ids.ts'
import { unwelcome } from '../admission/limits.ts'
import { rawRefusal } from '../beside/other.ts'
import { locate } from '../request/locate.ts'
import type { Breakers } from '../choice/breakers.ts'
import { createMemory } from './chain.ts'
import { createHub } from './hub.ts'
import type { Session } from './hub.ts'
import { openLive } from './open-live.ts'
import { openRealtime } from './open-realtime.ts'
import { openResponses } from './responses.ts'
import { refuseKnock } from './visit.ts'
import type { Knock, Visit } from './visit.ts'

export interface Sockets {
  /** For the server's `upgrade`: a socket that is served here, or a refusal as HTTP. Never throws. */
  upgrade(req: IncomingMessage, socket: Duplex, early: Buffer): void
  /** Nothing new begins; sockets close (1001) when nothing of theirs runs. */
  drain(): void
  open(): number
  /** Ends what is still open. */
  cut(): void
}

type Open = (visit: Visit, accept: (opened: (socket: WebSocket) => Session) => void) => void | Promise<void>

/** Frames of a client; larger ones close the socket (1009). Realtime's own limit is 15 MiB an event. */
const FRAME_BYTES = 16 * 1024 * 1024
/** Sockets of one account in one process: nobody needs more, and somebody's loop would open them all. */
const ACCOUNT_SOCKETS = 200
const LIVE = /^\/ws\/google\.ai\.generativelanguage\.v1\w{0,10}\.GenerativeService\.BidiGenerateContent$/
const KEY_PROTOCOL = 'openai-insecure-api-key.'

/** The three socket surfaces. `handle` is the relay's own door for HTTP. */
export function createSockets(deps: HotDeps, breakers: Breakers, handle: HandleRequest): Sockets {
  const hub = createHub()
  const memory = createMemory()
  let draining = false
  const wss = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: Math.max(FRAME_BYTES, deps.limits.bodyBytes),
    // The key among the offered protocols is never said back.
    handleProtocols: (offered) => [...offered].find((name) => name === 'realtime') ?? [...offered].find((name) => !name.startsWith('openai-')) ?? false,
  })
  const knocks = new WeakMap<IncomingMessage, Knock>()
  wss.on('wsClientError', (error, socket, req) => {
    const knock = knocks.get(req)
    if (knock === undefined) socket.destroy()
    else refuseKnock(knock, { cause: 'bad_request', message: `This is no WebSocket handshake: ${error.message}.` })
  })

  const surfaces: readonly { readonly path: RegExp; readonly surface: Surface; readonly open: Open }[] = [
    { path: /^\/v1\/realtime$/, surface: 'openai', open: (visit, accept) => openRealtime(visit, breakers, accept) },
    { path: LIVE, surface: 'gemini', open: (visit, accept) => accept((socket) => openLive(visit, breakers, socket)) },
    { path: /^\/v1\/responses$/, surface: 'openai', open: (visit, accept) => accept((socket) => openResponses(visit, socket, handle, memory)) },
  ]

  const knockAt = async (knock: Knock, open: Open): Promise<void> => {
    const found = await keyOf(knock)
    if (found === undefined) return
    if (hub.of(found.key.accountId) >= ACCOUNT_SOCKETS)
      return refuseKnock(
        knock,
        { cause: 'too_many_at_once', message: `This account has ${ACCOUNT_SOCKETS} WebSockets open here, which is the most. Close one first.` },
        '1',
      )
    const visit: Visit = { ...knock, ...found, deps: ownDeps(knock.deps, found.key) }
    await open(visit, (opened) => wss.handleUpgrade(knock.req, knock.socket, knock.early, (socket) => hub.add(opened(socket))))
  }

  return {
    open: () => hub.sessions(),
    cut: () => hub.cut(),
    drain() {
      draining = true
      hub.drain()
    },
    upgrade(req, socket, early) {
      socket.on('error', () => undefined)
      const located = locate(req.url ?? '/')
      const surface = surfaces.find((one) => one.path.test(located.path))
      if (surface === undefined) return rawRefusal(socket, 'upgrade')
      const knock: Knock = {
        req,
        socket,
        early,
        located,
        head: readHead(req.rawHeaders, located),
        surface: surface.surface,
        requestId: `req_${newCallKey(Date.now())}`,
        deps,
      }
      knocks.set(req, knock)
      if (draining) return refuseKnock(knock, { cause: 'unavailable', message: 'This server is restarting. Connect again.' }, '1')
      knockAt(knock, surface.open).catch((error: unknown) => {
        deps.log.error({ error, requestId: knock.requestId }, 'socket failed')
        if (socket.writable) refuseKnock(knock, { cause: 'unavailable', message: 'Something went wrong here; it is logged under this request id.' })
      })
    },
  }
}

/** The caller's key; undefined when the handshake was refused. A browser cannot set headers: it names the key among its protocols. */
async function keyOf(knock: Knock): Promise<{ secret: string; key: ApiKey } | undefined> {
  const { deps, head, req } = knock
  const offered = String(req.headers['sec-websocket-protocol'] ?? '').split(',')
  const named = offered.map((name) => name.trim()).find((name) => name.startsWith(KEY_PROTOCOL))
  const secret = head.secret ?? named?.slice(KEY_PROTOCOL.length)
  const console = deps.brand.consoleUrl()
  if (secret === undefined || secret === '') {
    refuseKnock(knock, {
      cause: 'no_key',
      message: `You did not provide an API key. Send it as "Authorization: Bearer KEY". You can create a key at ${console}.`,
    })
    return undefined
  }
  let key: ApiKey | undefined
  try {
    key = await deps.findKey(secret)
  } catch (error) {
    deps.log.error({ error, requestId: knock.requestId }, 'key lookup failed')
    refuseKnock(knock, { cause: 'unavailable', message: 'The API key cannot be checked at the moment. Try again shortly.' }, '1')
    return undefined
  }
  if (key !== undefined) {
    const refused = key.limits === undefined ? undefined : unwelcome(req, deps, key.keyId, key.limits)
    if (refused === undefined) return { secret, key }
    refuseKnock(knock, refused)
    return undefined
  }
  refuseKnock(knock, { cause: 'bad_key', message: `Incorrect API key provided, or it was revoked. You can find your keys at ${console}.` })
  return undefined
}
