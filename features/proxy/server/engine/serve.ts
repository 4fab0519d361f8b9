import { createServer } from 'node:net'
import type { Socket, AddressInfo, Server as TcpServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { createHttpDoor } from './http-door.ts'
import { GREETING_MS } from './proxy-core.ts'
import type { ProxyCore } from './proxy-core.ts'
import { DialRefused } from './dial.ts'
import type { RefusalCause } from './dial.ts'
import { hangUp } from './hang-up.ts'
import { spliceTunnel } from './pump.ts'

/** SOCKS5 (RFC 1928) with user name and password (RFC 1929), CONNECT only. */
const VERSION = 5
const WITH_PASSWORD = 2
const NO_METHOD = 0xff
const CONNECT = 1

const ANSWER: Readonly<Record<RefusalCause, number>> = { port: 2, address: 2, unknown: 4, down: 5, limit: 1, spent: 2 }
const buildReply = (code: number) => Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0])

interface Reader {
  /** Resolves to the next `count` bytes; rejects if the client disconnects. */
  take(count: number): Promise<Buffer>
  /** Returns the socket, with surplus bytes put back. */
  leave(): void
}

/** Reads only as many bytes as requested; the rest stays in the network (backpressure). */
function createByteReader(socket: Socket, early: Buffer): Reader {
  let kept = early
  let waiting: { count: number; done: (bytes: Buffer) => void; failed: (error: Error) => void } | undefined
  const serve = () => {
    if (!waiting || kept.length < waiting.count) return
    const { count, done } = waiting
    waiting = undefined
    const bytes = kept.subarray(0, count)
    kept = kept.subarray(count)
    done(bytes)
  }
  const read = (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk])
    serve()
    if (!waiting) socket.pause()
  }
  const gone = () => waiting?.failed(new Error('gone'))
  socket.on('data', read).once('close', gone)
  return {
    take: (count) =>
      new Promise((done, failed) => {
        if (socket.destroyed) return failed(new Error('gone'))
        waiting = { count, done, failed }
        serve()
        if (waiting) socket.resume()
      }),
    leave: () => {
      socket.off('data', read).off('close', gone).pause()
      if (kept.length) socket.unshift(kept)
    },
  }
}

export async function handleSocks(house: ProxyCore, socket: Socket, early: Buffer): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), GREETING_MS)
  const reader = createByteReader(socket, early)
  try {
    const guest = await negotiateGuest(house, socket, reader)
    if (!guest) return
    const [, command = 0, , kind = 0] = await reader.take(4)
    const host = await readHost(reader, kind)
    const port = (await reader.take(2)).readUInt16BE(0)
    if (command !== CONNECT || host === undefined) return hangUp(socket, buildReply(command === CONNECT ? 8 : 7))
    try {
      const target = await house.reach(guest, host, port)
      reader.leave()
      socket.write(buildReply(0))
      spliceTunnel(socket, target, guest)
    } catch (error) {
      hangUp(socket, buildReply(error instanceof DialRefused ? ANSWER[error.refusal] : 1))
    }
  } finally {
    clearTimeout(timer)
  }
}

async function negotiateGuest(house: ProxyCore, socket: Socket, reader: Reader) {
  const [, methods = 0] = await reader.take(2)
  if (!(await reader.take(methods)).includes(WITH_PASSWORD)) return hangUp(socket, Buffer.from([VERSION, NO_METHOD]))
  socket.write(Buffer.from([VERSION, WITH_PASSWORD]))
  const [, nameLength = 0] = await reader.take(2)
  const username = (await reader.take(nameLength)).toString('utf8')
  const [passwordLength = 0] = await reader.take(1)
  const password = (await reader.take(passwordLength)).toString('utf8')
  const guest = await house.enter({ username, password }, socket.remoteAddress ?? '')
  if (!guest || guest === 'wait') return hangUp(socket, Buffer.from([1, 1]))
  socket.write(Buffer.from([1, 0]))
  return guest
}

async function readHost(reader: Reader, kind: number): Promise<string | undefined> {
  if (kind === 1) return [...(await reader.take(4))].join('.')
  if (kind === 3) return (await reader.take((await reader.take(1))[0]!)).toString('latin1')
  if (kind === 4) return ((await reader.take(16)).toString('hex').match(/.{4}/g) ?? []).join(':')
  return undefined
}

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

/** One port for all protocols: SOCKS5 begins with byte 5, TLS with 22, everything else is HTTP. */
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
    // TLS reads the bytes that were put back; `resume` would lose them
    if (door === http) socket.resume()
  })
}
