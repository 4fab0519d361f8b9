import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { HandleRequest } from '../client.ts'
import type { BodyMemory } from '../body/memory.ts'
import type { ApiKey, HotDeps, Surface } from '../deps.ts'
import { ownDeps } from '../request/authenticate.ts'
import { readHead } from '../request/head.ts'
import { newCallKey } from '../ids.ts'
import { unwelcome } from '../admission/limits.ts'
import { rawRefusal } from '../beside/other.ts'
import { locate } from '../request/locate.ts'
import type { Breakers } from '../choice/breakers.ts'
import { createMemory } from './chain.ts'
import { cutFrames } from './intake/cut.ts'
import { FRAME_BYTES } from './intake/weigh-frame.ts'
import { ACCOUNT_SOCKETS, createHub } from './hub.ts'
import type { Session } from './hub.ts'
import { openLive } from './open-live.ts'
import { openRealtime } from './open-realtime.ts'
import { openResponses } from './responses.ts'
import { openRoom } from './room.ts'
import type { FrameRoom } from './room.ts'
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

type Open = (visit: Visit, accept: (opened: (socket: WebSocket, room: FrameRoom) => Session) => void) => void | Promise<void>

/** Of one frame: each costs its object, however small it is. Some clients send no more than 4 KB in one; large frames are cut (cut.ts). */
const FRAGMENTS = 4_096 + 256
const LIVE = /^\/ws\/google\.ai\.generativelanguage\.v1\w{0,10}\.GenerativeService\.BidiGenerateContent$/
const KEY_PROTOCOL = 'openai-insecure-api-key.'

/** The three socket surfaces. `handle` is the relay's own door for HTTP. */
export function createSockets(deps: HotDeps, breakers: Breakers, bodies: BodyMemory, handle: HandleRequest): Sockets {
  const hub = createHub()
  const memory = createMemory()
  let draining = false
  const knocks = new WeakMap<IncomingMessage, Knock>()
  const server = serverOf(FRAME_BYTES, knocks)
  const surfaces: readonly { readonly path: RegExp; readonly surface: Surface; readonly open: Open }[] = [
    { path: /^\/v1\/realtime$/, surface: 'openai', open: (visit, accept) => openRealtime(visit, breakers, accept) },
    { path: LIVE, surface: 'gemini', open: (visit, accept) => accept((socket) => openLive(visit, breakers, socket)) },
    {
      path: /^\/v1\/responses$/,
      surface: 'openai',
      open: (visit, accept) => accept((socket, room) => openResponses(visit, socket, room, handle, memory)),
    },
  ]

  const knockAt = async (knock: Knock, { open }: (typeof surfaces)[number]): Promise<void> => {
    const found = await keyOf(knock)
    // one that has closed does not say so again
    if (found === undefined || knock.socket.destroyed) return
    if (!hub.enter(found.key.accountId, knock.socket))
      return refuseKnock(
        knock,
        { cause: 'too_many_at_once', message: `This account has ${ACCOUNT_SOCKETS} WebSockets open here, which is the most. Close one first.` },
        '1',
      )
    const visit: Visit = { ...knock, ...found, deps: ownDeps(knock.deps, found.key) }
    const accepted = { bodies, key: found.key, bodyMs: deps.limits.bodyMs }
    await open(visit, (opened) =>
      server.handleUpgrade(knock.req, knock.socket, knock.early, (socket) => {
        cutFrames(socket, knock.socket, FRAME_BYTES)
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
      knockAt(knock, surface).catch((error: unknown) => {
        deps.log.error({ error, requestId: knock.requestId }, 'socket failed')
        if (socket.writable) refuseKnock(knock, { cause: 'unavailable', message: 'Something went wrong here; it is logged under this request id.' })
      })
    },
  }
}

function serverOf(maxPayload: number, knocks: WeakMap<IncomingMessage, Knock>): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    maxFragments: FRAGMENTS,
    // The key among the offered protocols is never said back.
    handleProtocols: (offered) => [...offered].find((name) => name === 'realtime') ?? [...offered].find((name) => !name.startsWith('openai-')) ?? false,
  })
  server.on('wsClientError', (error, socket, req) => {
    const knock = knocks.get(req)
    if (knock === undefined) socket.destroy()
    else refuseKnock(knock, { cause: 'bad_request', message: `This is no WebSocket handshake: ${error.message}.` })
  })
  return server
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
