import { isAllSeen } from '../settlement/all-seen.ts'
import type { Call } from '../call.ts'
import { inputOf } from '../usage/estimate.ts'
import { cancelWait } from '../queue/queue.ts'
import { READ_ON_MS } from '../settlement/owed.ts'
import { estimateOf, settle } from '../settlement/settle.ts'
import type { Ending } from '../settlement/settle.ts'
import { tallyUp } from '../settlement/tally.ts'
import { choose } from '../settlement/trust.ts'

const NOTHING = Buffer.alloc(0)

/**
 * The client has left before its answer's end (wire.md 0.8). Leaving is never cheaper than staying: the answer is read on to the
 * vendor's own figure, whose bytes go nowhere, and past a limit what was held is charged. Only where everything made so far passed
 * through here as text (all-seen.ts), and the account's estimates are known to fit (trust.ts), the upstream is left and the relayed
 * part is charged.
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
  if (!attempt.isAsked) {
    attempt.abort()
    if (call.money === 'promised') leaveUndialled(call)
    return
  }
  // The output made while the client did not read lies unread: its size is unknown.
  const isHeldUp = call.blockedSince > 0
  attempt.resume()
  if (call.money === 'none') attempt.abort()
  else {
    call.drainUntil = Date.now() + (call.deps.limits.drainMs ?? READ_ON_MS)
    call.readOn = 'end'
    if (!isHeldUp && call.apiKey!.onDisconnect === 'abort' && isAllSeen(call)) decide(call)
    inputOf(call)
    call.body = NOTHING
  }
}

/** For a call in which all is seen. Called again with what comes, as long as the vendor is about to name its input (Anthropic). */
export function decide(call: Call): void {
  if (call.rules!.id === 'anthropic-messages' && call.meter.raw === undefined) {
    call.readOn = 'input'
    return
  }
  tallyUp(call)
  call.readOn = 'end'
  const { readsOn, accountId } = call.apiKey!
  if (readsOn === true || call.tally.thought) return
  const choice = choose(call.trust, accountId, estimateOf(call).amount)
  if (choice === 'guess') stop(call, 'gone')
  else if (choice === 'check') call.readOn = 'check'
}

/** The client left before an upstream was dialled: its money is given back. */
export function leaveUndialled(call: Call): void {
  settleLeft(call, 'undialled')
}

/** Leaves the upstream: `gone` charges what was relayed, `limit` what was held. */
export function stop(call: Call, ending: 'gone' | 'limit' | 'cut'): void {
  const { attempt } = call
  if (attempt === undefined || attempt.over) return
  attempt.abort()
  if (call.money !== 'promised') return
  settleLeft(call, ending)
}

function settleLeft(call: Call, ending: Ending): void {
  settle(call, ending, call.rules?.stream?.rawUsage(call.meter), undefined).catch((error: unknown) => {
    call.deps.log.error({ error, requestId: call.requestId }, 'settlement failed; the sweeper will resolve the call')
  })
}

/**
 * This process is about to end. Who left before pays what was held: leaving with a restart is no cheaper than leaving. Who was cut off by
 * us pays for what was relayed at most.
 */
export function endWithProcess(call: Call): void {
  stop(call, call.gone && !call.cutByUs ? 'limit' : 'cut')
}

/**
 * True once the time to read on is over. What was made so far says nothing: an estimate that fills the promise may lie above the
 * vendor's figure, which is about to come and is what the customer owes.
 */
export const isEnough = (call: Call, now: number): boolean => call.drainUntil !== 0 && now >= call.drainUntil
