import type { ResponseHead } from '../message.ts'

export interface ReaderSink {
  /** The final head; interim ones (1xx) are skipped. */
  onHead(head: ResponseHead): void
  /** Bytes of the body: one call for each read, a copy that is the sink's to keep. */
  onData(data: Buffer): void
  /** reusable: the connection is at a boundary and may serve the next request. */
  onEnd(reusable: boolean): void
}

/** States of a reader: between responses, in a head, in a body of known length or until close, in a part of a chunked one. */
export const IDLE = 0,
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

export const NOTHING = Buffer.alloc(0)

/** State of the responses on one connection. */
export interface Reader {
  readonly sink: ReaderSink
  at: number
  /** Head bytes of earlier reads. */
  head: Buffer
  headBytes: number
  /** Head bytes of this response, interim heads included. */
  seen: number
  /** Bytes of it that were read over. */
  ignored: number
  /** Of the body, or of the chunk. */
  left: number
  /** Of the chunk's size. */
  digits: number
  keepAlive: boolean
}

export function newReader(sink: ReaderSink): Reader {
  return { sink, at: IDLE, head: NOTHING, headBytes: 0, seen: 0, ignored: 0, left: 0, digits: 0, keepAlive: false }
}

/** The response is over. clean: nothing follows it. */
export function finish(reader: Reader, clean: boolean): void {
  reader.at = IDLE
  reader.sink.onEnd(clean && reader.keepAlive)
}
