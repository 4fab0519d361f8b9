import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { Deps } from '#platform/server/feature.ts'
import { fromPage, PROTOCOL } from '../../wire.ts'
import type { OverReason } from '../../wire.ts'
import { readTicket } from '../ticket.ts'
import type { Ticket } from '../ticket.ts'
import type { Host } from './host.ts'
import { hear, lose, show } from './session.ts'
import type { Looker } from './session.ts'

const MOST_BYTES = 128 * 1024
/** Told and not taken: some pictures' worth. */
const MOST_WAITING = 8 * 1024 * 1024
/** A hand makes some hundred events a second at most; who sends more is none. */
const MOST_A_SECOND = 600
const BEAT_MS = 10_000
/** Close codes after which a page must not reconnect. */
const CLOSE = { over: 4000, flood: 4008, gone: 4004 } as const

export interface Sockets {
  open(request: IncomingMessage, socket: Duplex, early: Buffer): void
  stop(): void
}

/** The pages that look at the sessions of this process. A ticket opens one session to one page, once. */
export function createSockets(deps: Deps, host: Host, origins: () => readonly string[]): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    perMessageDeflate: false,
    maxPayload: MOST_BYTES,
    handleProtocols: () => PROTOCOL,
  })
  const used = new Map<string, number>()
  const beat = setInterval(() => {
    const now = Date.now()
    for (const [nonce, until] of used) if (until < now) used.delete(nonce)
    for (const socket of server.clients) beatOf(socket)
  }, BEAT_MS).unref()

  return {
    open: (request, socket, early) => {
      socket.on('error', () => socket.destroy())
      const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
      if (!isOwnPage(request, origins())) return void refuse('403 Forbidden')
      const [name, given = ''] = String(request.headers['sec-websocket-protocol'] ?? '').split(/,\s*/)
      const ticket = name === PROTOCOL ? readTicket(deps.secretKeys, given, Date.now()) : undefined
      if (!ticket || used.has(ticket.nonce)) return void refuse('401 Unauthorized')
      used.set(ticket.nonce, ticket.until)
      server.handleUpgrade(request, socket, early, (opened) => attach(deps, host, opened, ticket))
    },
    stop: () => {
      clearInterval(beat)
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

/** Browsers say which page it is: ours, wherever this server is reached. What says nothing is no browser, and has a ticket. */
function isOwnPage({ headers: { origin, host } }: IncomingMessage, known: readonly string[]): boolean {
  if (origin === undefined) return true
  return known.includes(origin) || (URL.canParse(origin) && new URL(origin).host === host)
}

const alive = new WeakSet<WebSocket>()
function beatOf(socket: WebSocket): void {
  if (!alive.has(socket)) return socket.terminate()
  alive.delete(socket)
  socket.ping()
}

function attach(deps: Deps, host: Host, socket: WebSocket, { taskId, userId }: Ticket): void {
  alive.add(socket)
  socket.on('pong', () => alive.add(socket))
  const session = host.find(taskId)
  const send = (data: string | Buffer) => {
    if (socket.readyState !== socket.OPEN) return
    // A client that does not read must not fill our memory
    if (socket.bufferedAmount > MOST_WAITING) return socket.terminate()
    socket.send(data)
  }
  const looker: Looker = {
    tell: (message) => send(JSON.stringify(message)),
    picture: send,
    leave: (reason: OverReason) => {
      looker.tell({ tell: 'over', reason })
      socket.close(CLOSE.over)
    },
  }
  socket.on('error', () => socket.terminate())
  if (!session?.browser || session.isOver || session.userId !== userId) {
    looker.tell({ tell: 'over', reason: 'gone' })
    return socket.close(CLOSE.gone)
  }
  const budget = { second: 0, count: 0 }
  socket.on('message', (data, isBinary) => {
    const second = Math.floor(Date.now() / 1000)
    Object.assign(budget, second === budget.second ? { count: budget.count + 1 } : { second, count: 1 })
    if (isBinary || budget.count > MOST_A_SECOND) return socket.close(CLOSE.flood)
    // Another page has taken over, or the session ended: ignore this one
    if (session.looker !== looker) return
    const wish = parsed(String(data))
    if (!wish.success) return socket.close(CLOSE.flood)
    void hear(deps, session, wish.data).catch((error: unknown) => {
      deps.log.error({ err: error, taskId }, 'a remote browser could not be delivered')
      // The page comes again by itself, and draws again
      socket.terminate()
    })
  })
  socket.on('close', () => lose(session, looker))
  void show(deps, session, looker).catch(() => socket.terminate())
}

function parsed(text: string) {
  try {
    return fromPage.safeParse(JSON.parse(text))
  } catch {
    return fromPage.safeParse(undefined)
  }
}
