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
 * Handles a client that disconnects before its answer ends (wire.md 0.8). Disconnecting is never cheaper than staying: the answer is read
 * until the vendor reports its usage, and its bytes are discarded; past a limit, the held amount is charged. Only if all output so far
 * passed through here as text (fully-observable.ts), and the account's estimates are known to fit (trust.ts), the upstream request is
 * aborted and the relayed part is charged.
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
  // Output generated while the client did not read is unread: its size is unknown.
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

/**
 * Decides how far a fully observable call is read. Called again as data arrives while the vendor is about to report its input (Anthropic).
 */
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

/** Gives the money back for a client that disconnected before an upstream was dialled. */
export function settleUndialled(call: GatewayCall): void {
  settleLeft(call, 'undialled')
}

/** Aborts the upstream request: `gone` charges the relayed part, `limit` the held amount. */
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
 * Settles calls before this process ends. A client that disconnected earlier pays the held amount: a restart makes disconnecting no
 * cheaper. A client that we cut off pays at most for the relayed part.
 */
export function stopAtShutdown(call: GatewayCall): void {
  stopReadingOn(call, call.gone && !call.cutByUs ? 'limit' : 'cut')
}

/**
 * True once the time limit for reading on has passed. The output so far is no criterion: an estimate that fills the promise may exceed the
 * vendor's figure, which is about to arrive and is the amount that the customer owes.
 */
export const isReadOnOver = (call: GatewayCall, now: number): boolean => call.drainUntil !== 0 && now >= call.drainUntil
