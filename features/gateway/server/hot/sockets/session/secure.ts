import { plus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Refusal } from '../../deps.ts'
import { saidBefore } from './ahead.ts'
import { isStirred } from './echo.ts'
import { apartNeed, needOf } from './need.ts'
import { NO_LOAD, addLoads } from '../rules.ts'
import type { Load, Why } from '../rules.ts'
import type { Denial, Talk } from './talk.ts'
import { endTicket, needsTicket, takeTicket } from './ticket.ts'

/** A response is asked for; `cap` is the output that it allows for itself. */
export interface Asks {
  readonly cap?: number | undefined
}

/** Subset of a session that exists before it opens. */
export type Draft = Pick<
  Talk,
  | 'visit'
  | 'model'
  | 'protocol'
  | 'callId'
  | 'count'
  | 'stake'
  | 'ears'
  | 'ticket'
  | 'denied'
  | 'claiming'
  | 'load'
  | 'fresh'
  | 'asked'
  | 'running'
  | 'lid'
  | 'lidAt'
>

/** Gemini's models that speak; the others say their own. https://ai.google.dev/gemini-api/docs/models */
const SPOKEN_OUTPUT = 8_192
/** Output token limit for the vendor if the money does not cover the longest response. */
const LID = 4_096

const mostOutput = (talk: Draft): number => talk.model.maxOutputTokens ?? SPOKEN_OUTPUT

/** Maximum output of one response, unless the vendor is limited further. */
const longest = (talk: Draft): number => Math.min(talk.protocol.cap() ?? Infinity, mostOutput(talk))

/** Output tokens that a promise covers: the vendor's maximum for one response. */
export function slice(talk: Draft, own = 0): number {
  const usual = Math.min(longest(talk), talk.lid ?? Infinity)
  return Math.max(usual, Math.min(own, mostOutput(talk)))
}

/**
 * Output tokens that the next response to begin may come to: it may be one that was caused before the vendor was limited, or one that was asked
 * for with a limit of its own, in any order.
 */
export function nextOutput(talk: Talk, own = 0): number {
  const isUnlimited = talk.lidAt !== undefined && saidBefore(talk, talk.lidAt) > 0
  return Math.max(slice(talk, own), isUnlimited ? longest(talk) : 0, askedOutput(talk))
}

const askedOutput = (talk: Talk): number => (talk.asked !== undefined || isStirred(talk) ? talk.askedOutput : 0)

/**
 * Sets aside what the next response may cost, and what is transcribed of it, within the key's limits. Undefined: it is there. `own`: output
 * that the response names for itself. What runs will be part of the next one's input.
 */
export function secure(talk: Draft, own = 0): Denial | undefined | Promise<Denial | undefined> {
  const load = loadOf(talk)
  const output = slice(talk, own)
  const need = needOf(talk.model, load, output)
  // Both directions of a session come here; one place is enough for both.
  if (talk.claiming !== undefined) return talk.claiming.then((denial) => denial ?? secure(talk, own))
  if (talk.ticket === undefined && needsTicket(talk.visit)) {
    const usual = Math.min(output, talk.visit.deps.limits.defaultOutputTokens)
    talk.claiming = claim(talk, need, load.text + load.audio + load.image + usual).finally(() => {
      talk.claiming = undefined
    })
    return talk.claiming.then((denial) => denial ?? secure(talk, own))
  }
  const raised = raiseAll(talk, load, need)
  // Check again: a response that began during the wait may have taken the money.
  return raised instanceof Promise ? raised.then((refusal) => refusal ?? secure(talk, own)) : raised
}

function raiseAll(talk: Draft, load: Load, need: Nano): Refusal | undefined | Promise<Refusal | undefined> {
  const raised = raiseOrLimit(talk, load, need)
  const apart = talk.protocol.apart()
  if (apart === undefined) return raised
  const more = (refusal: Refusal | undefined) => refusal ?? talk.ears.raise(apartNeed(apart, talk.fresh.audio))
  return raised instanceof Promise ? raised.then(more) : more(raised)
}

const loadOf = (talk: Draft): Load => addLoads(addLoads(talk.load, talk.fresh), underWay(talk))

/** Maximum cost of the next response with this output. */
export const nextNeed = (talk: Draft, output: number): Nano => needOf(talk.model, loadOf(talk), output)

/** Sets aside money for further responses that may begin before the next is seen, each with the previous ones as input. */
export async function secureFurther(talk: Talk, further: number, asks?: Asks): Promise<Refusal | undefined> {
  for (const need of needsOf(talk, further, asks)) {
    const refusal = await talk.stake.raise(need)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** True if there is money for the next response and so many further ones. */
export const isCovered = (talk: Talk, further: number, asks?: Asks): boolean => talk.stake.total >= (needsOf(talk, further, asks).at(-1) ?? 0n)

/** True if the money is still there after a wait in which a response may have begun. */
export const isSecured = (talk: Talk, further: number): boolean => talk.stake.total >= nextNeed(talk, slice(talk)) && isCovered(talk, further)

/** Cumulative maximum cost of the next two responses, the next three, and so on. */
function needsOf(talk: Talk, further: number, asks?: Asks): Nano[] {
  // The vendor begins to answer what it heard first before it is limited; the one that is asked for may begin before, between or after them.
  const unlimited = talk.lidAt === undefined ? 0 : saidBefore(talk, talk.lidAt)
  const places = asks === undefined || unlimited === 0 ? unlimited : unlimited + 1
  const least = Math.max(slice(talk, asks?.cap), askedOutput(talk))
  const outputOf = (n: number): number => (n < places ? Math.max(longest(talk), least) : least)
  let load = loadOf(talk)
  let need = needOf(talk.model, load, outputOf(0))
  return Array.from({ length: further }, (_, n) => {
    load = addLoads(load, { ...NO_LOAD, audio: outputOf(n) })
    need = plus(need, needOf(talk.model, load, outputOf(n + 1)))
    return need
  })
}

function underWay(talk: Draft): Load {
  let audio = talk.asked?.covered ?? 0
  for (const running of talk.running.values()) audio += running.covered
  return audio === 0 ? NO_LOAD : { ...NO_LOAD, audio }
}

/** With too little for the longest response, the vendor is limited to one that there is money for. */
function raiseOrLimit(talk: Draft, load: Load, need: Nano): Refusal | undefined | Promise<Refusal | undefined> {
  const raised = talk.stake.raise(need)
  const lower = (refusal: Refusal | undefined): Refusal | undefined | Promise<Refusal | undefined> => {
    if (refusal !== 'insufficient_balance' || slice(talk) <= LID || talk.protocol.limit === undefined) return refusal
    const less = talk.stake.raise(needOf(talk.model, load, LID))
    return less instanceof Promise ? less.then((still) => lowered(talk, still)) : lowered(talk, less)
  }
  return raised instanceof Promise ? raised.then(lower) : lower(raised)
}

function lowered(talk: Draft, refusal: Refusal | undefined): Refusal | undefined {
  if (refusal !== undefined) return refusal
  talk.lid = LID
  talk.lidAt ??= Date.now()
  return undefined
}

/** For a place, and so for the response that gets it, or for a response that needs none: never the same twice, whatever comes of it. */
export const nextName = (talk: Pick<Talk, 'callId' | 'count'>): string => `${talk.callId}_${++talk.count}`

async function claim(talk: Draft, need: Nano, tokens: number): Promise<Denial | undefined> {
  try {
    const { taken, refusal } = await takeTicket(talk.visit, nextName(talk), need, tokens)
    if (talk.stake.closed) {
      void endTicket(talk.visit, taken, 0)
      return 'unavailable'
    }
    talk.ticket = taken
    talk.denied = refusal
    return taken === undefined ? 'limits' : undefined
  } catch (error) {
    talk.visit.deps.log.error({ error, requestId: talk.visit.requestId }, 'limits could not be counted')
    return 'unavailable'
  }
}

/** Money and place that are not needed any more. */
export function letGo(talk: Draft): void {
  talk.stake.close()
  talk.ears.close()
  void endTicket(talk.visit, talk.ticket, 0)
  talk.ticket = undefined
}

export const whyOf = (denial: Denial): Why => (denial === 'insufficient_balance' ? 'no_money' : denial === 'too_much_held' ? 'limits' : denial)
