import type { Attempt } from '../attempt.ts'
import type { Call } from '../call.ts'
import type { Route } from '../deps.ts'
import { isAllSeen } from './all-seen.ts'

/** How long silence is waited for at a route, in milliseconds: until the answer's head, and between its bytes. */
export interface Patience {
  readonly timeoutMs: number
  readonly betweenMs: number
}

/**
 * Where silence may be work that the vendor bills, the route's own limits can only be longer than ours: giving up would buy the answer
 * from another upstream as well, or from nobody at the house's expense.
 */
export function patienceFor(call: Call, route: Route): Patience {
  const { upstreamMs } = call.deps.limits
  const [head, between] = [route.firstByteMs ?? upstreamMs, route.betweenMs ?? upstreamMs]
  const isUnseen = call.money !== 'none' && isWorkUnseen(call, route)
  const mayThink = isUnseen || (call.money !== 'none' && call.model!.capabilities.includes('thinking'))
  return { timeoutMs: isUnseen ? Math.max(head, upstreamMs) : head, betweenMs: mayThink ? Math.max(between, upstreamMs) : between }
}

/**
 * Whether giving up left the bill with us: the upstream was asked, did not say anything in time, and may have worked where nobody saw it.
 * Such a call costs what was held and is not asked of another upstream (decision 0038).
 */
export function isOwed(attempt: Attempt): boolean {
  const { call, route, timedOut, isAsked, status } = attempt
  if (!timedOut || !isAsked || call.money !== 'promised') return false
  return status === 0 ? isWorkUnseen(call, route) : !isAllSeen(call)
}

/** Before its head: a whole answer's comes with its end, and some vendors go on when we leave. */
const isWorkUnseen = (call: Call, { upstream }: Route): boolean => !call.facts!.stream || upstream.billsAfterAbort
