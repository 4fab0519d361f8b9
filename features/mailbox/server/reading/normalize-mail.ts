import { normalizeCharset, decodeText, guessCharset, isUtf8 } from './charset.ts'

const WORD = String.raw`=\?([^?\s]{1,60})\?([bq])\?([^?\r\n]*)\?=`
const WORDS = new RegExp(`${WORD}(?:[ \\t\\r\\n]*${WORD})*`, 'gi')
const EACH_WORD = new RegExp(WORD, 'gi')

/**
 * Converts a block of header fields to UTF-8 text and encoded words of UTF-8 with whole characters. Fields keep their order and names.
 * `named`: a charset that other parts of the mail declare, for fields whose bytes allow several.
 */
function normalizeHeaders(block: Buffer, named = ''): Buffer {
  const text = block.toString('latin1')
  if (!/[\x80-\xff]|=\?/.test(text)) return block
  const fields = text.split(/(?<=\n)(?![ \t])/)
  return Buffer.concat(fields.map((field) => normalizeField(field, named)))
}

function normalizeField(field: string, named: string): Buffer {
  const joined = field.replace(WORDS, (run) => encodeWord(decodeRun(run, named)))
  const bytes = Buffer.from(joined, 'latin1')
  if (!/[\x80-\xff]/.test(joined) || isUtf8(bytes)) return bytes
  return Buffer.from(decodeText(bytes, guessCharset(bytes, named)))
}

const encodeWord = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

/** Decodes adjacent encoded words of one charset as one text, because senders cut them inside a character. */
function decodeRun(run: string, named: string): string {
  const pieces: { charset: string; bytes: Buffer[] }[] = []
  for (const [, label = '', encoding = '', content = ''] of run.matchAll(EACH_WORD)) {
    const charset = normalizeCharset(label.split('*')[0]) || named
    const bytes = encoding.toUpperCase() === 'B' ? Buffer.from(content, 'base64') : decodeQ(content)
    const last = pieces.at(-1)
    if (last?.charset === charset) last.bytes.push(bytes)
    else pieces.push({ charset, bytes: [bytes] })
  }
  return pieces
    .map(({ charset, bytes }) => {
      const whole = Buffer.concat(bytes)
      return decodeText(whole, guessCharset(whole, charset))
    })
    .join('')
}

const decodeQ = (content: string): Buffer =>
  Buffer.from(
    content.replaceAll('_', ' ').replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

const MAX_HEADER_BYTES = 256_000
const MAX_DEPTH = 30
const META_BYTES = 4_096
/** Bytes of a body sufficient to detect its charset; a multiple of four characters of base64. */
const BODY_BYTES = 96_000
const LF = 10
const DASH = 45

interface Part {
  readonly head: { readonly from: number; readonly to: number }
  readonly body: { readonly from: number; to: number }
  readonly isText: boolean
}

/**
 * Rewrites a mail so that its headers and texts declare their charset and any parser can read them: senders in China write raw GBK into
 * headers and file names, cut encoded words inside a character, and declare the charset only in the page's `<meta>`, or not at all. Bodies
 * stay unchanged except for seven-bit forms of GB2312. For reading only: DKIM is checked on the original. One pass, no part is parsed
 * twice.
 */
export function normalizeMail(raw: Buffer): Buffer {
  const parts = partsOf(raw)
  const named = parts
    .map(({ head }) => normalizeCharset(parameterOf(fieldOf(raw.toString('latin1', head.from, head.to), 'content-type'), 'charset')))
    .find((one) => one !== '' && one !== 'utf-8')
  const pieces: Buffer[] = []
  let at = 0
  for (const part of parts) {
    pieces.push(raw.subarray(at, part.head.from))
    const { head, body } = normalizePart(raw, part, named)
    pieces.push(head)
    if (body) pieces.push(body)
    at = body ? part.body.to : part.head.to
  }
  pieces.push(raw.subarray(at))
  return Buffer.concat(pieces)
}

/** Heads and bodies of all parts, in their order. */
function partsOf(raw: Buffer): Part[] {
  const parts: Part[] = []
  const boundaries: Buffer[] = []
  let headFrom: number | undefined = 0
  for (let at = 0; at < raw.length;) {
    const found = raw.indexOf(LF, at)
    const to = found < 0 ? raw.length : found + 1
    const level = raw[at] === DASH && raw[at + 1] === DASH ? findBoundary(raw, { from: at, to }, boundaries) : -1
    if (level >= 0) {
      endPart(parts, raw, at)
      const isClosing = isEnd(raw, at + 2 + boundaries[level]!.length)
      boundaries.length = isClosing ? level : level + 1
      headFrom = isClosing ? undefined : to
    } else if (headFrom !== undefined && (isBlank(raw, at, to) || to - headFrom > MAX_HEADER_BYTES)) {
      const head = { from: headFrom, to: at }
      const type = fieldOf(raw.toString('latin1', headFrom, at), 'content-type').toLowerCase()
      const boundary = /^\s*multipart\//.test(type) ? parameterOf(fieldOf(raw.toString('latin1', headFrom, at), 'content-type'), 'boundary') : ''
      if (boundary && boundaries.length < MAX_DEPTH) boundaries.push(Buffer.from(boundary, 'latin1'))
      const isText = !boundary && (/^\s*text\//.test(type) || type.trim() === '')
      parts.push({ head, body: { from: to, to: -1 }, isText })
      headFrom = /^\s*message\/rfc822/.test(type) ? to : undefined
    }
    at = to
  }
  if (headFrom !== undefined && headFrom < raw.length)
    parts.push({ head: { from: headFrom, to: raw.length }, body: { from: raw.length, to: raw.length }, isText: false })
  endPart(parts, raw, raw.length)
  return parts
}

/** The line break before a boundary belongs to the boundary. */
function endPart(parts: readonly Part[], raw: Buffer, at: number): void {
  const last = parts.at(-1)
  if (!last || last.body.to >= 0) return
  last.body.to = Math.max(last.body.from, at < raw.length && raw[at - 1] === LF ? at - (raw[at - 2] === 13 ? 2 : 1) : at)
}

const isBlank = (raw: Buffer, from: number, to: number): boolean => to - from === 1 || (to - from === 2 && raw[from] === 13)
const isEnd = (raw: Buffer, at: number): boolean => raw[at] === DASH && raw[at + 1] === DASH

/** Index of the innermost boundary that a line matches; -1 if none. */
function findBoundary(raw: Buffer, { from, to }: { from: number; to: number }, boundaries: readonly Buffer[]): number {
  for (let level = boundaries.length - 1; level >= 0; level--) {
    const boundary = boundaries[level]!
    const end = from + 2 + boundary.length
    if (end > to || raw.compare(boundary, 0, boundary.length, from + 2, end) !== 0) continue
    if (/^(?:--)?[ \t]*\r?\n?$/.test(raw.toString('latin1', end, Math.min(to, end + 40)))) return level
  }
  return -1
}

function normalizePart(raw: Buffer, { head, body, isText }: Part, named: string | undefined): { head: Buffer; body?: Buffer } {
  const fields = normalizeHeaders(raw.subarray(head.from, head.to), named)
  if (!isText || body.to <= body.from) return { head: fields }
  const text = fields.toString('latin1')
  const type = fieldOf(text, 'content-type') || 'text/plain'
  const encoding = fieldOf(text, 'content-transfer-encoding').trim().toLowerCase()
  const content = raw.subarray(body.from, body.to)
  const clear = decodeTransfer(content.subarray(0, BODY_BYTES), encoding)
  const told = normalizeCharset(parameterOf(type, 'charset'))
  const inPage = /html/i.test(type)
    ? normalizeCharset(/<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{2,20})/i.exec(clear.toString('latin1', 0, META_BYTES))?.[1])
    : ''
  const charset = guessCharset(clear, told || inPage)
  if (charset === 'hz-gb-2312' || charset === 'iso-2022-cn') {
    const utf8 = Buffer.from(decodeText(decodeTransfer(content, encoding), charset))
    const lines = utf8.toString('base64').replace(/.{76}/g, '$&\r\n')
    return {
      head: Buffer.from(setField(setField(text, 'Content-Type', setCharset(type, 'utf-8')), 'Content-Transfer-Encoding', 'base64'), 'latin1'),
      body: Buffer.from(`\r\n${lines}`),
    }
  }
  // Parsers default to UTF-8.
  if (charset === told || (charset === 'utf-8' && !parameterOf(type, 'charset'))) return { head: fields }
  return { head: Buffer.from(setField(text, 'Content-Type', setCharset(type, charset)), 'latin1') }
}

function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(bytes.toString('latin1'), 'base64')
  if (encoding !== 'quoted-printable') return bytes
  const text = bytes.toString('latin1').replace(/=[ \t]*\r?\n/g, '')
  return Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/** The first field with a name, unfolded; '' if there is none. */
function fieldOf(block: string, name: string): string {
  const found = new RegExp(`(?:^|\\n)${name}[ \\t]*:((?:[^\\n]|\\n[ \\t])*)`, 'i').exec(block)
  return (found?.[1] ?? '').replace(/\r?\n[ \t]/g, ' ').trim()
}

/** A parameter of a field's value. */
function parameterOf(value: string, name: string): string {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s"]+))`, 'i').exec(value)
  return found?.[1] ?? found?.[2] ?? ''
}

/** Keeps the other parameters: a file's name, `format=flowed`. */
const setCharset = (type: string, charset: string): string =>
  `${type.replace(/;\s*charset\s*=\s*(?:"[^"]*"|[^;\s]*)/gi, '').replace(/;\s*$/, '')}; charset=${charset}`

function setField(block: string, name: string, value: string): string {
  const others = block
    .split(/(?<=\n)(?![ \t])/)
    .filter((field) => !new RegExp(`^${name}[ \\t]*:`, 'i').test(field))
    .join('')
  return `${others}${others === '' || others.endsWith('\n') ? '' : '\r\n'}${name}: ${value}\r\n`
}
