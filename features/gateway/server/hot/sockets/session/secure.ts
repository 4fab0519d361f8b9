import { addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { FundsRefusal } from '../../deps.ts'
import { countSentBefore } from './ahead.ts'
import { mayAutoAnswer } from './echo.ts'
import { computeTranscriptionCost, computeResponseCost } from './need.ts'
import { NO_LOAD, addLoads } from '../rules.ts'
import type { TokenLoad, CloseCause } from '../rules.ts'
import type { Denial, VendorSession } from './talk.ts'
import { releaseTicket, needsTicket, takeTicket } from './ticket.ts'

/** A response is requested; `cap` is its own output limit. */
export interface ResponseOptions {
  readonly cap?: number | undefined
}

/** Subset of a session that exists before it opens. */
export type SessionDraft = Pick<
  VendorSession,
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

/** Gemini's models that speak; other models declare it. https://ai.google.dev/gemini-api/docs/models */
const DEFAULT_MAX_OUTPUT = 8_192
/** Output token limit for the vendor if the money does not cover the longest response. */
const FALLBACK_OUTPUT_CAP = 4_096

const getMaxOutput = (talk: SessionDraft): number => talk.model.maxOutputTokens ?? DEFAULT_MAX_OUTPUT

/** Maximum output of one response, unless the vendor is limited further. */
const getVendorMaxOutput = (talk: SessionDraft): number => Math.min(talk.protocol.cap() ?? Infinity, getMaxOutput(talk))

/** Output tokens that a promise covers: the vendor's maximum for one response. */
export function computeCoveredOutput(talk: SessionDraft, own = 0): number {
  const usual = Math.min(getVendorMaxOutput(talk), talk.lid ?? Infinity)
  return Math.max(usual, Math.min(own, getMaxOutput(talk)))
}

/**
 * Maximum output tokens of the next response to begin: it may be one that was triggered before the vendor was limited, or one that was
 * requested with its own limit, in any order.
 */
export function computeNextOutput(talk: VendorSession, own = 0): number {
  const isUnlimited = talk.lidAt !== undefined && countSentBefore(talk, talk.lidAt) > 0
  return Math.max(computeCoveredOutput(talk, own), isUnlimited ? getVendorMaxOutput(talk) : 0, getRequestedOutput(talk))
}

const getRequestedOutput = (talk: VendorSession): number => (talk.asked !== undefined || mayAutoAnswer(talk) ? talk.askedOutput : 0)

/**
 * Sets aside the maximum cost of the next response and its transcription, within the key's limits. Undefined: the money is available.
 * `own`: output limit that the response specifies. The output of running responses becomes part of the next one's input.
 */
export function secureNextResponse(talk: SessionDraft, own = 0): Denial | undefined | Promise<Denial | undefined> {
  const load = computeNextLoad(talk)
  const output = computeCoveredOutput(talk, own)
  const need = computeResponseCost(talk.model, load, output)
  // Both directions of a session get here; one place covers both.
  if (talk.claiming !== undefined) return talk.claiming.then((denial) => denial ?? secureNextResponse(talk, own))
  if (talk.ticket === undefined && needsTicket(talk.visit)) {
    const usual = Math.min(output, talk.visit.deps.limits.defaultOutputTokens)
    talk.claiming = claimTicket(talk, need, load.text + load.audio + load.image + usual).finally(() => {
      talk.claiming = undefined
    })
    return talk.claiming.then((denial) => denial ?? secureNextResponse(talk, own))
  }
  const raised = raiseWithTranscription(talk, load, need)
  // Check again: a response that began during the wait may have taken the money.
  return raised instanceof Promise ? raised.then((refusal) => refusal ?? secureNextResponse(talk, own)) : raised
}

function raiseWithTranscription(talk: SessionDraft, load: TokenLoad, need: Nano): FundsRefusal | undefined | Promise<FundsRefusal | undefined> {
  const raised = raiseOrCapOutput(talk, load, need)
  const apart = talk.protocol.apart()
  if (apart === undefined) return raised
  const more = (refusal: FundsRefusal | undefined) => refusal ?? talk.ears.raise(computeTranscriptionCost(apart, talk.fresh.audio))
  return raised instanceof Promise ? raised.then(more) : more(raised)
}

const computeNextLoad = (talk: SessionDraft): TokenLoad => addLoads(addLoads(talk.load, talk.fresh), computeRunningLoad(talk))

/** Maximum cost of the next response with this output. */
export const computeNextCost = (talk: SessionDraft, output: number): Nano => computeResponseCost(talk.model, computeNextLoad(talk), output)

/** Sets aside money for further responses that may begin before the next is seen, each with the previous ones as input. */
export async function secureFurther(talk: VendorSession, further: number, asks?: ResponseOptions): Promise<FundsRefusal | undefined> {
  for (const need of listCumulativeCosts(talk, further, asks)) {
    const refusal = await talk.stake.raise(need)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** True if there is money for the next response and so many further ones. */
export const isCovered = (talk: VendorSession, further: number, asks?: ResponseOptions): boolean =>
  talk.stake.total >= (listCumulativeCosts(talk, further, asks).at(-1) ?? 0n)

/** True if the money is still there after a wait in which a response may have begun. */
export const isSecured = (talk: VendorSession, further: number): boolean =>
  talk.stake.total >= computeNextCost(talk, computeCoveredOutput(talk)) && isCovered(talk, further)

/** Cumulative maximum cost of the next two responses, the next three, and so on. */
function listCumulativeCosts(talk: VendorSession, further: number, asks?: ResponseOptions): Nano[] {
  // The vendor answers speech that it received before it was limited first; the requested response may begin before, between or after.
  const unlimited = talk.lidAt === undefined ? 0 : countSentBefore(talk, talk.lidAt)
  const places = asks === undefined || unlimited === 0 ? unlimited : unlimited + 1
  const least = Math.max(computeCoveredOutput(talk, asks?.cap), getRequestedOutput(talk))
  const outputOf = (n: number): number => (n < places ? Math.max(getVendorMaxOutput(talk), least) : least)
  let load = computeNextLoad(talk)
  let need = computeResponseCost(talk.model, load, outputOf(0))
  return Array.from({ length: further }, (_, n) => {
    load = addLoads(load, { ...NO_LOAD, audio: outputOf(n) })
    need = addNano(need, computeResponseCost(talk.model, load, outputOf(n + 1)))
    return need
  })
}

function computeRunningLoad(talk: SessionDraft): TokenLoad {
  let audio = talk.asked?.covered ?? 0
  for (const running of talk.running.values()) audio += running.covered
  return audio === 0 ? NO_LOAD : { ...NO_LOAD, audio }
}

/** If the money does not cover the longest response, limits the vendor to an affordable one. */
function raiseOrCapOutput(talk: SessionDraft, load: TokenLoad, need: Nano): FundsRefusal | undefined | Promise<FundsRefusal | undefined> {
  const raised = talk.stake.raise(need)
  const lower = (refusal: FundsRefusal | undefined): FundsRefusal | undefined | Promise<FundsRefusal | undefined> => {
    if (refusal !== 'insufficient_balance' || computeCoveredOutput(talk) <= FALLBACK_OUTPUT_CAP || talk.protocol.limit === undefined) return refusal
    const less = talk.stake.raise(computeResponseCost(talk.model, load, FALLBACK_OUTPUT_CAP))
    return less instanceof Promise ? less.then((still) => capOutput(talk, still)) : capOutput(talk, less)
  }
  return raised instanceof Promise ? raised.then(lower) : lower(raised)
}

function capOutput(talk: SessionDraft, refusal: FundsRefusal | undefined): FundsRefusal | undefined {
  if (refusal !== undefined) return refusal
  talk.lid = FALLBACK_OUTPUT_CAP
  talk.lidAt ??= Date.now()
  return undefined
}

/** Identifies a place and the response that uses it, or a response without a place; never reused. */
export const createResponseName = (talk: Pick<VendorSession, 'callId' | 'count'>): string => `${talk.callId}_${++talk.count}`

async function claimTicket(talk: SessionDraft, need: Nano, tokens: number): Promise<Denial | undefined> {
  try {
    const { taken, refusal } = await takeTicket(talk.visit, createResponseName(talk), need, tokens)
    if (talk.stake.closed) {
      void releaseTicket(talk.visit, taken, 0)
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

/** Releases money and place that are no longer needed. */
export function releaseDraft(talk: SessionDraft): void {
  talk.stake.close()
  talk.ears.close()
  void releaseTicket(talk.visit, talk.ticket, 0)
  talk.ticket = undefined
}

export const toCloseCause = (denial: Denial): CloseCause => (denial === 'insufficient_balance' ? 'no_money' : denial === 'too_much_held' ? 'limits' : denial)
