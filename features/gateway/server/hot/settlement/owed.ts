import type { Attempt } from '../attempt.ts'
import type { Call } from '../call.ts'
import { noteFailure } from '../choice/breakers.ts'
import type { ModelKind, Route } from '../deps.ts'
import { isAllSeen } from './all-seen.ts'

/** How long is waited at a route, in milliseconds: for a free connection, for the answer's head, and between its bytes. */
export interface Patience {
  readonly waitMs: number
  readonly timeoutMs: number
  readonly betweenMs: number
}

/** How long a vendor is waited for whose figure is wanted and whose client is not there any more. */
export const READ_ON_MS = 900_000

/**
 * Where silence may be work that the vendor bills, it is waited for as long as after a client that has left: giving up would buy the answer
 * from another upstream as well, or from nobody at the house's expense. The client is told long before (`watchSilence`).
 */
export function patienceFor(call: Call, route: Route): Patience {
  const { upstreamMs, drainMs = READ_ON_MS } = call.deps.limits
  const [head, between] = [route.firstByteMs ?? upstreamMs, route.betweenMs ?? upstreamMs]
  const isUnseen = isWorkUnseen(call, route)
  const mayThink = isUnseen || (call.money !== 'none' && call.model!.capabilities.includes('thinking'))
  const longest = upstreamMs + drainMs
  return { waitMs: head, timeoutMs: isUnseen ? longest : head, betweenMs: mayThink ? longest : between }
}

/**
 * Whether giving up left the bill with us: the upstream was asked, did not say anything in time, and may have worked where nobody saw it.
 * Such a call costs what was held and is not asked of another upstream (decision 0038).
 */
export function isOwed(attempt: Attempt): boolean {
  const { call, route, timedOut, isAsked, status } = attempt
  if (!timedOut || !isAsked || call.money !== 'promised' || status >= 300 || call.meter.final) return false
  return status === 0 ? isWorkUnseen(call, route) : !BY_INPUT.has(call.model!.kind) && !isAllSeen(call)
}

/** Before its head: a whole answer's comes with its end, and some vendors go on when we leave. What is priced by its input is soon made. */
function isWorkUnseen({ money, facts, model }: Call, { upstream }: Route): boolean {
  return money !== 'none' && !BY_INPUT.has(model!.kind) && (!facts!.stream || upstream.billsAfterAbort)
}
const BY_INPUT: ReadonlySet<ModelKind> = new Set(['embedding', 'moderation', 'rerank'])

/**
 * The dial of a call that nothing has been said of yet. Past its route's patience new calls go elsewhere; past ours `tell` answers the client,
 * and the vendor's figure is waited for as after a client that has left. Looked at by the ticker.
 */
export function watchSilence(call: Call, now: number, tell: () => void): void {
  const attempt = call.attempt as Attempt | undefined
  if (attempt === undefined || attempt.over || attempt.status !== 0 || !attempt.isAsked || !isWorkUnseen(call, attempt.route)) return
  const { upstreamMs, drainMs = READ_ON_MS } = call.deps.limits
  const silent = now - attempt.at
  if (!attempt.isLate && silent >= (attempt.route.firstByteMs ?? upstreamMs)) {
    attempt.isLate = true
    noteFailure(call.breakers, attempt.route, 'timeout', undefined)
  }
  if (silent < upstreamMs || call.money !== 'promised') return
  tell()
  call.unanswered = true
  call.gone = true
  call.drainUntil = now + drainMs
  call.readOn = 'end'
}
