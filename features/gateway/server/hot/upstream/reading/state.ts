import type { ResponseHead } from '../message.ts'

export interface ReaderSink {
  /** The final head; interim ones (1xx) are skipped. */
  onHead(head: ResponseHead): void
  /** Bytes of the body: one call per read, with a copy that the sink may keep. */
  onData(data: Buffer): void
  /** reusable: the connection is at a boundary and may serve the next request. */
  onEnd(reusable: boolean): void
}

/** States of a reader: between responses, in a head, in a body of known length or until close, in a part of a chunked one. */
export const STATE_IDLE = 0,
  STATE_HEAD = 1,
  STATE_LENGTH = 2,
  STATE_CLOSE = 3,
  STATE_SIZE = 4,
  STATE_EXTENSION = 5,
  STATE_SIZE_LF = 6,
  STATE_DATA = 7,
  STATE_DATA_CR = 8,
  STATE_DATA_LF = 9,
  STATE_TRAILER = 10,
  STATE_TRAILER_LINE = 11,
  STATE_TRAILER_LF = 12,
  STATE_LAST_LF = 13

export const NO_HEAD_BYTES = Buffer.alloc(0)

/** State of the responses on one connection. */
export interface ResponseReader {
  readonly sink: ReaderSink
  at: number
  /** Head bytes of earlier reads. */
  head: Buffer
  headBytes: number
  /** Head bytes of this response, interim heads included. */
  seen: number
  /** Skipped bytes of this response. */
  ignored: number
  /** Remaining bytes of the body, or of the chunk. */
  left: number
  /** Digits read of the chunk's size. */
  digits: number
  keepAlive: boolean
}

export function createResponseReader(sink: ReaderSink): ResponseReader {
  return { sink, at: STATE_IDLE, head: NO_HEAD_BYTES, headBytes: 0, seen: 0, ignored: 0, left: 0, digits: 0, keepAlive: false }
}

/** The response is over. clean: nothing follows it. */
export function finishResponse(reader: ResponseReader, clean: boolean): void {
  reader.at = STATE_IDLE
  reader.sink.onEnd(clean && reader.keepAlive)
}
