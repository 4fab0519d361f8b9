import type { Connection, Origin, RunningExchange } from '../parts.ts'
import { newReader } from '../reading/reader.ts'
import { dial } from './dial.ts'
import { destroy, destroyWith, lose } from './lose.ts'
import { onEnd, onEof, onHead, read } from './read.ts'
import type { State } from './state.ts'
import { write } from './write.ts'

/** Opens a connection for a first exchange, or for whichever comes. */
export function openConnection(origin: Origin, first: RunningExchange | undefined): Connection {
  const openedAt = Date.now()
  const s: State = {
    origin,
    self: {
      usable: () => !s.gone && Date.now() < s.idleUntil,
      start: (exchange) => start(s, exchange),
      pause: () => pause(s),
      resume: () => resume(s),
      destroy: () => destroy(s),
      close: () => destroyWith(s, new Error('the client was closed')),
      look: (now) => look(s, now),
    },
    socket: dial(origin, (buffer, bytes) => read(s, buffer, bytes)),
    reader: newReader({ onHead: (head) => onHead(s, head), onData: (data) => s.running!.handler.onData(data), onEnd: (reusable) => onEnd(s, reusable) }),
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
  s.socket.on('error', (error) => lose(s, error))
  s.socket.on('end', () => onEof(s))
  s.socket.on('close', () => lose(s, new Error('the connection was closed')))
  return s.self
}

function onOpen(s: State): void {
  s.open = true
  if (s.running !== undefined) {
    write(s, s.running)
    return
  }
  s.idleUntil = Date.now() + s.origin.idleMs
  s.socket.unref()
  s.origin.release(s.self)
}

function start(s: State, exchange: RunningExchange): void {
  s.running = exchange
  exchange.connection = s.self
  s.socket.ref()
  write(s, exchange)
}

function pause(s: State): void {
  if (s.paused || s.gone) return
  s.paused = true
  s.socket.pause()
}

function resume(s: State): void {
  if (!s.paused || s.gone) return
  s.paused = false
  s.running!.since = Date.now()
  s.socket.resume()
}

/** Looks at the clock: connecting, waiting for bytes, idle. */
function look(s: State, now: number): void {
  const exchange = s.running
  if (exchange === undefined) {
    if (now >= s.idleUntil) destroy(s)
  } else if (!s.open) {
    if (now - s.openedAt >= s.origin.connectMs) lose(s, new Error(`no connection to ${s.origin.hostname} in time`))
  } else if (s.paused) exchange.since = now
  else if (now - exchange.since >= exchange.timeoutMs) silent(s, exchange, now)
}

/** No byte came in time. A large body on its way is no silence. */
function silent(s: State, exchange: RunningExchange, now: number): void {
  const left = s.socket.writableLength + (s.rest?.length ?? 0)
  if (left > 0 && left !== s.unsent) {
    s.unsent = left
    exchange.since = now
    return
  }
  // A body that did not arrive whole was never an order.
  destroyWith(
    s,
    new Error(
      s.answered ? 'the upstream fell silent in its answer' : left > 0 ? 'the upstream did not take the request' : 'the upstream sent no answer in time',
    ),
    left === 0,
  )
}
