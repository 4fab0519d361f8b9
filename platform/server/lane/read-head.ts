import { memoizeBySpelling } from '#platform/shared/memoize-by-spelling.ts'

/** The head of a request in HTTP/1.1's common form (RFC 9112); every other form is left to node:http. */
export interface RequestHead {
  readonly method: 'GET' | 'POST'
  /** Path and query as received. */
  readonly url: string
  /** Name, value, ... as received. */
  readonly rawHeaders: string[]
  /** Length of the body; 0 if none is declared. */
  readonly contentLength: number
  /** Length of the head, including the empty line after it. */
  readonly bytes: number
}

const HEAD_BYTES = 16_384
const REQUEST_LINE = /^(GET|POST) (\/[!-~]*) HTTP\/1\.1$/
/** Control characters, and a CR or LF that does not end a line. */
const INVALID_BYTES = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const DIGITS = /^\d{1,15}$/
const SPACE = 32,
  TAB = 9

const PLAIN = 0,
  HOST = 1,
  LENGTH = 2,
  CONNECTION = 3,
  UNCOMMON = 4

const HEADER_KINDS: Readonly<Record<string, number>> = {
  'host': HOST,
  'content-length': LENGTH,
  'connection': CONNECTION,
  'transfer-encoding': UNCOMMON,
  'upgrade': UNCOMMON,
  'expect': UNCOMMON,
  'trailer': UNCOMMON,
  'http2-settings': UNCOMMON,
}

/** Classifies a header by its name. */
const classifyHeader = memoizeBySpelling((name) => {
  const lower = name.toLowerCase()
  return Object.hasOwn(HEADER_KINDS, lower) ? HEADER_KINDS[lower]! : TOKEN.test(name) ? PLAIN : UNCOMMON
})

/**
 * Reads the head at the beginning of `data`. Returns undefined if it is incomplete, too large, or not plain: another method or version, a body
 * without a length, an upgrade, `connection: close`, a folded line, a repeated or missing host.
 */
export function readRequestHead(data: Buffer): RequestHead | undefined {
  const end = data.indexOf('\r\n\r\n', 0, 'latin1')
  if (end < 0 || end > HEAD_BYTES) return undefined
  const text = data.toString('latin1', 0, end)
  if (INVALID_BYTES.test(text)) return undefined
  let lineEnd = findLineEnd(text, 0)
  const line = REQUEST_LINE.exec(text.slice(0, lineEnd))
  if (line === null) return undefined
  const rawHeaders: string[] = []
  let contentLength = -1
  let hosts = 0
  while (lineEnd < text.length) {
    const from = lineEnd + 2
    lineEnd = findLineEnd(text, from)
    const colon = text.indexOf(':', from)
    if (colon < 0 || colon >= lineEnd) return undefined
    const name = text.slice(from, colon)
    const value = trimSpaces(text, colon + 1, lineEnd)
    switch (classifyHeader(name)) {
      case PLAIN:
        break
      case HOST:
        hosts++
        break
      case LENGTH:
        if (contentLength >= 0 || !DIGITS.test(value)) return undefined
        contentLength = Number(value)
        break
      case CONNECTION:
        if (value !== 'keep-alive' && value.toLowerCase() !== 'keep-alive') return undefined
        break
      default:
        return undefined
    }
    rawHeaders.push(name, value)
  }
  if (hosts !== 1) return undefined
  return { method: line[1] as 'GET' | 'POST', url: line[2]!, rawHeaders, contentLength: Math.max(0, contentLength), bytes: end + 4 }
}

function findLineEnd(text: string, from: number): number {
  const at = text.indexOf('\r\n', from)
  return at < 0 ? text.length : at
}

/** Trims spaces and tabs only: a no-break space belongs to the value. */
function trimSpaces(text: string, start: number, end: number): string {
  let from = start
  let to = end
  while (from < to && isSpace(text.charCodeAt(from))) from++
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB
}
