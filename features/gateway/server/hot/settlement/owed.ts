import type { Attempt } from '../attempt.ts'
import type { GatewayCall } from '../call.ts'
import { recordUpstreamFailure } from '../choice/breakers.ts'
import type { ModelKind, Route } from '../deps.ts'
import { isFullyObservable } from './fully-observable.ts'

/** Timeouts of a route in ms: for a free connection, for the answer's head, and between its bytes. */
export interface AttemptTimeouts {
  readonly waitMs: number
  readonly timeoutMs: number
  readonly betweenMs: number
}

/** Time to wait for the vendor's figure after the client disconnected, in ms. */
export const READ_ON_MS = 900_000

/**
 * Timeouts of an attempt. If a silent vendor may be doing billable work, wait as long as after a client that disconnected: giving up
 * would pay for the answer twice, or leave us with the cost. The client gets a response long before (`watchSilence`).
 */
export function computeTimeouts(call: GatewayCall, route: Route): AttemptTimeouts {
  const { upstreamMs, drainMs = READ_ON_MS } = call.deps.limits
  const [head, between] = [route.firstByteMs ?? upstreamMs, route.betweenMs ?? upstreamMs]
  const isUnseen = mayWorkUnseen(call, route)
  const mayThink = isUnseen || (call.money !== 'none' && call.model!.capabilities.includes('thinking'))
  const longest = upstreamMs + drainMs
  return { waitMs: head, timeoutMs: isUnseen ? longest : head, betweenMs: mayThink ? longest : between }
}

/**
 * True if a timeout left the bill with us: the upstream got the request, sent no answer in time, and may have worked unseen. The
 * call costs the held amount and is not retried elsewhere (docs/decisions/holds-and-charges.md).
 */
export function isBillOwed(attempt: Attempt): boolean {
  const { call, route, timedOut, isAsked, status } = attempt
  if (!timedOut || !isAsked || call.money !== 'promised' || status >= 300 || call.meter.final) return false
  return status === 0 ? mayWorkUnseen(call, route) : !INPUT_PRICED_KINDS.has(call.model!.kind) && !isFullyObservable(call)
}

/**
 * True if the vendor may work unseen before its head: a whole answer's head comes with its end, and some vendors continue after an
 * abort. Calls priced by input finish quickly.
 */
function mayWorkUnseen({ money, facts, model }: GatewayCall, { upstream }: Route): boolean {
  return money !== 'none' && !INPUT_PRICED_KINDS.has(model!.kind) && (!facts!.stream || upstream.billsAfterAbort)
}
const INPUT_PRICED_KINDS: ReadonlySet<ModelKind> = new Set(['embedding', 'moderation', 'rerank'])

/**
 * Watches an attempt without a response. After its route's timeout, new calls are routed elsewhere; after ours, `tell` answers the client,
 * and we wait for the vendor's figure as after a disconnect. Called by the ticker.
 */
export function watchSilence(call: GatewayCall, now: number, tell: () => void): void {
  const attempt = call.attempt as Attempt | undefined
  if (attempt === undefined || attempt.over || attempt.status !== 0 || !attempt.isAsked || !mayWorkUnseen(call, attempt.route)) return
  const { upstreamMs, drainMs = READ_ON_MS } = call.deps.limits
  const silent = now - attempt.at
  if (!attempt.isLate && silent >= (attempt.route.firstByteMs ?? upstreamMs)) {
    attempt.isLate = true
    recordUpstreamFailure(call.breakers, attempt.route, 'timeout', undefined)
  }
  if (silent < upstreamMs || call.money !== 'promised') return
  tell()
  call.unanswered = true
  call.gone = true
  call.drainUntil = now + drainMs
  call.readOn = 'end'
}
