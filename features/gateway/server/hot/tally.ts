import type { Call } from './call.ts'
import { eventEnd } from './dialects/sse.ts'

/** Bytes of relayed events kept unread; most answers end before, and are never counted at all. */
const UNREAD_BYTES = 65_536

/** Remembers relayed events, for an estimate that is hardly ever needed. */
export function remember(call: Call, events: Buffer): void {
  call.untallied.push(events)
  call.untalliedBytes += events.length
  if (call.untalliedBytes > UNREAD_BYTES) tallyUp(call)
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
}
