import { parseHead } from './message.ts'
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
const CR = 13, LF = 10

const IDLE = 0, HEAD = 1, LENGTH = 2, CLOSE = 3, SIZE = 4, EXTENSION = 5, SIZE_LF = 6, DATA = 7, DATA_CR = 8, DATA_LF = 9, TRAILER = 10, TRAILER_LINE = 11, TRAILER_LF = 12, LAST_LF = 13

/** Value of a hex digit by its character, 255 for any other. */
const HEX = new Uint8Array(256).fill(255)
for (let i = 0; i < 16; i++) {
  HEX[i.toString(16).charCodeAt(0)] = i
  HEX[i.toString(16).toUpperCase().charCodeAt(0)] = i
}

/**
 * Reads HTTP/1.1 responses, one after the other. Each read is decoded in bulk: all chunks in it become one buffer and
 * one call. The bytes given to `feed` are only borrowed.
 */
export class ResponseReader {
  readonly #sink: ReaderSink
  #state = IDLE
  /** Head bytes of earlier reads. */
  #head: Buffer = HEAD_END
  #headBytes = 0
  /** Head bytes of this response, interim heads included. */
  #seen = 0
  #ignored = 0
  #left = 0
  #digits = 0
  #keepAlive = false

  constructor(sink: ReaderSink) {
    this.#sink = sink
  }

  /** A request was sent: a response may come. */
  expect(): void {
    this.#state = HEAD
    this.#headBytes = 0
    this.#seen = 0
    this.#ignored = 0
  }

  /** Nothing more is reported. */
  stop(): void {
    this.#state = IDLE
  }

  /** Takes `data` up to `end`; a string says what is wrong, and the connection is of no more use. */
  feed(data: Buffer, end: number): string | undefined {
    if (this.#state === IDLE) return 'bytes without a request'
    let at = 0
    while (this.#state === HEAD) {
      if (at === end) return undefined
      const next = this.#readHead(data, at, end)
      if (typeof next === 'string') return next
      at = next
    }
    if (at === end || this.#state === IDLE) return undefined
    if (this.#state === LENGTH) {
      const to = Math.min(end, at + this.#left)
      this.#left -= to - at
      this.#sink.onData(copyOf(data, at, to))
      if (this.#left === 0 && this.#state === LENGTH) this.#finish(to === end)
      return undefined
    }
    if (this.#state === CLOSE) {
      this.#sink.onData(copyOf(data, at, end))
      return undefined
    }
    return this.#readChunks(data, at, end)
  }

  /** The server closed its side; false: in the middle of a response. */
  eof(): boolean {
    if (this.#state !== CLOSE) return this.#state === IDLE
    this.#finish(false)
    return true
  }

  #finish(clean: boolean): void {
    this.#state = IDLE
    this.#sink.onEnd(clean && this.#keepAlive)
  }

  #readHead(data: Buffer, from: number, end: number): number | string {
    let at = data.subarray(from, end).indexOf(HEAD_END)
    let text: string
    if (this.#headBytes === 0 && at >= 0) {
      text = data.toString('latin1', from, from + at)
      at += from + 4
    } else {
      if (this.#head.length < this.#headBytes + end - from) this.#grow(this.#headBytes + end - from)
      data.copy(this.#head, this.#headBytes, from, end)
      const before = this.#headBytes
      this.#headBytes += end - from
      const found = this.#head.subarray(0, this.#headBytes).indexOf(HEAD_END, Math.max(0, before - 3))
      if (found < 0) return this.#seen + this.#headBytes > HEAD_BYTES ? 'head too large' : end
      text = this.#head.toString('latin1', 0, found)
      at = from + found + 4 - before
      this.#headBytes = 0
      this.#head = HEAD_END
    }
    this.#seen += text.length + 4
    if (this.#seen > HEAD_BYTES) return 'head too large'
    const head = parseHead(text)
    if (typeof head === 'string') return head
    if (head.status >= 200) this.#begin(head, at === end)
    return at
  }

  #begin(head: ResponseHead, isLast: boolean): void {
    this.#keepAlive = head.keepAlive
    this.#left = head.body === 'chunked' ? 0 : head.length
    this.#digits = 0
    this.#state = head.body === 'length' ? LENGTH : head.body === 'chunked' ? SIZE : CLOSE
    this.#sink.onHead(head)
    // The sink may have stopped us.
    if (head.body === 'none' && this.#state === CLOSE) this.#finish(isLast)
  }

  #grow(to: number): void {
    const grown = Buffer.allocUnsafe(Math.max(1_024, to * 2))
    this.#head.copy(grown, 0, 0, this.#headBytes)
    this.#head = grown
  }

  #readChunks(data: Buffer, from: number, end: number): string | undefined {
    const out = Buffer.allocUnsafe(end - from)
    let size = 0
    let at = from
    let state = this.#state
    let left = this.#left
    let problem: string | undefined
    let done = false
    while (at < end && !done && problem === undefined) {
      if (state === DATA) {
        const to = Math.min(end, at + left)
        data.copy(out, size, at, to)
        size += to - at
        left -= to - at
        at = to
        if (left === 0) state = DATA_CR
        continue
      }
      const c = data[at++]!
      switch (state) {
        case SIZE: {
          const digit = HEX[c]!
          if (digit < 16) {
            left = left * 16 + digit
            if (++this.#digits > 12) problem = 'chunk too large'
          } else if (this.#digits === 0) problem = 'malformed chunk size'
          else if (c === CR) state = SIZE_LF
          else if (c === 59 || c === 32 || c === 9) state = EXTENSION
          else problem = 'malformed chunk size'
          break
        }
        case EXTENSION:
          if (c === CR) state = SIZE_LF
          else if (c === LF || ++this.#ignored > IGNORED_BYTES) problem = 'malformed chunk extension'
          break
        case SIZE_LF:
          state = left > 0 ? DATA : TRAILER
          if (c !== LF) problem = 'malformed chunk size'
          break
        case DATA_CR:
          state = DATA_LF
          if (c !== CR) problem = 'malformed chunk end'
          break
        case DATA_LF:
          state = SIZE
          this.#digits = 0
          if (c !== LF) problem = 'malformed chunk end'
          break
        case TRAILER:
          if (c === CR) state = LAST_LF
          else if (c === LF || ++this.#ignored > IGNORED_BYTES) problem = 'malformed trailer'
          else state = TRAILER_LINE
          break
        case TRAILER_LINE:
          if (c === CR) state = TRAILER_LF
          else if (c === LF || ++this.#ignored > IGNORED_BYTES) problem = 'malformed trailer'
          break
        case TRAILER_LF:
          state = TRAILER
          if (c !== LF) problem = 'malformed trailer'
          break
        default:
          done = c === LF
          if (!done) problem = 'malformed trailer'
      }
    }
    this.#state = state
    this.#left = left
    if (size > 0) this.#sink.onData(size === out.length ? out : out.subarray(0, size))
    if (this.#state === IDLE) return undefined
    if (done) this.#finish(at === end)
    return problem
  }
}

function copyOf(data: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.allocUnsafe(to - from)
  data.copy(copy, 0, from, to)
  return copy
}
