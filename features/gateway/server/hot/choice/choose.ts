import type { GatewayCall } from '../call.ts'
import type { Route } from '../deps.ts'
import { enterGate, hasRoom } from './gate.ts'
import { claimProbe, getBreakerState } from './breakers.ts'
import { computeUpstreamScore, computeStickyHash } from './sticky.ts'

/**
 * Chooses the next upstream (docs/decisions/upstream-choice.md): among the routes of the best rank whose upstream is healthy and has
 * room, the one that the call sticks to. The next rank is used only if none in it qualifies. No upstream is tried twice in a request.
 */
export function chooseFirstRoute(call: GatewayCall): Route | undefined {
  const { routes } = call.model!
  // Always use a sole upstream: a breaker could only refuse calls that might have worked.
  return routes.length === 1 ? routes[0] : pickRoute(call, true)
}

/**
 * Re-checks the route when dialing. While the call waited for money, another call may have become the probe of an open breaker, or
 * the upstream may be draining. Only a call that dials becomes the probe.
 */
export function confirmRoute(call: GatewayCall): Route {
  const route = call.route!
  const { breakers } = call
  if (call.model!.routes.length === 1) return route
  const isLost = route.upstream.draining === true || (breakers.subjects.size > 0 && getBreakerState(breakers, route, Date.now()) === 'open')
  const chosen = (isLost ? pickRoute(call, true) : route) ?? route
  claimProbe(breakers, chosen, Date.now())
  return chosen
}

/** After a failure, before the first byte: chooses only an upstream that is healthy and has room at once. The call has its slot there. */
export function chooseNextRoute(call: GatewayCall): Route | undefined {
  const route = call.model!.routes.length === 1 ? undefined : pickRoute(call, false)
  if (route === undefined) return undefined
  if (route.upstream.gate !== undefined) enterGate(route.upstream.gate, Date.now())
  claimProbe(call.breakers, route, Date.now())
  return route
}

/** Not tried in this request yet, accepting new calls, and speaking the dialect of the upstream request. */
export function isRouteOffered(call: GatewayCall, route: Route): boolean {
  if (route.upstream.draining === true || (route.dialects !== undefined && !route.dialects.has(call.rules!.id))) return false
  for (const one of call.tried) if (one.upstream === route.upstream) return false
  return true
}

function pickRoute(call: GatewayCall, isFirst: boolean): Route | undefined {
  const { breakers } = call
  const now = Date.now()
  const { routes } = call.model!
  // Without shared ranks there is nothing to stick to.
  const isShared = routes.some((route, at) => at > 0 && route.rank === routes[at - 1]!.rank)
  const hash = isShared ? computeStickyHash(call) : 0
  let best: Route | undefined
  let bestScore = -1
  /** healthy, but without room: a call may wait for it */
  let full: Route | undefined
  let fullScore = -1
  /** failing, but the last resort: it may work again */
  let last: Route | undefined
  let lastScore = -1
  for (const route of routes) {
    if (best !== undefined && route.rank !== best.rank) break
    if (!isRouteOffered(call, route)) continue
    const score = isShared ? computeUpstreamScore(hash, route.upstream.id, route.weight ?? 1) : 0
    const state = getBreakerState(breakers, route, now)
    const { gate } = route.upstream
    if (state === 'open') {
      if (score > lastScore && (last === undefined || last.rank === route.rank)) [last, lastScore] = [route, score]
    } else if (gate !== undefined && !hasRoom(gate, now)) {
      if (score > fullScore && (full === undefined || full.rank === route.rank)) [full, fullScore] = [route, score]
    } else if (score > bestScore) {
      best = route
      bestScore = score
    }
  }
  return best ?? (isFirst ? (full ?? last) : undefined)
}
