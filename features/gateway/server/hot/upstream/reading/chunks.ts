import { HEX_VALUES } from '../message.ts'
import {
  STATE_DATA,
  STATE_DATA_CR,
  STATE_DATA_LF,
  STATE_EXTENSION,
  STATE_IDLE,
  STATE_LAST_LF,
  STATE_SIZE,
  STATE_SIZE_LF,
  STATE_TRAILER,
  STATE_TRAILER_LF,
  STATE_TRAILER_LINE,
  finishResponse,
} from './state.ts'
import type { ResponseReader } from './state.ts'

/** Chunk extensions and trailers are read over, within this many bytes of a response. */
const MAX_IGNORED_BYTES = 65_536
const CR = 13,
  LF = 10

/** Reads what came of a chunked body; a string says what is wrong. */
export function readChunkedBody(reader: ResponseReader, data: Buffer, from: number, end: number): string | undefined {
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
  // The sink may have stopped us.
  if (reader.at === STATE_IDLE) return undefined
  if (done) finishResponse(reader, at === end)
  return problem
}
