import { buildQuotaRefusal, formatKeyUrl } from '../../admission/limits.ts'
import type { QuotaRefusal } from '../../deps.ts'
import type { RequestRefusal } from '../../errors.ts'
import type { QuotaTake } from '../../deps/quota.ts'
import type { AuthenticatedHandshake } from '../handshake.ts'
import type { VendorSession } from './talk.ts'

/** Place within the key's limits for the next response; keys without counted limits need none. */
export interface LimitTicket {
  readonly taken: QuotaTake | undefined
  readonly refusal: QuotaRefusal | undefined
}

export const needsTicket = (visit: AuthenticatedHandshake): boolean => visit.key.limits?.counted === true

export async function takeTicket(visit: AuthenticatedHandshake, callId: string, held: bigint, tokens: number): Promise<LimitTicket> {
  const { quota } = visit.deps
  if (quota === undefined) throw new Error('no quota is configured')
  const { taken, refusal } = await quota.take({ callId, key: visit.key, held, tokens, startedAt: Date.now() })
  return { taken, refusal }
}

/** Renewal interval of a pending response's place, in ms; a place that is not renewed expires after 10 minutes. */
const RENEW_MS = 60_000

/** Renews the places of the next and of the requested response. A lost place is dropped; a new one is taken before the next frame passes. */
export function renewTickets(talk: VendorSession, now: number): void {
  if (now - talk.keptAt < RENEW_MS) return
  talk.keptAt = now
  for (const ticket of [talk.ticket, talk.asked?.ticket])
    if (ticket !== undefined)
      void talk.visit.deps.quota!.keep(ticket).then((isThere) => {
        if (!isThere && talk.ticket === ticket) talk.ticket = undefined
      })
}

/** Releases the place once the response is over and its row durable. */
export async function releaseTicket(visit: AuthenticatedHandshake, taken: QuotaTake | undefined, tokens: number): Promise<void> {
  if (taken !== undefined) await visit.deps.quota!.end(taken, tokens)
}

export function buildTicketRefusal(visit: AuthenticatedHandshake, refusal: QuotaRefusal, held: bigint, tokens: number): RequestRefusal {
  return buildQuotaRefusal(refusal, held, tokens, formatKeyUrl(visit.deps, visit.key.keyId))
}
