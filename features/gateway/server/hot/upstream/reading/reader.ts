import { copyOf } from '../message.ts'
import { readChunks } from './chunks.ts'
import { readHead } from './head.ts'
import { CLOSE, HEAD, IDLE, LENGTH, finish } from './state.ts'
import type { Reader } from './state.ts'

export { newReader } from './state.ts'
export type { Reader } from './state.ts'

/**
 * Reads HTTP/1.1 responses, one after the other. Each read is decoded in bulk: all chunks in it become one buffer and
 * one call. The bytes given to `feed` are only borrowed.
 */

/** A request was sent: a response may come. */
export function expectResponse(reader: Reader): void {
  reader.at = HEAD
  reader.headBytes = 0
  reader.seen = 0
  reader.ignored = 0
}

/** Nothing more is reported. */
export function stop(reader: Reader): void {
  reader.at = IDLE
}

/** Takes `data` up to `end`; a string says what is wrong, and the connection is of no more use. */
export function feed(reader: Reader, data: Buffer, end: number): string | undefined {
  if (reader.at === IDLE) return 'bytes without a request'
  let from = 0
  while (reader.at === HEAD) {
    if (from === end) return undefined
    const next = readHead(reader, data, from, end)
    if (typeof next === 'string') return next
    from = next
  }
  const { at } = reader
  if (from === end || at === IDLE) return undefined
  if (at === LENGTH) {
    takeBody(reader, data, from, end)
    return undefined
  }
  if (at === CLOSE) {
    reader.sink.onData(copyOf(data, from, end))
    return undefined
  }
  return readChunks(reader, data, from, end)
}

function takeBody(reader: Reader, data: Buffer, from: number, end: number): void {
  const to = Math.min(end, from + reader.left)
  reader.left -= to - from
  reader.sink.onData(copyOf(data, from, to))
  // The sink may have stopped us.
  if (reader.left === 0 && reader.at === LENGTH) finish(reader, to === end)
}

/** The server closed its side; false: in the middle of a response. */
export function endOfInput(reader: Reader): boolean {
  if (reader.at !== CLOSE) return reader.at === IDLE
  finish(reader, false)
  return true
}
