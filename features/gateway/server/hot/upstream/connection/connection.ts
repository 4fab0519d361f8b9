import type { Connection, Origin, RunningExchange } from '../parts.ts'
import { createResponseReader, expectResponse } from '../reading/reader.ts'
import { destroyConnection, failConnection, loseConnection } from './lose.ts'
import { handleResponseEnd, handleEof, handleHead, handleSocketRead } from './read.ts'
import type { ConnectionState } from './state.ts'
import { connect, isIP } from 'node:net'
import type { Socket, TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Bytes of a request body written in one turn of the loop: copying all of a large one into the kernel would block everything else. */
const SLICE_BYTES = 262_144

function writeRequest(s: ConnectionState, exchange: RunningExchange): void {
  const [first, second] = exchange.bytes
  exchange.written = true
  exchange.timeoutMs = exchange.headMs
  s.answered = false
  s.unsent = 0
  s.sentAt = Date.now()
  exchange.since = s.sentAt
  expectResponse(s.reader)
  s.rest = second
  if (second !== undefined) s.socket.cork()
  s.socket.write(first!)
  if (second === undefined) return
  writeSlice(s)
  s.socket.uncork()
}

function writeSlice(s: ConnectionState): void {
  const slice = s.rest
  if (s.gone || slice === undefined) return
  s.rest = slice.length > SLICE_BYTES ? slice.subarray(SLICE_BYTES) : undefined
  if (s.rest === undefined) s.socket.write(slice)
  else s.socket.write(slice.subarray(0, SLICE_BYTES), () => setImmediate(writeSlice, s))
}

/** One buffer for all connections: data is copied before the next read (so on POSIX systems; not on Windows). */
const SHARED_READ_BUFFER = Buffer.allocUnsafeSlow(65_536)

function connectSocket(origin: Origin, read: (buffer: Buffer, bytes: number) => boolean): Socket {
  const buffer = process.platform === 'win32' ? Buffer.allocUnsafeSlow(SHARED_READ_BUFFER.length) : SHARED_READ_BUFFER
  const options: TcpNetConnectOpts = {
    host: origin.hostname,
    port: origin.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    onread: { buffer, callback: (bytes) => read(buffer, bytes) },
  }
  if (!origin.isTls) return connect(options)
  const session = origin.session()
  return connectTls({
    ...options,
    ...origin.tls,
    ...(isIP(origin.hostname) === 0 ? { servername: origin.hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    ...(session === undefined ? {} : { session }),
  })
}

/** Opens a connection for a given first exchange, or for the next waiting one. */
export function openConnection(origin: Origin, first: RunningExchange | undefined): Connection {
  const openedAt = Date.now()
  const s: ConnectionState = {
    origin,
    self: {
      usable: () => !s.gone && Date.now() < s.idleUntil,
      start: (exchange) => start(s, exchange),
      pause: () => pause(s),
      resume: () => resume(s),
      destroy: () => destroyConnection(s),
      close: () => failConnection(s, new Error('the client was closed')),
      look: (now) => checkConnection(s, now),
    },
    socket: connectSocket(origin, (buffer, bytes) => handleSocketRead(s, buffer, bytes)),
    reader: createResponseReader({
      onHead: (head) => handleHead(s, head),
      onData: (data) => s.running!.handler.onData(data),
      onEnd: (reusable) => handleResponseEnd(s, reusable),
    }),
    openedAt,
    running: first,
    open: false,
    gone: false,
    paused: false,
    served: first === undefined ? 1 : 0,
    keepMs: 0,
    idleUntil: first === undefined ? openedAt + origin.connectMs : 0,
    answered: false,
    unsent: 0,
    rest: undefined,
    sentAt: 0,
  }
  if (first !== undefined) first.connection = s.self
  s.socket.once(origin.isTls ? 'secureConnect' : 'connect', () => onOpen(s))
  s.socket.on('session', (session: Buffer) => origin.remember(session))
  s.socket.on('error', (error) => loseConnection(s, error))
  s.socket.on('end', () => handleEof(s))
  s.socket.on('close', () => loseConnection(s, new Error('the connection was closed')))
  return s.self
}

function onOpen(s: ConnectionState): void {
  s.open = true
  if (s.running !== undefined) {
    writeRequest(s, s.running)
    return
  }
  s.idleUntil = Date.now() + s.origin.idleMs
  s.socket.unref()
  s.origin.release(s.self)
}

function start(s: ConnectionState, exchange: RunningExchange): void {
  s.running = exchange
  exchange.connection = s.self
  s.socket.ref()
  writeRequest(s, exchange)
}

function pause(s: ConnectionState): void {
  if (s.paused || s.gone) return
  s.paused = true
  s.socket.pause()
}

function resume(s: ConnectionState): void {
  if (!s.paused || s.gone) return
  s.paused = false
  s.running!.since = Date.now()
  s.socket.resume()
}

/** Checks timeouts: connecting, waiting for bytes, idle. */
function checkConnection(s: ConnectionState, now: number): void {
  const exchange = s.running
  if (exchange === undefined) {
    if (now >= s.idleUntil) destroyConnection(s)
  } else if (!s.open) {
    if (now - s.openedAt >= s.origin.connectMs) loseConnection(s, new Error(`no connection to ${s.origin.hostname} in time`))
  } else if (s.paused) exchange.since = now
  else if (now - exchange.since >= exchange.timeoutMs) handleSilence(s, exchange, now)
}

/** No byte arrived in time. A large body in transmission is not silence. */
function handleSilence(s: ConnectionState, exchange: RunningExchange, now: number): void {
  const left = s.socket.writableLength + (s.rest?.length ?? 0)
  if (left > 0 && left !== s.unsent) {
    s.unsent = left
    exchange.since = now
    return
  }
  // An incomplete body was never a valid request.
  failConnection(
    s,
    new Error(
      s.answered ? 'the upstream fell silent in its answer' : left > 0 ? 'the upstream did not take the request' : 'the upstream sent no answer in time',
    ),
    left === 0,
  )
}
