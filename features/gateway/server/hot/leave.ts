import type { Call } from './call.ts'
import { cancelWait } from './routes/queue.ts'
import { settle } from './settle.ts'
import { tallyUp } from './tally.ts'

const DRAIN_MS = 30_000

/**
 * The client has left before its answer's end (wire.md, 2.10). Where the vendor stops billing at an abort, the upstream
 * is left and the relayed part is charged; where it bills the whole answer anyway, or what it has done so far cannot be
 * told from the stream, the answer is read on.
 */
export function clientLeft(call: Call): void {
  if (call.gone) return
  call.gone = true
  if (call.ticket !== undefined) {
    cancelWait(call)
    leaveUndialled(call)
    return
  }
  const { attempt } = call
  if (attempt === undefined || attempt.over || call.money === 'settling' || call.money === 'done') return
  attempt.resume()
  const readOn = readOnFor(call)
  if (readOn === 0) stop(call)
  else call.drainUntil = readOn === Infinity ? Infinity : Date.now() + readOn
}

/** The client left before anybody was asked: its money is given back. */
export function leaveUndialled(call: Call): void {
  settle(call, 'gone', undefined, undefined).catch((error: unknown) => {
    call.deps.log.error({ error, requestId: call.requestId }, 'release failed; the sweeper will resolve the call')
  })
}

/** Leaves the upstream and charges what there is. */
export function stop(call: Call): void {
  const { attempt } = call
  if (attempt === undefined || attempt.over) return
  attempt.abort()
  if (call.money === 'none') return
  settle(call, 'gone', call.rules!.stream?.rawUsage(call.meter), undefined).catch((error: unknown) => {
    call.deps.log.error({ error, requestId: call.requestId }, 'settlement failed; the sweeper will resolve the call')
  })
}

function readOnFor(call: Call): number {
  if (call.target!.free) return 0
  if (call.apiKey!.onDisconnect === 'drain' || !call.facts!.stream || call.route!.upstream.billsAfterAbort) return Infinity
  // A picture or a recording is begun as a whole and billed as one; its figure comes at the end.
  if (call.facts!.media !== undefined) return Infinity
  // Nothing has come of it yet.
  if (call.firstByteAt === 0) return 0
  tallyUp(call)
  const { visible, toolOpen } = call.tally
  const readOn = call.deps.limits.drainMs ?? DRAIN_MS
  // Thinking that is not shown, or shown in a summary, is billed in full: only the vendor knows the figure.
  return visible && !toolOpen ? 0 : readOn
}
