import { isFullyObservable } from '../settlement/fully-observable.ts'
import type { GatewayCall } from '../call.ts'
import { estimateInput } from '../usage/estimate.ts'
import { cancelWait } from '../queue/queue.ts'
import { READ_ON_MS } from '../settlement/owed.ts'
import { estimateCharge, settle } from '../settlement/settle.ts'
import type { CallEnding } from '../settlement/settle.ts'
import { tallyRelayed } from '../settlement/tally.ts'
import { chooseEstimate } from '../settlement/trust.ts'

const NOTHING = Buffer.alloc(0)

/**
 * The client has left before its answer's end (wire.md 0.8). Leaving is never cheaper than staying: the answer is read on to the
 * vendor's own figure, whose bytes go nowhere, and past a limit what was held is charged. Only where everything made so far passed
 * through here as text (fully-observable.ts), and the account's estimates are known to fit (trust.ts), the upstream is left and the relayed
 * part is charged.
 */
export function handleClientLeft(call: GatewayCall): void {
  if (call.gone) return
  call.gone = true
  if (call.ticket !== undefined) {
    cancelWait(call)
    settleUndialled(call)
    return
  }
  const { attempt } = call
  if (attempt === undefined || attempt.over || call.money === 'settling' || call.money === 'done') return
  if (!attempt.isAsked) {
    attempt.abort()
    if (call.money === 'promised') settleUndialled(call)
    return
  }
  // The output made while the client did not read lies unread: its size is unknown.
  const isHeldUp = call.blockedSince > 0
  attempt.resume()
  if (call.money === 'none') attempt.abort()
  else {
    call.drainUntil = Date.now() + (call.deps.limits.drainMs ?? READ_ON_MS)
    call.readOn = 'end'
    if (!isHeldUp && call.apiKey!.onDisconnect === 'abort' && isFullyObservable(call)) decideReadOn(call)
    estimateInput(call)
    call.body = NOTHING
  }
}

/** For a call in which all is seen. Called again with what comes, as long as the vendor is about to name its input (Anthropic). */
export function decideReadOn(call: GatewayCall): void {
  if (call.rules!.id === 'anthropic-messages' && call.meter.raw === undefined) {
    call.readOn = 'input'
    return
  }
  tallyRelayed(call)
  call.readOn = 'end'
  const { readsOn, accountId } = call.apiKey!
  if (readsOn === true || call.tally.thought) return
  const choice = chooseEstimate(call.trust, accountId, estimateCharge(call).amount)
  if (choice === 'guess') stopReadingOn(call, 'gone')
  else if (choice === 'check') call.readOn = 'check'
}

/** The client left before an upstream was dialled: its money is given back. */
export function settleUndialled(call: GatewayCall): void {
  settleLeft(call, 'undialled')
}

/** Leaves the upstream: `gone` charges what was relayed, `limit` what was held. */
export function stopReadingOn(call: GatewayCall, ending: 'gone' | 'limit' | 'cut'): void {
  const { attempt } = call
  if (attempt === undefined || attempt.over) return
  attempt.abort()
  if (call.money !== 'promised') return
  settleLeft(call, ending)
}

function settleLeft(call: GatewayCall, ending: CallEnding): void {
  settle(call, ending, call.rules?.stream?.rawUsage(call.meter), undefined).catch((error: unknown) => {
    call.deps.log.error({ error, requestId: call.requestId }, 'settlement failed; the sweeper will resolve the call')
  })
}

/**
 * This process is about to end. Who left before pays what was held: leaving with a restart is no cheaper than leaving. Who was cut off by
 * us pays for what was relayed at most.
 */
export function stopAtShutdown(call: GatewayCall): void {
  stopReadingOn(call, call.gone && !call.cutByUs ? 'limit' : 'cut')
}

/**
 * True once the time to read on is over. What was made so far says nothing: an estimate that fills the promise may lie above the
 * vendor's figure, which is about to come and is what the customer owes.
 */
export const isReadOnOver = (call: GatewayCall, now: number): boolean => call.drainUntil !== 0 && now >= call.drainUntil
