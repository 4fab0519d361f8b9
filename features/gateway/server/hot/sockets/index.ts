import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { HandleRequest } from '../client.ts'
import type { BodyMemory } from '../body/memory.ts'
import type { ApiKey, HotDeps, Surface } from '../deps.ts'
import { resolveCustomerDeps } from '../request/authenticate.ts'
import { readCallHead } from '../request/head.ts'
import { createCallKey } from '../ids.ts'
import { findAccessRefusal } from '../admission/limits.ts'
import { writeRawRefusal } from '../beside/unsupported-routes.ts'
import { locate } from '../request/locate.ts'
import type { Breakers } from '../choice/breakers.ts'
import { createChainMemory } from './chain.ts'
import { cutFrames } from './intake/cut.ts'
import { MAX_CLIENT_FRAME_BYTES } from './intake/weigh-frame.ts'
import { MAX_ACCOUNT_SOCKETS, createHub } from './hub.ts'
import type { SocketSession } from './hub.ts'
import { openLive } from './open-live.ts'
import { openRealtime } from './open-realtime.ts'
import { openResponses } from './responses.ts'
import { openRoom } from './room.ts'
import type { FrameRoom } from './room.ts'
import { refuseHandshake } from './handshake.ts'
import type { PendingHandshake, AuthenticatedHandshake } from './handshake.ts'

export interface Sockets {
  /** For the server's `upgrade`: opens a socket for a supported path, or refuses as HTTP. Never throws. */
  upgrade(req: IncomingMessage, socket: Duplex, early: Buffer): void
  /** Starts no new responses; sockets close (1001) once they are idle. */
  drain(): void
  open(): number
  /** Terminates the sockets that are still open. */
  cut(): void
}

type OpenSession = (visit: AuthenticatedHandshake, accept: (opened: (socket: WebSocket, room: FrameRoom) => SocketSession) => void) => void | Promise<void>

/**
 * Maximum fragments of one frame: each costs an object, however small it is. Some clients send at most 4 KB in one; large frames are cut
 * (cut.ts).
 */
const MAX_FRAGMENTS = 4_096 + 256
const LIVE = /^\/ws\/google\.ai\.generativelanguage\.v1\w{0,10}\.GenerativeService\.BidiGenerateContent$/
const KEY_PROTOCOL = 'openai-insecure-api-key.'

/** The three socket surfaces. `handle` is the relay's HTTP entry point. */
export function createSockets(deps: HotDeps, breakers: Breakers, bodies: BodyMemory, handle: HandleRequest): Sockets {
  const hub = createHub()
  const memory = createChainMemory()
  let draining = false
  const knocks = new WeakMap<IncomingMessage, PendingHandshake>()
  const server = createSocketServer(MAX_CLIENT_FRAME_BYTES, knocks)
  const surfaces: readonly { readonly path: RegExp; readonly surface: Surface; readonly open: OpenSession }[] = [
    { path: /^\/v1\/realtime$/, surface: 'openai', open: (visit, accept) => openRealtime(visit, breakers, accept) },
    { path: LIVE, surface: 'gemini', open: (visit, accept) => accept((socket) => openLive(visit, breakers, socket)) },
    {
      path: /^\/v1\/responses$/,
      surface: 'openai',
      open: (visit, accept) => accept((socket, room) => openResponses(visit, socket, room, handle, memory)),
    },
  ]

  const knockAt = async (knock: PendingHandshake, { open }: (typeof surfaces)[number]): Promise<void> => {
    const found = await authenticateHandshake(knock)
    // a socket that has closed emits no further close event
    if (found === undefined || knock.socket.destroyed) return
    if (!hub.enter(found.key.accountId, knock.socket))
      return refuseHandshake(
        knock,
        { cause: 'too_many_at_once', message: `This account has ${MAX_ACCOUNT_SOCKETS} WebSockets open here, which is the most. Close one first.` },
        '1',
      )
    const visit: AuthenticatedHandshake = { ...knock, ...found, deps: resolveCustomerDeps(knock.deps, found.key) }
    const accepted = { bodies, key: found.key, bodyMs: deps.limits.bodyMs }
    await open(visit, (opened) =>
      server.handleUpgrade(knock.req, knock.socket, knock.early, (socket) => {
        cutFrames(socket, knock.socket, MAX_CLIENT_FRAME_BYTES)
        hub.add(opened(socket, openRoom(socket, knock.socket, accepted)))
      }),
    )
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
      if (surface === undefined) return writeRawRefusal(socket, 'upgrade')
      const knock: PendingHandshake = {
        req,
        socket,
        early,
        located,
        head: readCallHead(req.rawHeaders, located),
        surface: surface.surface,
        requestId: `req_${createCallKey(Date.now())}`,
        deps,
      }
      knocks.set(req, knock)
      if (draining) return refuseHandshake(knock, { cause: 'unavailable', message: 'This server is restarting. Connect again.' }, '1')
      knockAt(knock, surface).catch((error: unknown) => {
        deps.log.error({ error, requestId: knock.requestId }, 'socket failed')
        if (socket.writable) refuseHandshake(knock, { cause: 'unavailable', message: 'Something went wrong here; it is logged under this request id.' })
      })
    },
  }
}

function createSocketServer(maxPayload: number, knocks: WeakMap<IncomingMessage, PendingHandshake>): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    maxFragments: MAX_FRAGMENTS,
    // Never echo the key among the offered protocols.
    handleProtocols: (offered) => [...offered].find((name) => name === 'realtime') ?? [...offered].find((name) => !name.startsWith('openai-')) ?? false,
  })
  server.on('wsClientError', (error, socket, req) => {
    const knock = knocks.get(req)
    if (knock === undefined) socket.destroy()
    else refuseHandshake(knock, { cause: 'bad_request', message: `This is no WebSocket handshake: ${error.message}.` })
  })
  return server
}

/**
 * Returns the caller's key; undefined if the handshake was refused. Browsers cannot set headers, so they pass the key among the protocols.
 */
async function authenticateHandshake(knock: PendingHandshake): Promise<{ secret: string; key: ApiKey } | undefined> {
  const { deps, head, req } = knock
  const offered = String(req.headers['sec-websocket-protocol'] ?? '').split(',')
  const named = offered.map((name) => name.trim()).find((name) => name.startsWith(KEY_PROTOCOL))
  const secret = head.secret ?? named?.slice(KEY_PROTOCOL.length)
  const console = deps.brand.consoleUrl()
  if (secret === undefined || secret === '') {
    refuseHandshake(knock, {
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
    refuseHandshake(knock, { cause: 'unavailable', message: 'The API key cannot be checked at the moment. Try again shortly.' }, '1')
    return undefined
  }
  if (key !== undefined) {
    const refused = key.limits === undefined ? undefined : findAccessRefusal(req, deps, key.keyId, key.limits)
    if (refused === undefined) return { secret, key }
    refuseHandshake(knock, refused)
    return undefined
  }
  refuseHandshake(knock, { cause: 'bad_key', message: `Incorrect API key provided, or it was revoked. You can find your keys at ${console}.` })
  return undefined
}
