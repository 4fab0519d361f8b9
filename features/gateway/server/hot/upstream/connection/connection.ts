import { connect, isIP } from 'node:net'
import type { Socket, TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { fail } from './exchange.ts'
import type { ResponseHead } from './message.ts'
import type { Connection, Origin, RunningExchange } from './parts.ts'
import { createReader } from './reader.ts'

/** One for all connections: what is read is copied before anything else can be read (so on POSIX systems; not on Windows). */
const SHARED = Buffer.allocUnsafeSlow(65_536)

/** A kept connection that fails this soon after a request, without a byte, was closed by the server while we wrote. */
const STALE_MS = 1_000
/** Of a request's body, in one turn of the loop. */
const SLICE_BYTES = 1_048_576

/** Opens a connection for a first exchange, or for whichever comes. */
export function openConnection(origin: Origin, first: RunningExchange | undefined): Connection {
  const openedAt = Date.now()
  const reader = createReader({ onHead, onData: (data) => running!.handler.onData(data), onEnd })
  let running = first
  let open = false
  let gone = false
  let paused = false
  // One that was opened ahead may have gone stale like one that was kept.
  let served = first === undefined ? 1 : 0
  let keepMs = 0
  let idleUntil = first === undefined ? openedAt + origin.connectMs : 0
  /** Head or body bytes of the running exchange were seen. */
  let answered = false
  /** Request bytes not yet taken by the system, when last looked at. */
  let unsent = 0
  /** What of a large body was not yet written: a slice a turn of the loop, or the copy of all of it into the system would hold everybody up. */
  let rest: Buffer | undefined
  let sentAt = 0

  const self: Connection = { usable: () => !gone && Date.now() < idleUntil, start, pause, resume, destroy, close, look }
  if (first !== undefined) first.connection = self
  const socket = dial(origin, read)
  socket.once(origin.isTls ? 'secureConnect' : 'connect', opened)
  socket.on('session', (session: Buffer) => origin.remember(session))
  socket.on('error', lost)
  socket.on('end', ended)
  socket.on('close', () => lost(new Error('the connection was closed')))
  return self

  function start(exchange: RunningExchange): void {
    running = exchange
    exchange.connection = self
    socket.ref()
    write(exchange)
  }

  function pause(): void {
    if (paused || gone) return
    paused = true
    socket.pause()
  }

  function resume(): void {
    if (!paused || gone) return
    paused = false
    running!.since = Date.now()
    socket.resume()
  }

  /** Ends it without a word to the exchange. */
  function destroy(): void {
    running = undefined
    lost(undefined)
  }

  function close(): void {
    const exchange = running
    destroy()
    if (exchange !== undefined) fail(exchange, new Error('the client was closed'))
  }

  /** Looks at the clock: connecting, waiting for bytes, idle. */
  function look(now: number): void {
    const exchange = running
    if (exchange === undefined) {
      if (now >= idleUntil) destroy()
    } else if (!open) {
      if (now - openedAt >= origin.connectMs) lost(new Error(`no connection to ${origin.hostname} in time`))
    } else if (paused) exchange.since = now
    else if (now - exchange.since >= exchange.timeoutMs) {
      const left = socket.writableLength + (rest?.length ?? 0)
      if (left > 0 && left !== unsent) {
        // A large body on its way is no silence.
        unsent = left
        exchange.since = now
        return
      }
      destroy()
      fail(exchange, new Error(answered ? 'the upstream fell silent in its answer' : 'the upstream sent no answer in time'), true)
    }
  }

  function onHead(head: ResponseHead): void {
    const hint = head.keepAliveSeconds
    keepMs = !head.keepAlive ? 0 : hint === undefined ? origin.idleMs : Math.min(origin.idleMs, hint * 1_000 - 1_000)
    running!.bytes = []
    running!.timeoutMs = running!.betweenMs
    running!.handler.onHead(head.status, head.headers)
  }

  function onEnd(reusable: boolean): void {
    const exchange = running!
    running = undefined
    exchange.connection = undefined
    exchange.over = true
    served++
    // An answer before the request's end: the rest of it would be taken for the next one.
    if (!reusable || keepMs <= 0 || socket.writableLength > 0 || rest !== undefined) lost(undefined)
    else {
      if (paused) {
        paused = false
        socket.resume()
      }
      idleUntil = Date.now() + keepMs
      socket.unref()
      origin.release(self)
    }
    exchange.handler.onEnd()
  }

  function opened(): void {
    open = true
    if (running !== undefined) {
      write(running)
      return
    }
    idleUntil = Date.now() + origin.idleMs
    socket.unref()
    origin.release(self)
  }

  function write(exchange: RunningExchange): void {
    const [first, second] = exchange.bytes
    exchange.written = true
    answered = false
    unsent = 0
    sentAt = Date.now()
    exchange.since = sentAt
    reader.expect()
    rest = second
    if (second !== undefined) socket.cork()
    socket.write(first!)
    if (second === undefined) return
    writeSlice()
    socket.uncork()
  }

  function writeSlice(): void {
    if (gone || rest === undefined) return
    const slice = rest
    rest = slice.length > SLICE_BYTES ? slice.subarray(SLICE_BYTES) : undefined
    if (rest === undefined) socket.write(slice)
    else socket.write(slice.subarray(0, SLICE_BYTES), () => setImmediate(writeSlice))
  }

  function read(buffer: Buffer, bytes: number): boolean {
    if (gone) return false
    const exchange = running
    answered = true
    let problem: string | undefined
    try {
      problem = reader.feed(buffer, bytes)
    } catch (error) {
      // A fault of the handler's ends its own call, and no other.
      if (exchange === undefined || exchange.over) throw error
      destroy()
      fail(exchange, error instanceof Error ? error : new Error(String(error)))
      return false
    }
    // A head must be whole in time, however it trickles.
    if (exchange !== undefined && exchange.bytes.length === 0) exchange.since = Date.now()
    if (problem !== undefined) lost(new Error(`not HTTP: ${problem}`))
    return !paused && !gone
  }

  function ended(): void {
    if (gone) return
    if (running === undefined || !reader.eof()) lost(new Error('the upstream closed the connection'))
  }

  /** The connection is over; what runs on it fails, or is sent once more where only the connection was stale. */
  function lost(error: Error | undefined): void {
    if (gone) return
    gone = true
    rest = undefined
    const exchange = running
    running = undefined
    reader.stop()
    socket.destroy()
    origin.lost(self)
    if (exchange === undefined || exchange.over) return
    exchange.connection = undefined
    const isStale = served > 0 && !answered && !exchange.retried && Date.now() - sentAt < STALE_MS
    if (isStale) {
      exchange.retried = true
      origin.place(exchange)
    } else fail(exchange, error ?? new Error('the connection was closed'))
  }
}

function dial(origin: Origin, read: (buffer: Buffer, bytes: number) => boolean): Socket {
  const buffer = process.platform === 'win32' ? Buffer.allocUnsafeSlow(SHARED.length) : SHARED
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
