import { counted, placeOf } from '../../admission/limits.ts'
import type { QuotaRefusal } from '../../deps.ts'
import type { Refused } from '../../errors.ts'
import type { Taken } from '../../deps/quota.ts'
import type { Visit } from '../visit.ts'
import type { Talk } from './talk.ts'

/** Place within the key's limits for the next response; keys without counted limits need none. */
export interface Ticket {
  readonly taken: Taken | undefined
  readonly refusal: QuotaRefusal | undefined
}

export const needsTicket = (visit: Visit): boolean => visit.key.limits?.counted === true

export async function takeTicket(visit: Visit, callId: string, held: bigint, tokens: number): Promise<Ticket> {
  const { quota } = visit.deps
  if (quota === undefined) throw new Error('no quota is configured')
  const { taken, refusal } = await quota.take({ callId, key: visit.key, held, tokens, startedAt: Date.now() })
  return { taken, refusal }
}

/** Renewal interval of a pending response's place, in ms; a place that is not renewed expires after 10 minutes. */
const KEEP_MS = 60_000

/** Renews the places of the next and of the requested response. A lost place is dropped; a new one is taken before the next frame passes. */
export function keepTickets(talk: Talk, now: number): void {
  if (now - talk.keptAt < KEEP_MS) return
  talk.keptAt = now
  for (const ticket of [talk.ticket, talk.asked?.ticket])
    if (ticket !== undefined)
      void talk.visit.deps.quota!.keep(ticket).then((isThere) => {
        if (!isThere && talk.ticket === ticket) talk.ticket = undefined
      })
}

/** Releases the place once the response is over and its row durable. */
export async function endTicket(visit: Visit, taken: Taken | undefined, tokens: number): Promise<void> {
  if (taken !== undefined) await visit.deps.quota!.end(taken, tokens)
}

export function refusedTicket(visit: Visit, refusal: QuotaRefusal, held: bigint, tokens: number): Refused {
  return counted(refusal, held, tokens, placeOf(visit.deps, visit.key.keyId))
}
