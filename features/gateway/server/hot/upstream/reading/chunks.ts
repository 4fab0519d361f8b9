import { HEX } from '../message.ts'
import { DATA, DATA_CR, DATA_LF, EXTENSION, IDLE, LAST_LF, SIZE, SIZE_LF, TRAILER, TRAILER_LF, TRAILER_LINE, finish } from './state.ts'
import type { Reader } from './state.ts'

/** Chunk extensions and trailers are read over, within this many bytes of a response. */
const IGNORED_BYTES = 65_536
const CR = 13,
  LF = 10

/** Reads what came of a chunked body; a string says what is wrong. */
export function readChunks(reader: Reader, data: Buffer, from: number, end: number): string | undefined {
  const out = Buffer.allocUnsafe(end - from)
  let size = 0
  let at = from
  let now = reader.at
  let rest = reader.left
  let { digits } = reader
  let problem: string | undefined
  let done = false
  while (at < end && !done && problem === undefined) {
    if (now === DATA) {
      const to = Math.min(end, at + rest)
      data.copy(out, size, at, to)
      size += to - at
      rest -= to - at
      at = to
      if (rest === 0) now = DATA_CR
      continue
    }
    const c = data[at++]!
    switch (now) {
      case SIZE: {
        const digit = HEX[c]!
        if (digit < 16) {
          rest = rest * 16 + digit
          if (++digits > 12) problem = 'chunk too large'
        } else if (digits === 0) problem = 'malformed chunk size'
        else if (c === CR) now = SIZE_LF
        else if (c === 59 || c === 32 || c === 9) now = EXTENSION
        else problem = 'malformed chunk size'
        break
      }
      case EXTENSION:
        if (c === CR) now = SIZE_LF
        else if (c === LF || ++reader.ignored > IGNORED_BYTES) problem = 'malformed chunk extension'
        break
      case SIZE_LF:
        now = rest > 0 ? DATA : TRAILER
        if (c !== LF) problem = 'malformed chunk size'
        break
      case DATA_CR:
        now = DATA_LF
        if (c !== CR) problem = 'malformed chunk end'
        break
      case DATA_LF:
        now = SIZE
        digits = 0
        if (c !== LF) problem = 'malformed chunk end'
        break
      case TRAILER:
        if (c === CR) now = LAST_LF
        else if (c === LF || ++reader.ignored > IGNORED_BYTES) problem = 'malformed trailer'
        else now = TRAILER_LINE
        break
      case TRAILER_LINE:
        if (c === CR) now = TRAILER_LF
        else if (c === LF || ++reader.ignored > IGNORED_BYTES) problem = 'malformed trailer'
        break
      case TRAILER_LF:
        now = TRAILER
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
  if (reader.at === IDLE) return undefined
  if (done) finish(reader, at === end)
  return problem
}
