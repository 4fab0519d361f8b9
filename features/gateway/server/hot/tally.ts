import type { Call } from './call.ts'
import { eventEnd } from './dialects/sse.ts'

/** Bytes of relayed events kept unread; most answers end before, and are never counted at all. */
const UNREAD_BYTES = 65_536

/** Reads of the upstream that are kept as they came. */
const LOOSE = 8

/**
 * Remembers relayed events, for an estimate that is hardly ever needed. A read shares its memory with reads of other calls and
 * would keep all of it for as long as the call lasts: some reads become one block of their own.
 */
export function remember(call: Call, events: Buffer): void {
  const { untallied } = call
  untallied.push(events)
  call.untalliedBytes += events.length
  if (call.untalliedBytes > UNREAD_BYTES) tallyUp(call)
  else if (++call.loose === LOOSE) {
    call.loose = 0
    untallied.push(blockOf(untallied.splice(-LOOSE)))
  }
}

function blockOf(parts: readonly Buffer[]): Buffer {
  let size = 0
  for (const part of parts) size += part.length
  const block = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const part of parts) at += part.copy(block, at)
  return block
}

/** Brings the tally up to date with everything relayed. */
export function tallyUp(call: Call): void {
  const stream = call.rules?.stream
  if (stream !== undefined) {
    for (const events of call.untallied) {
      for (let from = 0; from < events.length;) {
        const end = eventEnd(events, from)
        stream.tally(events.subarray(from, end), call.tally)
        from = end
      }
    }
  }
  call.untallied = []
  call.untalliedBytes = 0
  call.loose = 0
}
