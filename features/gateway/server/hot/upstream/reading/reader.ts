import { copyBytes, parseResponseHead, HEX_VALUES } from '../message.ts'
import type { ResponseHead } from '../message.ts'
import {
  STATE_CLOSE,
  STATE_HEAD,
  STATE_IDLE,
  STATE_LENGTH,
  finishResponse,
  NO_HEAD_BYTES,
  STATE_SIZE,
  STATE_DATA,
  STATE_DATA_CR,
  STATE_DATA_LF,
  STATE_EXTENSION,
  STATE_LAST_LF,
  STATE_SIZE_LF,
  STATE_TRAILER,
  STATE_TRAILER_LF,
  STATE_TRAILER_LINE,
} from './state.ts'
import type { ResponseReader } from './state.ts'

/** Chunk extensions and trailers are skipped, within this many bytes of a response. */
const MAX_IGNORED_BYTES = 65_536
const CR = 13,
  LF = 10

/** Reads received bytes of a chunked body; returns a string if they are malformed. */
function readChunkedBody(reader: ResponseReader, data: Buffer, from: number, end: number): string | undefined {
  const out = Buffer.allocUnsafe(end - from)
  let size = 0
  let at = from
  let now = reader.at
  let rest = reader.left
  let { digits } = reader
  let problem: string | undefined
  let done = false
  while (at < end && !done && problem === undefined) {
    if (now === STATE_DATA) {
      const to = Math.min(end, at + rest)
      data.copy(out, size, at, to)
      size += to - at
      rest -= to - at
      at = to
      if (rest === 0) now = STATE_DATA_CR
      continue
    }
    const c = data[at++]!
    switch (now) {
      case STATE_SIZE: {
        const digit = HEX_VALUES[c]!
        if (digit < 16) {
          rest = rest * 16 + digit
          if (++digits > 12) problem = 'chunk too large'
        } else if (digits === 0) problem = 'malformed chunk size'
        else if (c === CR) now = STATE_SIZE_LF
        else if (c === 59 || c === 32 || c === 9) now = STATE_EXTENSION
        else problem = 'malformed chunk size'
        break
      }
      case STATE_EXTENSION:
        if (c === CR) now = STATE_SIZE_LF
        else if (c === LF || ++reader.ignored > MAX_IGNORED_BYTES) problem = 'malformed chunk extension'
        break
      case STATE_SIZE_LF:
        now = rest > 0 ? STATE_DATA : STATE_TRAILER
        if (c !== LF) problem = 'malformed chunk size'
        break
      case STATE_DATA_CR:
        now = STATE_DATA_LF
        if (c !== CR) problem = 'malformed chunk end'
        break
      case STATE_DATA_LF:
        now = STATE_SIZE
        digits = 0
        if (c !== LF) problem = 'malformed chunk end'
        break
      case STATE_TRAILER:
        if (c === CR) now = STATE_LAST_LF
        else if (c === LF || ++reader.ignored > MAX_IGNORED_BYTES) problem = 'malformed trailer'
        else now = STATE_TRAILER_LINE
        break
      case STATE_TRAILER_LINE:
        if (c === CR) now = STATE_TRAILER_LF
        else if (c === LF || ++reader.ignored > MAX_IGNORED_BYTES) problem = 'malformed trailer'
        break
      case STATE_TRAILER_LF:
        now = STATE_TRAILER
        if (c !== LF) problem = 'malformed trailer'
        break
      default:
        done = c === LF
        if (!done) problem = 'malformed trailer'
    }
  }
  reader.at = now
  reader.left = rest
  reader.digits = digits
  if (size > 0) reader.sink.onData(size === out.length ? out : out.subarray(0, size))
  // The sink may have stopped the reader.
  if (reader.at === STATE_IDLE) return undefined
  if (done) finishResponse(reader, at === end)
  return problem
}

const HEAD_BYTES = 65_536
const HEAD_END = Buffer.from('\r\n\r\n')

/** Reads received bytes of a head. Returns the position of the next byte to be read, or an error. */
function readResponseHead(reader: ResponseReader, data: Buffer, from: number, end: number): number | string {
  let at = data.subarray(from, end).indexOf(HEAD_END)
  let text: string
  if (reader.headBytes === 0 && at >= 0) {
    text = data.toString('latin1', from, from + at)
    at += from + 4
  } else {
    const before = reader.headBytes
    appendHead(reader, data, from, end)
    const found = reader.head.subarray(0, reader.headBytes).indexOf(HEAD_END, Math.max(0, before - 3))
    if (found < 0) return reader.seen + reader.headBytes > HEAD_BYTES ? 'head too large' : end
    text = reader.head.toString('latin1', 0, found)
    at = from + found + 4 - before
    reader.headBytes = 0
    reader.head = NO_HEAD_BYTES
  }
  reader.seen += text.length + 4
  if (reader.seen > HEAD_BYTES) return 'head too large'
  const parsed = parseResponseHead(text)
  if (typeof parsed === 'string') return parsed
  if (parsed.status >= 200) begin(reader, parsed, at === end)
  return at
}

function appendHead(reader: ResponseReader, data: Buffer, from: number, end: number): void {
  const bytes = reader.headBytes + end - from
  if (reader.head.length < bytes) {
    const grown = Buffer.allocUnsafe(Math.max(1_024, bytes * 2))
    reader.head.copy(grown, 0, 0, reader.headBytes)
    reader.head = grown
  }
  data.copy(reader.head, reader.headBytes, from, end)
  reader.headBytes = bytes
}

function begin(reader: ResponseReader, answer: ResponseHead, isLast: boolean): void {
  reader.keepAlive = answer.keepAlive
  reader.left = answer.body === 'chunked' ? 0 : answer.length
  reader.digits = 0
  reader.at = answer.body === 'length' ? STATE_LENGTH : answer.body === 'chunked' ? STATE_SIZE : STATE_CLOSE
  reader.sink.onHead(answer)
  // The sink may have stopped the reader.
  if (answer.body === 'none' && reader.at === STATE_CLOSE) finishResponse(reader, isLast)
}

export { createResponseReader } from './state.ts'
export type { ResponseReader } from './state.ts'

/**
 * Reads HTTP/1.1 responses, one after the other. Each read is decoded in bulk: all chunks in it become one buffer and
 * one call. The bytes given to `feed` are only borrowed.
 */

/** Call when a request was sent: a response may follow. */
export function expectResponse(reader: ResponseReader): void {
  reader.at = STATE_HEAD
  reader.headBytes = 0
  reader.seen = 0
  reader.ignored = 0
}

/** Reports nothing more. */
export function ignoreInput(reader: ResponseReader): void {
  reader.at = STATE_IDLE
}

/** Reads `data` up to `end`; a string reports an error, after which the connection is unusable. */
export function feedReader(reader: ResponseReader, data: Buffer, end: number): string | undefined {
  if (reader.at === STATE_IDLE) return 'bytes without a request'
  let from = 0
  while (reader.at === STATE_HEAD) {
    if (from === end) return undefined
    const next = readResponseHead(reader, data, from, end)
    if (typeof next === 'string') return next
    from = next
  }
  const { at } = reader
  if (from === end || at === STATE_IDLE) return undefined
  if (at === STATE_LENGTH) {
    takeBody(reader, data, from, end)
    return undefined
  }
  if (at === STATE_CLOSE) {
    reader.sink.onData(copyBytes(data, from, end))
    return undefined
  }
  return readChunkedBody(reader, data, from, end)
}

function takeBody(reader: ResponseReader, data: Buffer, from: number, end: number): void {
  const to = Math.min(end, from + reader.left)
  reader.left -= to - from
  reader.sink.onData(copyBytes(data, from, to))
  // The sink may have stopped the reader.
  if (reader.left === 0 && reader.at === STATE_LENGTH) finishResponse(reader, to === end)
}

/** Handles the server's end; returns false in the middle of a response. */
export function endReaderInput(reader: ResponseReader): boolean {
  if (reader.at !== STATE_CLOSE) return reader.at === STATE_IDLE
  finishResponse(reader, false)
  return true
}
