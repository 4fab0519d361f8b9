import type { RunningExchange } from '../parts.ts'
import { expectResponse } from '../reading/reader.ts'
import type { ConnectionState } from './state.ts'

/** Of a request's body, in one turn of the loop: the copy of all of a large one into the system would hold everybody up. */
const SLICE_BYTES = 262_144

export function writeRequest(s: ConnectionState, exchange: RunningExchange): void {
  const [first, second] = exchange.bytes
  exchange.written = true
  exchange.timeoutMs = exchange.headMs
  s.answered = false
  s.unsent = 0
  s.sentAt = Date.now()
  exchange.since = s.sentAt
  expectResponse(s.reader)
  s.rest = second
  if (second !== undefined) s.socket.cork()
  s.socket.write(first!)
  if (second === undefined) return
  writeSlice(s)
  s.socket.uncork()
}

function writeSlice(s: ConnectionState): void {
  const slice = s.rest
  if (s.gone || slice === undefined) return
  s.rest = slice.length > SLICE_BYTES ? slice.subarray(SLICE_BYTES) : undefined
  if (s.rest === undefined) s.socket.write(slice)
  else s.socket.write(slice.subarray(0, SLICE_BYTES), () => setImmediate(writeSlice, s))
}
