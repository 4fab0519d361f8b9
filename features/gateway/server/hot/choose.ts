import type { Call } from './call.ts'
import type { Route } from './deps.ts'

/**
 * Which upstream next. Routes come best first, and the first is kept while it works, so that prompt caches live.
 * A breaker opens per (upstream, model) after repeated failures and lets one call through when its time is over.
 */
const FAILURES_TO_OPEN = 5
const OPEN_MS = 10_000

const nameOf = (route: Route): string => `${route.upstream.id}\n${route.upstreamModel}`

function isOpen(call: Call, route: Route, now: number): boolean {
  if (call.breakers.size === 0) return false
  const breaker = call.breakers.get(nameOf(route))
  if (breaker === undefined || breaker.failures < FAILURES_TO_OPEN) return false
  if (breaker.openUntil > now) return true
  // Half-open: this call is the probe, the others wait for its result.
  breaker.openUntil = now + OPEN_MS
  return false
}

/** The best route not yet tried; open breakers only when nothing else is left. */
export function nextRoute(call: Call): Route | undefined {
  const left = call.model!.routes.filter((route) => !call.tried.includes(route))
  const now = Date.now()
  return left.find((route) => !isOpen(call, route, now)) ?? left[0]
}

export function firstRoute(call: Call): Route | undefined {
  const { routes } = call.model!
  return routes.length === 1 ? routes[0] : nextRoute(call)
}

/** By the kind of failure, never by an error's text (wire.md, traps). */
export function noteRoute(call: Call, route: Route, works: boolean): void {
  const name = nameOf(route)
  if (works) {
    if (call.breakers.size > 0) call.breakers.delete(name)
    return
  }
  const breaker = call.breakers.get(name) ?? { failures: 0, openUntil: 0 }
  breaker.failures++
  if (breaker.failures >= FAILURES_TO_OPEN) breaker.openUntil = Date.now() + OPEN_MS
  call.breakers.set(name, breaker)
}

/** Another upstream may do better: it is busy, down, overloaded, or it does not accept our own credentials. */
export function mayFailOver(status: number): boolean {
  return status === 429 || status >= 500 || status === 401 || status === 402 || status === 403 || status === 408
}
