import { parseResponseHead } from '../message.ts'
import type { ResponseHead } from '../message.ts'
import { STATE_CLOSE, STATE_LENGTH, NO_HEAD_BYTES, STATE_SIZE, finishResponse } from './state.ts'
import type { ResponseReader } from './state.ts'

const HEAD_BYTES = 65_536
const HEAD_END = Buffer.from('\r\n\r\n')

/** Reads what came of a head. Where the next byte to be read is, or what is wrong. */
export function readResponseHead(reader: ResponseReader, data: Buffer, from: number, end: number): number | string {
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
  // The sink may have stopped us.
  if (answer.body === 'none' && reader.at === STATE_CLOSE) finishResponse(reader, isLast)
}
