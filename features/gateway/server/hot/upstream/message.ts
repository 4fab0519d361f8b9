import { memoizeBySpelling } from '#platform/shared/memoize-by-spelling.ts'
import type { UpstreamHeaders, UpstreamRequest } from '../deps.ts'

/** Head of a response, as far as this client needs it. */
export interface ResponseHead {
  readonly status: number
  readonly headers: UpstreamHeaders
  /** End of the body: none, after a length, chunked, or at close. */
  readonly body: 'none' | 'length' | 'chunked' | 'close'
  readonly length: number
  /** The connection may serve another request after this one. */
  readonly keepAlive: boolean
  /** Seconds for which the server keeps an idle connection, if it reports them. */
  readonly keepAliveSeconds: number | undefined
}

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUES = /^[\t\x20-\x7e\x80-\xff]*$/
const TARGET = /^[\x21-\x7e\x80-\xff]+$/
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [^\0\r\n]*)?$/
/** Characters that no head may contain: NUL, and CR or LF outside a line end. */
const UNFIT_CHARACTERS = /\0|\r(?!\n)|(?<!\r)\n/
const DIGITS = /^\d{1,15}$/

/** Returns a header's name in lower case; undefined if it is invalid. */
const lowerName = memoizeBySpelling((name) => (NAME.test(name) ? name.toLowerCase() : undefined))

/** Up to this size, head and body are copied into one buffer: one write, and one packet for most requests. */
const COPIED_BYTES = 65_536

/** Serializes the request, in one piece or two. Throws if it cannot be put into HTTP, so that nothing is smuggled into a head. */
export function serializeRequest(request: UpstreamRequest, host: string): readonly Buffer[] {
  const { path, headers, body } = request
  if (!TARGET.test(path)) throw new TypeError('a request path holds characters that HTTP does not allow')
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`
  let values = ''
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    const value = headers[i + 1]!
    if (lowerName(name) === undefined) throw new TypeError('a request header holds characters that HTTP does not allow')
    values += value
    head += `${name}: ${value}\r\n`
  }
  if (!VALUES.test(values)) throw new TypeError('a request header holds characters that HTTP does not allow')
  head += `content-length: ${body.length}\r\n\r\n`
  if (body.length > COPIED_BYTES) return [Buffer.from(head, 'latin1'), body]
  const all = Buffer.allocUnsafe(head.length + body.length)
  all.write(head, 0, 'latin1')
  body.copy(all, head.length)
  return [all]
}

/** Parses a head without its blank line; returns a string if it is malformed. Folded lines and bare line ends are refused. */
export function parseResponseHead(text: string): ResponseHead | string {
  let end = text.indexOf('\r\n')
  const line = STATUS_LINE.exec(end < 0 ? text : text.slice(0, end))
  if (line === null) return 'malformed status line'
  if (UNFIT_CHARACTERS.test(text)) return 'malformed header field'
  const headers = { __proto__: null } as unknown as Record<string, string | string[]>
  while (end >= 0) {
    const from = end + 2
    end = text.indexOf('\r\n', from)
    const colon = text.indexOf(':', from)
    const name = colon < 0 || (end >= 0 && colon > end) ? undefined : lowerName(text.slice(from, colon))
    if (name === undefined) return 'malformed header field'
    const value = text.slice(colon + 1, end < 0 ? text.length : end).trim()
    const known = headers[name]
    if (known === undefined) headers[name] = value
    else if (typeof known === 'string') headers[name] = [known, value]
    else known.push(value)
  }
  return framed(Number(line[2]), line[1] === '1', headers)
}

function framed(status: number, isModern: boolean, headers: UpstreamHeaders): ResponseHead | string {
  const encoding = headers['transfer-encoding']
  const lengths = headers['content-length']
  const keepAlive = keepsAlive(headers['connection'], isModern)
  const keepAliveSeconds = secondsOf(headers['keep-alive'])
  if (status === 101) return 'switched protocols unasked'
  if (status < 200 || status === 204 || status === 304) return { status, headers, body: 'none', length: 0, keepAlive, keepAliveSeconds }
  if (encoding !== undefined) {
    // Two ways to find the end are ambiguous.
    if (lengths !== undefined) return 'both a length and a transfer encoding'
    if (typeof encoding !== 'string' || encoding.toLowerCase() !== 'chunked') return 'unknown transfer encoding'
    return { status, headers, body: 'chunked', length: 0, keepAlive: keepAlive && isModern, keepAliveSeconds }
  }
  if (lengths === undefined) return { status, headers, body: 'close', length: 0, keepAlive: false, keepAliveSeconds }
  const length = typeof lengths === 'string' ? lengths : lengths[0]!
  if (!DIGITS.test(length) || (typeof lengths !== 'string' && lengths.some((one) => one !== length))) return 'malformed content length'
  return { status, headers, body: Number(length) === 0 ? 'none' : 'length', length: Number(length), keepAlive, keepAliveSeconds }
}

function keepsAlive(connection: HeaderValue, isModern: boolean): boolean {
  if (connection === undefined || connection === 'keep-alive') return isModern || connection !== undefined
  const list = listOf(connection)
  return isModern ? !/(?:^|,)\s*close\s*(?:,|$)/i.test(list) : /(?:^|,)\s*keep-alive\s*(?:,|$)/i.test(list)
}

function secondsOf(keepAlive: HeaderValue): number | undefined {
  const hint = keepAlive === undefined ? null : /(?:^|[,\s])timeout=(\d{1,6})/i.exec(listOf(keepAlive))
  return hint === null ? undefined : Number(hint[1])
}

type HeaderValue = string | readonly string[] | undefined

function listOf(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join(',')
}

/** Value of a hex digit by its character, 255 for any other. */
export const HEX_VALUES = new Uint8Array(256).fill(255)
for (let i = 0; i < 16; i++) {
  HEX_VALUES[i.toString(16).charCodeAt(0)] = i
  HEX_VALUES[i.toString(16).toUpperCase().charCodeAt(0)] = i
}

/** A copy of borrowed bytes. */
export function copyBytes(data: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.allocUnsafe(to - from)
  data.copy(copy, 0, from, to)
  return copy
}
