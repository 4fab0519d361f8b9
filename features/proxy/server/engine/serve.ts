import { createServer } from 'node:net'
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { createHttpDoor } from './http-door.ts'
import type { ProxyCore } from './proxy-core.ts'
import { handleSocks } from './socks-door.ts'

export interface ProxyServer {
  readonly port: number
  /** Stops accepting connections and closes the open ones. */
  stop(): Promise<void>
}

interface ListenOptions {
  readonly port: number
  readonly host: string
  /** PEM certificate and key, with which the proxy also accepts TLS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Timeout for a complete first request. */
  readonly headMs?: number
}

const HEAD_MS = 20_000
const FIRST_BYTE_MS = 20_000
const SOCKS = 5
const TLS_HELLO = 0x16

/** One port for both: SOCKS5 begins with 5, TLS with 22, everything else is HTTP. */
export async function serveProxy(house: ProxyCore, { port, host, tls, headMs = HEAD_MS }: ListenOptions): Promise<ProxyServer> {
  const http = createHttpDoor(house, headMs)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setNoDelay(true)
  }
  const secure =
    tls &&
    createTlsServer({ ...tls, handshakeTimeout: FIRST_BYTE_MS }, (socket) => {
      keep(socket)
      routeSocket(socket, { house, http, secure: undefined })
    })
  secure?.on('tlsClientError', (_error, socket) => socket.destroy())
  const server = createServer((socket) => {
    keep(socket)
    routeSocket(socket, { house, http, secure })
  })
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, host, () => done()))
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()))
      house.cutAll()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

interface Doors {
  readonly house: ProxyCore
  readonly http: TcpServer
  readonly secure: TcpServer | undefined
}

function routeSocket(socket: Socket, { house, http, secure }: Doors): void {
  socket.setTimeout(FIRST_BYTE_MS, () => socket.destroy())
  socket.once('data', (first: Buffer) => {
    socket.setTimeout(0)
    socket.removeAllListeners('timeout')
    if (first[0] === SOCKS) return void handleSocks(house, socket, first).catch(() => socket.destroy())
    socket.pause()
    socket.unshift(first)
    const door = first[0] === TLS_HELLO ? secure : http
    if (!door) return void socket.destroy()
    door.emit('connection', socket)
    // TLS reads for itself what was put back: in a flow it would be lost
    if (door === http) socket.resume()
  })
}
