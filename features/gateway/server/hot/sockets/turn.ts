import type { IncomingMessage } from 'node:http'
import { Readable, Writable } from 'node:stream'
import type { ClientResponse, HandleRequest } from '../client.ts'
import { findEventEnd, findJsonStart } from '../dialects/sse.ts'
import { createEventSplitter } from '../dialects/splitter.ts'

/** Receiver of one turn. `event` gets each event's JSON, without a copy; nothing follows `end`. */
export interface TurnSink {
  event(json: Buffer, taken: () => void): void
  /** The relay or the vendor refused: status, body and `retry-after`. */
  refused(status: number, body: Buffer, retryAfter: string | undefined): void
  end(): void
}

/** A running turn; `leave` has the effect of a closed connection on an HTTP call. */
export interface RunningTurn {
  leave(): void
}

/** Handshake headers that are irrelevant to a turn. */
const HANDSHAKE = /^(?:upgrade|connection|sec-websocket-.*|content-length|content-type|transfer-encoding|accept|authorization|expect)$/i

/**
 * One turn of a socket as an ordinary streamed call of our own relay: request and response are plain streams with the parts of node:http's
 * that the relay uses. So a turn is authenticated, limited, held, routed, translated and settled by the same code as a POST.
 */
export function startTurn(handle: HandleRequest, handshake: IncomingMessage, secret: string, path: string, body: Buffer, sink: TurnSink): RunningTurn {
  const rawHeaders = ['authorization', `Bearer ${secret}`, 'content-type', 'application/json', 'content-length', String(body.length)]
  for (let i = 0; i + 1 < handshake.rawHeaders.length; i += 2)
    if (!HANDSHAKE.test(handshake.rawHeaders[i]!)) rawHeaders.push(handshake.rawHeaders[i]!, handshake.rawHeaders[i + 1]!)
  const req = Object.assign(Readable.from([body], { objectMode: false }), {
    method: 'POST',
    url: path,
    rawHeaders,
    headers: handshake.headers,
    complete: true,
    socket: handshake.socket,
  })
  const res = createTurnResponse(sink)
  handle(req, res)
  return { leave: () => res.destroy() }
}

function createTurnResponse(sink: TurnSink): ClientResponse {
  const splitter = createEventSplitter()
  let status = 0
  let retryAfter: string | undefined
  let isStream = false
  const whole: Buffer[] = []
  const relayEvents = (events: Buffer, taken: () => void): void => {
    const jsons: Buffer[] = []
    for (let from = 0; from < events.length;) {
      const end = findEventEnd(events, from)
      const start = findJsonStart(events.subarray(from, end))
      // Comments keep HTTP connections alive; a socket has pings.
      if (start >= 0) jsons.push(trimEnd(events.subarray(from + start, end)))
      from = end
    }
    if (jsons.length === 0) return taken()
    jsons.forEach((json, at) => sink.event(json, at === jsons.length - 1 ? taken : () => undefined))
  }
  const res = new Writable({
    highWaterMark: 65_536,
    write(chunk: Buffer, _encoding, done) {
      if (!isStream) {
        whole.push(chunk)
        done()
        return
      }
      const events = splitter.feed(chunk)
      if (events === undefined) done()
      else relayEvents(events, done)
    },
    final(done) {
      const rest = splitter.rest()
      if (rest !== undefined) relayEvents(rest, () => undefined)
      if (!isStream) sink.refused(status, Buffer.concat(whole), retryAfter)
      done()
    },
  })
  res.on('error', () => undefined)
  res.on('close', () => sink.end())
  return Object.assign(res, {
    headersSent: false,
    socket: null,
    chunkedEncoding: false,
    flushHeaders: () => undefined,
    writeHead(this: { headersSent: boolean }, code: number, headers: readonly string[]) {
      this.headersSent = true
      status = code
      for (let i = 0; i + 1 < headers.length; i += 2) {
        const name = headers[i]!.toLowerCase()
        if (name === 'retry-after') retryAfter = headers[i + 1]
        if (name === 'content-type') isStream = headers[i + 1]!.startsWith('text/event-stream')
      }
    },
  })
}

function trimEnd(json: Buffer): Buffer {
  let end = json.length
  while (end > 0 && (json[end - 1] === 10 || json[end - 1] === 13 || json[end - 1] === 32)) end--
  return json.subarray(0, end)
}
