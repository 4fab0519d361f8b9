import { copyBytes } from '../message.ts'
import { readChunkedBody } from './chunks.ts'
import { readResponseHead } from './head.ts'
import { STATE_CLOSE, STATE_HEAD, STATE_IDLE, STATE_LENGTH, finishResponse } from './state.ts'
import type { ResponseReader } from './state.ts'

export { createResponseReader } from './state.ts'
export type { ResponseReader } from './state.ts'

/**
 * Reads HTTP/1.1 responses, one after the other. Each read is decoded in bulk: all chunks in it become one buffer and
 * one call. The bytes given to `feed` are only borrowed.
 */

/** A request was sent: a response may come. */
export function expectResponse(reader: ResponseReader): void {
  reader.at = STATE_HEAD
  reader.headBytes = 0
  reader.seen = 0
  reader.ignored = 0
}

/** Nothing more is reported. */
export function ignoreInput(reader: ResponseReader): void {
  reader.at = STATE_IDLE
}

/** Takes `data` up to `end`; a string says what is wrong, and the connection is of no more use. */
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
  // The sink may have stopped us.
  if (reader.left === 0 && reader.at === STATE_LENGTH) finishResponse(reader, to === end)
}

/** The server closed its side; false: in the middle of a response. */
export function endReaderInput(reader: ResponseReader): boolean {
  if (reader.at !== STATE_CLOSE) return reader.at === STATE_IDLE
  finishResponse(reader, false)
  return true
}
