import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { gatewayDeskContract } from '../../contract-desk.console.ts'
import { selectBook } from '../books/data.ts'
import type { StoredBookRow } from '../books/data.ts'
import { judgeBookRow } from '../books/match.ts'
import { readCheapestFirst } from '../upstreams/change-routes.ts'
import { selectRoutes, selectUpstreams, countOpenCallsByUpstream } from '../upstreams/data.ts'
import type { RouteRow, UpstreamRow } from '../upstreams/data.ts'
import { selectUpstreamKeys } from '../upstreams/keys/data.ts'
import type { UpstreamKeyRow } from '../upstreams/keys/data.ts'
import { selectLastTestCalls } from '../upstreams/tests/data.ts'
import type { TestCallRow } from '../upstreams/tests/data.ts'
import { selectBookDays, selectCallsSince } from './data-desk.ts'
import type { HourRow } from './data-desk.ts'
import { rankRoutes } from '../upstreams/upstream-registry.ts'

/** A model's calls by upstream. */
type CallShares = ReadonlyMap<string, number>

/**
 * Predicts how a model's calls would be shared: by weight among the routes of the best rank that has an upstream taking calls, like the
 * choice of upstreams (hot/choice/choose.ts). Empty if none is left.
 */
function shareCalls(
  calls: number,
  routes: readonly RouteRow[],
  { upstreams, cheapestFirst }: { readonly upstreams: readonly UpstreamRow[]; readonly cheapestFirst: boolean },
): CallShares {
  const active = new Set(upstreams.filter(({ state }) => state === 'active').map(({ upstreamId }) => upstreamId))
  const open = rankRoutes(routes, cheapestFirst).filter(({ upstreamId }) => active.has(upstreamId))
  const best = open.filter(({ rank }) => rank === open[0]!.rank)
  const weights = best.reduce((all, { weight }) => all + weight, 0)
  const shares = new Map<string, number>()
  let left = calls
  for (const [at, { upstreamId, weight }] of best.entries()) {
    const share = at === best.length - 1 ? left : Math.round((calls * weight) / weights)
    shares.set(upstreamId, share)
    left -= share
  }
  return shares
}

type C = typeof gatewayDeskContract
const HOUR_MS = 3_600_000
const listHourByModel = (rows: readonly HourRow[], id: string) =>
  rows.filter(({ upstream }) => upstream === id).map(({ model, calls, failed, firstByteMs }) => ({ model, calls, failed, firstByteMs }))

/** Upstreams of the table, and those of environment keys that have had calls. */
export async function readUpstreams({ db, clock }: Ctx): Promise<ReplyOf<C['upstreams']>> {
  const now = clock.now()
  const [upstreams, routes, open, hour, cheapestFirst, keys, tests] = await Promise.all([
    ...([selectUpstreams(db), selectRoutes(db), countOpenCallsByUpstream(db)] as const),
    ...([selectCallsSince(db, new Date(now.getTime() - HOUR_MS)), readCheapestFirst(db), selectUpstreamKeys(db), selectLastTestCalls(db)] as const),
  ])
  const named = new Set(upstreams.map(({ upstreamId }) => upstreamId))
  const more = (id: string) => ({ key: findKeyView(keys, id), tests: tests.filter(({ upstreamId }) => upstreamId === id).map(toTestView) })
  const others = [...new Set([...hour.map(({ upstream }) => upstream), ...open.keys(), ...tests.map(({ upstreamId }) => upstreamId)])]
    .filter((id) => !named.has(id))
    .sort()
  return {
    cheapestFirst,
    upstreams: [
      ...upstreams.map(({ upstreamId: id, vendor, baseUrl, state, concurrent, perMinute }) => ({
        ...{ id, vendor, baseUrl, state, fromEnvironment: false, openCalls: open.get(id) ?? 0, concurrent, perMinute },
        ...{ routes: routes.filter(({ upstreamId }) => upstreamId === id).map(toRouteView), hour: listHourByModel(hour, id) },
        ...more(id),
      })),
      ...others.map((id) => ({
        ...{ id, vendor: id, baseUrl: '', state: 'active' as const, fromEnvironment: true, openCalls: open.get(id) ?? 0, concurrent: null, perMinute: null },
        ...{ routes: [], hour: listHourByModel(hour, id) },
        ...more(id),
      })),
    ],
  }
}

const findKeyView = (keys: readonly UpstreamKeyRow[], id: string) => {
  const row = keys.find(({ upstreamId }) => upstreamId === id)
  return row ? { last4: row.last4, by: row.addedBy, at: row.addedAt.toISOString() } : null
}

const toTestView = (row: TestCallRow) => ({
  ...{ id: row.testId, model: row.modelId, at: row.askedAt.toISOString(), by: row.askedBy, status: row.status, latencyMs: row.latencyMs },
  ...{ state: row.state, cost: row.cost === null ? null : formatUsd(row.cost), isMost: row.state !== 'done' && row.cost !== null, answer: row.answer },
})

const toRouteView = ({ modelId, upstreamModel, priority, weight, costBp, dialects }: RouteRow) => ({
  ...{ model: modelId, upstreamModel, priority, weight, costBp, dialects },
})

/** Redistributes the last hour's calls of the upstream's models as if the change had been in effect. */
export async function dryRun({ db, clock }: Ctx, { upstreamId, state, weights }: InputOf<C['dryRun']>): Promise<ReplyOf<C['dryRun']>> {
  const [upstreams, routes, hour, cheapestFirst] = await Promise.all([
    ...([selectUpstreams(db), selectRoutes(db)] as const),
    ...([selectCallsSince(db, new Date(clock.now().getTime() - HOUR_MS)), readCheapestFirst(db)] as const),
  ])
  const wanted = new Map(weights.map(({ model, weight }) => [model, weight]))
  const changed = upstreams.map((row) => (row.upstreamId === upstreamId && state ? { ...row, state } : row))
  const rows: ReplyOf<C['dryRun']>['rows'] = []
  let [calls, unserved] = [0, 0]
  for (const model of new Set(routes.filter((route) => route.upstreamId === upstreamId).map(({ modelId }) => modelId))) {
    const before = new Map(hour.filter((row) => row.model === model).map((row) => [row.upstream, row.calls]))
    const n = [...before.values()].reduce((all, each) => all + each, 0)
    if (!n) continue
    const own = routes
      .filter(({ modelId }) => modelId === model)
      .map((row) => (row.upstreamId === upstreamId && wanted.has(model) ? { ...row, weight: wanted.get(model)! } : row))
    const after = shareCalls(n, own, { upstreams: changed, cheapestFirst })
    calls += n
    if (!after.size) unserved += n
    for (const upstream of [...new Set([...before.keys(), ...after.keys()])].sort())
      rows.push({ model, upstream, before: before.get(upstream) ?? 0, after: after.get(upstream) ?? 0 })
  }
  return { calls, unserved, rows }
}

export async function readBooks({ db }: Ctx, { after, limit }: InputOf<C['books']>): Promise<ReplyOf<C['books']>> {
  const found = await selectBookDays(db, after ?? null, limit + 1)
  const rows = found.slice(0, limit).map((row) => ({
    ...{ day: row.day, charged: formatUsd(row.charged), posted: formatUsd(row.posted), received: formatUsd(row.received), paidBack: formatUsd(row.paidBack) },
    ...{
      sums: formatUsd(row.sums),
      captured: formatUsd(row.captured),
      unread: [...row.unread],
      alarms: [...row.alarms],
      comparedAt: row.comparedAt.toISOString(),
    },
  }))
  return { rows, next: found.length > limit ? rows.at(-1)!.day : null }
}

export async function readBookDay({ db }: Ctx, { day }: InputOf<C['bookDay']>): Promise<ReplyOf<C['bookDay']>> {
  return { rows: (await selectBook(db, day)).map(toBookRowView) }
}

function toBookRowView(row: StoredBookRow): ReplyOf<C['bookDay']>['rows'][number] {
  const { tokenDrift, margin } = judgeBookRow(row)
  const theirs = row.theirInput === null && row.theirOutput === null ? null : Number((row.theirInput ?? 0n) + (row.theirOutput ?? 0n))
  return {
    ...{ vendor: row.vendor, model: row.model, revision: row.revision, calls: Number(row.ourCalls), estimated: Number(row.estimatedCalls) },
    ...{
      charge: formatUsd(row.ourCharge),
      tokens: Number(row.ourInput + row.ourOutput),
      theirCalls: row.theirCalls === null ? null : Number(row.theirCalls),
    },
    ...{ theirTokens: theirs, theirCost: row.theirCost === null ? null : formatUsd(row.theirCost) },
    ...{ tokenDrift: tokenDrift === undefined ? null : Number(tokenDrift), margin: margin === undefined ? null : formatUsd(margin) },
  }
}
