import { NO_LOAD, addLoads } from '../rules.ts'
import type { ClientFrame } from '../rules.ts'
import { countFurtherResponses } from './ahead.ts'
import { finishSession, isSessionQuiet } from './ending.ts'
import type { PromisedResponse } from './running.ts'
import { isCovered, computeNextCost, computeNextOutput, secureNextResponse } from './secure.ts'
import type { RequestedResponse, VendorSession } from './talk.ts'
import { releaseTicket } from './ticket.ts'
import { notifySessionChange } from './session-changes.ts'

/** The vendor begins a requested response within this, or not at all; in ms. */
const REQUEST_TIMEOUT_MS = 120_000
/** The same after a refusal that may concern another event. */
const DOUBTED_TIMEOUT_MS = 5_000

/** Turns the set-aside money into one response's promise; undefined if there is none. */
export function promiseResponse(talk: VendorSession, covered: number): PromisedResponse | undefined {
  const taken = talk.stake.take(computeNextCost(talk, covered))
  if (taken === undefined) return undefined
  const load = addLoads(talk.load, talk.fresh)
  const promised = { taken, ticket: talk.ticket, load, covered }
  talk.load = load
  talk.fresh = NO_LOAD
  talk.ticket = undefined
  return promised
}

/**
 * Promises the money to the response about to be requested, so that nothing else in the session can use it. False if it is missing,
 * or went to another response since it was set aside.
 */
export function requestResponse(talk: VendorSession, heard: ClientFrame): boolean {
  if (talk.asked !== undefined || secureNextResponse(talk, heard.cap) !== undefined || !isCovered(talk, countFurtherResponses(talk, heard), heard)) return false
  const promised = promiseResponse(talk, computeNextOutput(talk, heard.cap))
  if (promised === undefined) return false
  talk.askedOutput = promised.covered
  talk.asked = { ...promised, eventId: heard.eventId, saidAt: Date.now(), timer: undefined }
  restartRequestTimer(talk, REQUEST_TIMEOUT_MS)
  return true
}

/** Ends the wait for the requested response, which has begun. */
export function endResponseRequest(talk: VendorSession): RequestedResponse | undefined {
  const { asked } = talk
  clearTimeout(asked?.timer)
  talk.asked = undefined
  return asked
}

/** Handles a refusal by the vendor. If it does not name the event, the requested response may still come. */
export function handleVendorRefusal(talk: VendorSession, { eventId, isAsk }: { readonly eventId: string | undefined; readonly isAsk: boolean }): void {
  const { asked } = talk
  if (asked === undefined) return
  if (isAsk || (eventId !== undefined && eventId === asked.eventId)) cancelResponseRequest(talk)
  else if (eventId === undefined) restartRequestTimer(talk, DOUBTED_TIMEOUT_MS)
}

/** Releases the promise of a requested response that will not come. */
export function cancelResponseRequest(talk: VendorSession): void {
  const promised = endResponseRequest(talk)
  if (promised === undefined) return
  promised.taken.drop()
  void releaseTicket(talk.visit, promised.ticket, 0)
  notifySessionChange(talk)
  if (talk.gone && isSessionQuiet(talk)) finishSession(talk)
}

function restartRequestTimer(talk: VendorSession, ms: number): void {
  clearTimeout(talk.asked!.timer)
  talk.asked!.timer = setTimeout(() => cancelResponseRequest(talk), ms).unref()
}
