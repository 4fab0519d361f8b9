import { rankRoutes } from '../upstreams/upstream-registry.ts'
import type { RouteRow, UpstreamRow } from '../upstreams/data.ts'

/** A model's calls by upstream. */
export type CallShares = ReadonlyMap<string, number>

/**
 * How a model's calls would be shared: among the routes of the best rank that has an upstream taking calls, by weight, as the choice of
 * upstreams does (hot/choice/choose.ts). Nothing where none is left.
 */
export function shareCalls(calls: number, routes: readonly RouteRow[], upstreams: readonly UpstreamRow[], cheapestFirst: boolean): CallShares {
  const active = new Set(upstreams.filter(({ state }) => state === 'active').map(({ upstream_id }) => upstream_id))
  const open = rankRoutes(routes, cheapestFirst).filter(({ upstream_id }) => active.has(upstream_id))
  const best = open.filter(({ rank }) => rank === open[0]!.rank)
  const weights = best.reduce((all, { weight }) => all + weight, 0)
  const shares = new Map<string, number>()
  let left = calls
  for (const [at, { upstream_id, weight }] of best.entries()) {
    const share = at === best.length - 1 ? left : Math.round((calls * weight) / weights)
    shares.set(upstream_id, share)
    left -= share
  }
  return shares
}
