import type { Nano } from '#platform/shared/money.ts'
import type { Refusal } from '../deps.ts'
import { apartNeed, needOf } from './need.ts'
import { addLoads } from './rules.ts'
import type { Why } from './rules.ts'
import type { Talk } from './talk.ts'
import { endTicket, needsTicket, takeTicket } from './ticket.ts'

/** What is known of a session before it is one. */
export type Draft = Pick<Talk, 'visit' | 'model' | 'protocol' | 'callId' | 'count' | 'stake' | 'ears' | 'ticket' | 'denied' | 'claiming' | 'load' | 'fresh'>
export type Denial = Refusal | 'limits'

/** Output tokens that a promise covers at a time: the client's cap, but never more than a call that names none. */
export function slice(talk: Draft): number {
  const most = talk.protocol.cap() ?? talk.model.maxOutputTokens ?? Infinity
  return Math.min(most, talk.visit.deps.limits.defaultOutputTokens)
}

/** Sets aside what the next response may cost, and what is transcribed of it, within the key's limits. Undefined: it is there. */
export function secure(talk: Draft): Denial | undefined | Promise<Denial | undefined> {
  const load = addLoads(talk.load, talk.fresh)
  const need = needOf(talk.model, load, slice(talk))
  // Both directions of a session come here; one place is enough for both.
  if (talk.claiming !== undefined) return talk.claiming.then((denial) => denial ?? secure(talk))
  if (talk.ticket === undefined && needsTicket(talk.visit)) {
    talk.claiming = claim(talk, need, load.text + load.audio + load.image + slice(talk)).finally(() => {
      talk.claiming = undefined
    })
    return talk.claiming.then((denial) => denial ?? secure(talk))
  }
  const raised = talk.stake.raise(need)
  const apart = talk.protocol.apart()
  if (apart === undefined) return raised
  const more = (refusal: Refusal | undefined) => refusal ?? talk.ears.raise(apartNeed(apart, talk.fresh.audio))
  return raised instanceof Promise ? raised.then(more) : more(raised)
}

async function claim(talk: Draft, need: Nano, tokens: number): Promise<Denial | undefined> {
  try {
    const { taken, refusal } = await takeTicket(talk.visit, `${talk.callId}_${talk.count + 1}`, need, tokens)
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
  talk.stake.giveBack()
  talk.ears.giveBack()
  void endTicket(talk.visit, talk.ticket, 0)
  talk.ticket = undefined
}

export const whyOf = (denial: Denial): Why => (denial === 'insufficient_balance' ? 'no_money' : denial)
