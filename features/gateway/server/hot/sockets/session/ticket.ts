import { counted, placeOf } from '../../admission/limits.ts'
import type { QuotaRefusal } from '../../deps.ts'
import type { Refused } from '../../errors.ts'
import type { Taken } from '../../admission/quota.ts'
import type { Visit } from '../visit.ts'

/** A place within the key's limits for the next response; keys without counted limits need none. */
export interface Ticket {
  readonly taken: Taken | undefined
  readonly refusal: QuotaRefusal | undefined
}

export const needsTicket = (visit: Visit): boolean => visit.key.limits?.counted === true

export async function takeTicket(visit: Visit, callId: string, held: bigint, tokens: number): Promise<Ticket> {
  const { quota } = visit.deps
  if (quota === undefined) throw new Error('nothing counts here')
  const { taken, refusal } = await quota.take({ callId, key: visit.key, held, tokens, startedAt: Date.now() })
  return { taken, refusal }
}

/** Its response is over and its row durable. */
export async function endTicket(visit: Visit, taken: Taken | undefined, tokens: number): Promise<void> {
  if (taken !== undefined) await visit.deps.quota!.end(taken, tokens)
}

export function refusedTicket(visit: Visit, refusal: QuotaRefusal, held: bigint, tokens: number): Refused {
  return counted(refusal, held, tokens, placeOf(visit.deps, visit.key.keyId))
}
