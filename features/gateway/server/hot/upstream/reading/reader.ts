import { HEX, copyOf, parseHead } from './message.ts'
import type { ResponseHead } from './message.ts'

export interface ReaderSink {
  /** The final head; interim ones (1xx) are skipped. */
  onHead(head: ResponseHead): void
  /** Bytes of the body: one call for each read, a copy that is the sink's to keep. */
  onData(data: Buffer): void
  /** reusable: the connection is at a boundary and may serve the next request. */
  onEnd(reusable: boolean): void
}

const HEAD_BYTES = 65_536
/** Chunk extensions and trailers are read over, within this many bytes of a response. */
const IGNORED_BYTES = 65_536
const HEAD_END = Buffer.from('\r\n\r\n')
const NOTHING = Buffer.alloc(0)
const CR = 13,
  LF = 10

const IDLE = 0,
  HEAD = 1,
  LENGTH = 2,
  CLOSE = 3,
  SIZE = 4,
  EXTENSION = 5,
  SIZE_LF = 6,
  DATA = 7,
  DATA_CR = 8,
  DATA_LF = 9,
  TRAILER = 10,
  TRAILER_LINE = 11,
  TRAILER_LF = 12,
  LAST_LF = 13

export interface ResponseReader {
  /** A request was sent: a response may come. */
  expect(): void
  /** Nothing more is reported. */
  stop(): void
  /** Takes `data` up to `end`; a string says what is wrong, and the connection is of no more use. */
  feed(data: Buffer, end: number): string | undefined
  /** The server closed its side; false: in the middle of a response. */
  eof(): boolean
}

/**
 * Reads HTTP/1.1 responses, one after the other. Each read is decoded in bulk: all chunks in it become one buffer and
 * one call. The bytes given to `feed` are only borrowed.
 */
export function createReader(sink: ReaderSink): ResponseReader {
  let state = IDLE
  /** Head bytes of earlier reads. */
  let head: Buffer = NOTHING
  let headBytes = 0
  /** Head bytes of this response, interim heads included. */
  let seen = 0
  let ignored = 0
  let left = 0
  let digits = 0
  let keepAlive = false

  function expect(): void {
    state = HEAD
    headBytes = 0
    seen = 0
    ignored = 0
  }

  function stop(): void {
    state = IDLE
  }

  function feed(data: Buffer, end: number): string | undefined {
    if (state === IDLE) return 'bytes without a request'
    let at = 0
    while (state === HEAD) {
      if (at === end) return undefined
      const next = readHead(data, at, end)
      if (typeof next === 'string') return next
      at = next
    }
    if (at === end || state === IDLE) return undefined
    if (state === LENGTH) {
      const to = Math.min(end, at + left)
      left -= to - at
      sink.onData(copyOf(data, at, to))
      if (left === 0 && state === LENGTH) finish(to === end)
      return undefined
    }
    if (state === CLOSE) {
      sink.onData(copyOf(data, at, end))
      return undefined
    }
    return readChunks(data, at, end)
  }

  function eof(): boolean {
    if (state !== CLOSE) return state === IDLE
    finish(false)
    return true
  }

  function finish(clean: boolean): void {
    state = IDLE
    sink.onEnd(clean && keepAlive)
  }

  function readHead(data: Buffer, from: number, end: number): number | string {
    let at = data.subarray(from, end).indexOf(HEAD_END)
    let text: string
    if (headBytes === 0 && at >= 0) {
      text = data.toString('latin1', from, from + at)
      at += from + 4
    } else {
      if (head.length < headBytes + end - from) grow(headBytes + end - from)
      data.copy(head, headBytes, from, end)
      const before = headBytes
      headBytes += end - from
      const found = head.subarray(0, headBytes).indexOf(HEAD_END, Math.max(0, before - 3))
      if (found < 0) return seen + headBytes > HEAD_BYTES ? 'head too large' : end
      text = head.toString('latin1', 0, found)
      at = from + found + 4 - before
      headBytes = 0
      head = NOTHING
    }
    seen += text.length + 4
    if (seen > HEAD_BYTES) return 'head too large'
    const parsed = parseHead(text)
    if (typeof parsed === 'string') return parsed
    if (parsed.status >= 200) begin(parsed, at === end)
    return at
  }

  function begin(answer: ResponseHead, isLast: boolean): void {
    keepAlive = answer.keepAlive
    left = answer.body === 'chunked' ? 0 : answer.length
    digits = 0
    state = answer.body === 'length' ? LENGTH : answer.body === 'chunked' ? SIZE : CLOSE
    sink.onHead(answer)
    // The sink may have stopped us.
    if (answer.body === 'none' && state === CLOSE) finish(isLast)
  }

  function grow(to: number): void {
    const grown = Buffer.allocUnsafe(Math.max(1_024, to * 2))
    head.copy(grown, 0, 0, headBytes)
    head = grown
  }

  function readChunks(data: Buffer, from: number, end: number): string | undefined {
    const out = Buffer.allocUnsafe(end - from)
    let size = 0
    let at = from
    let now = state
    let rest = left
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
          else if (c === LF || ++ignored > IGNORED_BYTES) problem = 'malformed chunk extension'
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
          else if (c === LF || ++ignored > IGNORED_BYTES) problem = 'malformed trailer'
          else now = TRAILER_LINE
          break
        case TRAILER_LINE:
          if (c === CR) now = TRAILER_LF
          else if (c === LF || ++ignored > IGNORED_BYTES) problem = 'malformed trailer'
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
    state = now
    left = rest
    if (size > 0) sink.onData(size === out.length ? out : out.subarray(0, size))
    if (state === IDLE) return undefined
    if (done) finish(at === end)
    return problem
  }

  return { expect, stop, feed, eof }
}
