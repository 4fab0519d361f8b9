import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { Deps } from '#platform/server/feature.ts'
import { remotePageMessage, REMOTE_SOCKET_PROTOCOL } from '../../wire.ts'
import type { OverReason } from '../../wire.ts'
import { readSessionTicket } from '../ticket.ts'
import type { SessionTicket } from '../ticket.ts'
import type { RemoteHost } from './host.ts'
import { handlePageMessage, detachViewer, attachViewer } from './session.ts'
import type { SessionViewer } from './session.ts'

const MAX_MESSAGE_BYTES = 128 * 1024
/** Limit of unsent bytes, worth some pictures. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024
/** Message rate limit: a user makes a few hundred events per second at most. */
const MAX_MESSAGES_PER_SECOND = 600
const HEARTBEAT_MS = 10_000
/** Close codes after which a page must not reconnect. */
const CLOSE_CODES = { over: 4000, flood: 4008, gone: 4004 } as const

export interface RemoteSockets {
  open(request: IncomingMessage, socket: Duplex, early: Buffer): void
  stop(): void
}

/** Pages connected to the sessions of this process. A ticket admits one page to one session, once. */
export function createRemoteSockets(deps: Deps, host: RemoteHost, origins: () => readonly string[]): RemoteSockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: () => REMOTE_SOCKET_PROTOCOL,
  })
  const used = new Map<string, number>()
  const beat = setInterval(() => {
    const now = Date.now()
    for (const [nonce, until] of used) if (until < now) used.delete(nonce)
    for (const socket of server.clients) checkHeartbeat(socket)
  }, HEARTBEAT_MS).unref()

  return {
    open: (request, socket, early) => {
      socket.on('error', () => socket.destroy())
      const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
      if (!isAllowedOrigin(request, origins())) return void refuse('403 Forbidden')
      const [name, given = ''] = String(request.headers['sec-websocket-protocol'] ?? '').split(/,\s*/)
      const ticket = name === REMOTE_SOCKET_PROTOCOL ? readSessionTicket(deps.secretKeys, given, Date.now()) : undefined
      if (!ticket || used.has(ticket.nonce)) return void refuse('401 Unauthorized')
      used.set(ticket.nonce, ticket.until)
      server.handleUpgrade(request, socket, early, (opened) => attachSocket(deps, host, { socket: opened, ticket }))
    },
    stop: () => {
      clearInterval(beat)
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

/**
 * Browsers send the page's origin, which must be ours. Clients without an origin are not browsers and are authenticated by their ticket.
 */
function isAllowedOrigin({ headers: { origin, host } }: IncomingMessage, known: readonly string[]): boolean {
  if (origin === undefined) return true
  return known.includes(origin) || (URL.canParse(origin) && new URL(origin).host === host)
}

const alive = new WeakSet<WebSocket>()
function checkHeartbeat(socket: WebSocket): void {
  if (!alive.has(socket)) return socket.terminate()
  alive.delete(socket)
  socket.ping()
}

function attachSocket(
  deps: Deps,
  host: RemoteHost,
  { socket, ticket: { taskId, userId } }: { readonly socket: WebSocket; readonly ticket: SessionTicket },
): void {
  alive.add(socket)
  socket.on('pong', () => alive.add(socket))
  const session = host.find(taskId)
  const send = (data: string | Buffer) => {
    if (socket.readyState !== socket.OPEN) return
    // A client that does not read must not fill our memory
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) return socket.terminate()
    socket.send(data)
  }
  const looker: SessionViewer = {
    tell: (message) => send(JSON.stringify(message)),
    picture: send,
    leave: (reason: OverReason) => {
      looker.tell({ tell: 'over', reason })
      socket.close(CLOSE_CODES.over)
    },
  }
  socket.on('error', () => socket.terminate())
  if (!session?.browser || session.isOver || session.userId !== userId) {
    looker.tell({ tell: 'over', reason: 'gone' })
    return socket.close(CLOSE_CODES.gone)
  }
  const budget = { second: 0, count: 0 }
  socket.on('message', (data, isBinary) => {
    const second = Math.floor(Date.now() / 1000)
    Object.assign(budget, second === budget.second ? { count: budget.count + 1 } : { second, count: 1 })
    if (isBinary || budget.count > MAX_MESSAGES_PER_SECOND) return socket.close(CLOSE_CODES.flood)
    // Another page has taken over, or the session ended: ignore this one
    if (session.looker !== looker) return
    const wish = parseMessage(String(data))
    if (!wish.success) return socket.close(CLOSE_CODES.flood)
    void handlePageMessage(deps, session, wish.data).catch((error: unknown) => {
      deps.log.error({ err: error, taskId }, 'a remote browser could not be delivered')
      // The page reconnects by itself and redraws
      socket.terminate()
    })
  })
  socket.on('close', () => detachViewer(session, looker))
  void attachViewer(deps, session, looker).catch(() => socket.terminate())
}

function parseMessage(text: string) {
  try {
    return remotePageMessage.safeParse(JSON.parse(text))
  } catch {
    return remotePageMessage.safeParse(undefined)
  }
}
