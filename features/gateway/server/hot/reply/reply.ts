import type { GatewayCall } from '../call.ts'
import { formatRefusal } from '../errors.ts'
import type { RequestRefusal } from '../errors.ts'
import type { Gauge, KeyMinuteUsage } from '../deps.ts'

/**
 * Writes the key's limits of the current minute as headers of the caller's SDK: OpenAI's `x-ratelimit-*` (reset as a duration),
 * Anthropic's `anthropic-ratelimit-*` (reset as a time). Gemini has none. Reset is when all use has expired.
 */
function writeLimitHeaders(call: GatewayCall, standing: KeyMinuteUsage, into: string[]): void {
  if (call.surface === 'gemini') return
  const write = call.surface === 'anthropic' ? writeAnthropicGauge : writeOpenaiGauge
  if (standing.requests !== undefined) write('requests', standing.requests, into)
  if (standing.tokens !== undefined) write('tokens', standing.tokens, into)
}

function writeOpenaiGauge(what: string, gauge: Gauge, into: string[]): void {
  into.push(`x-ratelimit-limit-${what}`, String(gauge.limit), `x-ratelimit-remaining-${what}`, String(gauge.left))
  into.push(`x-ratelimit-reset-${what}`, formatResetDuration(gauge.resetMs))
}

function writeAnthropicGauge(what: string, gauge: Gauge, into: string[]): void {
  const name = `anthropic-ratelimit-${what}`
  into.push(`${name}-limit`, String(gauge.limit), `${name}-remaining`, String(gauge.left))
  into.push(`${name}-reset`, new Date(Date.now() + gauge.resetMs).toISOString().replace(/\.\d+Z$/, 'Z'))
}

/** Formats a duration like OpenAI: `17ms`, `1.5s`, `1m0s`. */
export function formatResetDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))}ms`
  if (ms < 60_000) return `${Math.ceil(ms / 10) / 100}s`
  return `${Math.floor(ms / 60_000)}m${Math.floor((ms % 60_000) / 1_000)}s`
}

/** Ids for the client and for support: the surface's own header, and ours everywhere (wire.md 3). */
export function writeIdHeaders(call: GatewayCall, into: string[]): void {
  into.push(call.surface === 'anthropic' ? 'request-id' : 'x-request-id', call.requestId, call.deps.brand.header, call.requestId)
  into.push('x-content-type-options', 'nosniff')
  if (call.upstreamRequestId !== '') into.push('x-upstream-request-id', call.upstreamRequestId)
  if (call.outputCap > 0) into.push('x-mingxi-output-cap', String(call.outputCap))
  if (call.translation !== undefined && call.translation.dropped.length > 0) into.push('x-mingxi-dropped', call.translation.dropped.join(', '))
  if (call.standing !== undefined) writeLimitHeaders(call, call.standing, into)
  if (call.model?.notice !== undefined) into.push(...call.model.notice)
  if (call.head.hasOrigin) into.push('access-control-allow-origin', '*', 'access-control-expose-headers', '*')
}

const MAX_SINGLE_WRITE_BYTES = 65_536

/** Time for a client to read our refusal while it is still sending a body that is not read. */
export const LINGER_MS = 2_000

/** Answers with an error in the caller's shape. Safe at any moment before the first byte. */
export function sendCallRefusal(call: GatewayCall, refused: RequestRefusal, retryAfter?: string): void {
  const { status, body, retry } = formatRefusal(call.surface, refused, call.requestId)
  call.status = status
  if (call.apiKey !== undefined && call.money === 'none') reportRefusal(call, refused)
  const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', String(Buffer.byteLength(body))]
  if (!retry) headers.push('x-should-retry', 'false')
  if (retryAfter !== undefined) headers.push('retry-after', retryAfter)
  if (status === 405) headers.push('allow', call.located.target.verb ?? 'GET, POST')
  if (status === 426) headers.push('upgrade', 'HTTP/1.1')
  writeIdHeaders(call, headers)
  sendWholeAnswer(call, status, headers, body)
}

/**
 * Reports the refusal to the key's owner. Free calls, of which clients make dozens a second, and failures of the vendor are not reported.
 */
function reportRefusal(call: GatewayCall, refused: RequestRefusal): void {
  const { target, path } = call.located
  const { deps, apiKey } = call
  if (deps.noteRefused === undefined || call.sent || call.gone || target.kind !== 'generate' || target.free || refused.cause.startsWith('upstream_')) return
  deps.noteRefused({
    accountId: apiKey!.accountId,
    keyId: apiKey!.keyId,
    requestId: call.requestId,
    at: call.startedAt,
    totalMs: Date.now() - call.startedAt,
    cause: refused.cause,
    status: call.status,
    surface: call.surface,
    path,
    model: call.model?.id ?? '',
    asked: call.model?.answersFor ?? call.facts?.model ?? target.model,
    message: refused.message,
    field: refused.field,
  })
}

/** Sends a whole answer. A request body still arriving is discarded for a moment, then cut. */
export function sendWholeAnswer(call: GatewayCall, status: number, headers: string[], body: string | Buffer): void {
  const { res, req } = call
  if (call.sent || call.gone || res.headersSent || res.destroyed) return
  call.sent = true
  call.phase = 'closing'
  if (call.head.hasBody && !req.complete) {
    setTimeout(() => {
      if (!req.complete) req.socket?.destroy()
    }, LINGER_MS).unref()
    req.resume()
  }
  res.writeHead(status, headers)
  // A string is joined with the headers in one write, and latin1 keeps every byte. A Buffer would be a second write.
  if (typeof body === 'string' || body.length > MAX_SINGLE_WRITE_BYTES) res.end(body)
  else res.end(body.toString('latin1'), 'latin1')
}

/** Answers 200 with an object built here. */
export function sendJson(call: GatewayCall, value: object): void {
  const body = JSON.stringify(value)
  const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', String(Buffer.byteLength(body))]
  writeIdHeaders(call, headers)
  call.status = 200
  sendWholeAnswer(call, 200, headers, body)
}

/** Above this, copying costs more than a write in pieces. */
const COPIED_BYTES = 16_384
const CRLF = Buffer.from('\r\n')

/**
 * Begins a streamed response and writes its first chunk. node:http keeps chunks until the end of the turn and writes each in pieces; here a
 * chunk is framed once and given to the socket. If the response waits behind another one (no socket yet) or is not chunked (HTTP/1.0),
 * node:http writes it: the two ways are never mixed within a response.
 */
export function beginChunks(call: GatewayCall, headers: string[], first: Buffer): boolean {
  const { res } = call
  call.sent = true
  res.writeHead(call.status, headers)
  const { socket } = res
  if (socket === null || !res.chunkedEncoding) return res.write(first)
  call.socket = socket
  socket.cork()
  res.flushHeaders()
  const goOn = writeChunk(call, first)
  socket.uncork()
  return goOn
}

/** Writes one more chunk; returns false if the caller should wait for the client. */
export function writeChunk(call: GatewayCall, data: Buffer): boolean {
  const { socket } = call
  if (socket === undefined) return call.res.write(data)
  if (socket.destroyed || data.length === 0) return true
  const size = data.length.toString(16)
  if (data.length > COPIED_BYTES) {
    socket.cork()
    socket.write(`${size}\r\n`, 'latin1')
    socket.write(data)
    const goOn = socket.write(CRLF)
    socket.uncork()
    return goOn
  }
  const frame = Buffer.allocUnsafe(size.length + 4 + data.length)
  let at = frame.write(size, 0, 'latin1')
  frame[at++] = 13
  frame[at++] = 10
  at += data.copy(frame, at)
  frame[at++] = 13
  frame[at] = 10
  return socket.write(frame)
}
