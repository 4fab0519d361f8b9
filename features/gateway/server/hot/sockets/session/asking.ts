import { NO_LOAD, addLoads } from '../rules.ts'
import type { Heard } from '../rules.ts'
import { further } from './ahead.ts'
import { finish, isQuiet } from './ending.ts'
import type { Promised } from './running.ts'
import { isCovered, nextNeed, nextOutput, secure } from './secure.ts'
import type { Asked, Talk } from './talk.ts'
import { endTicket } from './ticket.ts'
import { changed } from './waking.ts'

/** The vendor begins a requested response within this, or not at all; in ms. */
const ASKED_MS = 120_000
/** The same after a refusal that may concern another event. */
const DOUBTED_MS = 5_000

/** Turns the set-aside money into one response's promise; undefined if there is none. */
export function promise(talk: Talk, covered: number): Promised | undefined {
  const taken = talk.stake.take(nextNeed(talk, covered))
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
export function ask(talk: Talk, heard: Heard): boolean {
  if (talk.asked !== undefined || secure(talk, heard.cap) !== undefined || !isCovered(talk, further(talk, heard), heard)) return false
  const promised = promise(talk, nextOutput(talk, heard.cap))
  if (promised === undefined) return false
  talk.askedOutput = promised.covered
  talk.asked = { ...promised, eventId: heard.eventId, saidAt: Date.now(), timer: undefined }
  wait(talk, ASKED_MS)
  return true
}

/** Ends the wait for the requested response, which has begun. */
export function begun(talk: Talk): Asked | undefined {
  const { asked } = talk
  clearTimeout(asked?.timer)
  talk.asked = undefined
  return asked
}

/** Handles a refusal by the vendor. If it does not name the event, the requested response may still come. */
export function doubt(talk: Talk, { eventId, isAsk }: { readonly eventId: string | undefined; readonly isAsk: boolean }): void {
  const { asked } = talk
  if (asked === undefined) return
  if (isAsk || (eventId !== undefined && eventId === asked.eventId)) unask(talk)
  else if (eventId === undefined) wait(talk, DOUBTED_MS)
}

/** Releases the promise of a requested response that will not come. */
export function unask(talk: Talk): void {
  const promised = begun(talk)
  if (promised === undefined) return
  promised.taken.drop()
  void endTicket(talk.visit, promised.ticket, 0)
  changed(talk)
  if (talk.gone && isQuiet(talk)) finish(talk)
}

function wait(talk: Talk, ms: number): void {
  clearTimeout(talk.asked!.timer)
  talk.asked!.timer = setTimeout(() => unask(talk), ms).unref()
}
