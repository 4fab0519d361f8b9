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
function shareCalls(calls: number, routes: readonly RouteRow[], upstreams: readonly UpstreamRow[], cheapestFirst: boolean): CallShares {
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

type C = typeof gatewayDeskContract
const HOUR_MS = 3_600_000
const listHourByModel = (rows: readonly HourRow[], id: string) =>
  rows.filter(({ upstream }) => upstream === id).map(({ model, calls, failed, first_byte_ms }) => ({ model, calls, failed, firstByteMs: first_byte_ms }))

/** Upstreams of the table, and those of environment keys that have had calls. */
export async function readUpstreams({ db, clock }: Ctx): Promise<ReplyOf<C['upstreams']>> {
  const now = clock.now()
  const [upstreams, routes, open, hour, cheapestFirst, keys, tests] = await Promise.all([
    ...([selectUpstreams(db), selectRoutes(db), countOpenCallsByUpstream(db)] as const),
    ...([selectCallsSince(db, new Date(now.getTime() - HOUR_MS)), readCheapestFirst(db), selectUpstreamKeys(db), selectLastTestCalls(db)] as const),
  ])
  const named = new Set(upstreams.map(({ upstream_id }) => upstream_id))
  const more = (id: string) => ({ key: findKeyView(keys, id), tests: tests.filter(({ upstream_id }) => upstream_id === id).map(toTestView) })
  const others = [...new Set([...hour.map(({ upstream }) => upstream), ...open.keys(), ...tests.map(({ upstream_id }) => upstream_id)])]
    .filter((id) => !named.has(id))
    .sort()
  return {
    cheapestFirst,
    upstreams: [
      ...upstreams.map(({ upstream_id: id, vendor, base_url, state, concurrent, per_minute }) => ({
        ...{ id, vendor, baseUrl: base_url, state, fromEnvironment: false, openCalls: open.get(id) ?? 0, concurrent, perMinute: per_minute },
        ...{ routes: routes.filter(({ upstream_id }) => upstream_id === id).map(toRouteView), hour: listHourByModel(hour, id) },
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
  const row = keys.find(({ upstream_id }) => upstream_id === id)
  return row ? { last4: row.last4, by: row.added_by, at: row.added_at.toISOString() } : null
}

const toTestView = (row: TestCallRow) => ({
  ...{ id: row.test_id, model: row.model_id, at: row.asked_at.toISOString(), by: row.asked_by, status: row.status, latencyMs: row.latency_ms },
  ...{ state: row.state, cost: row.cost === null ? null : formatUsd(row.cost), isMost: row.state !== 'done' && row.cost !== null, answer: row.answer },
})

const toRouteView = ({ model_id, upstream_model, priority, weight, cost_bp, dialects }: RouteRow) => ({
  ...{ model: model_id, upstreamModel: upstream_model, priority, weight, costBp: cost_bp, dialects },
})

/** Redistributes the last hour's calls of the upstream's models as if the change had been in effect. */
export async function dryRun({ db, clock }: Ctx, { upstreamId, state, weights }: InputOf<C['dryRun']>): Promise<ReplyOf<C['dryRun']>> {
  const [upstreams, routes, hour, cheapestFirst] = await Promise.all([
    ...([selectUpstreams(db), selectRoutes(db)] as const),
    ...([selectCallsSince(db, new Date(clock.now().getTime() - HOUR_MS)), readCheapestFirst(db)] as const),
  ])
  const wanted = new Map(weights.map(({ model, weight }) => [model, weight]))
  const changed = upstreams.map((row) => (row.upstream_id === upstreamId && state ? { ...row, state } : row))
  const rows: ReplyOf<C['dryRun']>['rows'] = []
  let [calls, unserved] = [0, 0]
  for (const model of new Set(routes.filter(({ upstream_id }) => upstream_id === upstreamId).map(({ model_id }) => model_id))) {
    const before = new Map(hour.filter((row) => row.model === model).map((row) => [row.upstream, row.calls]))
    const n = [...before.values()].reduce((all, each) => all + each, 0)
    if (!n) continue
    const own = routes
      .filter(({ model_id }) => model_id === model)
      .map((row) => (row.upstream_id === upstreamId && wanted.has(model) ? { ...row, weight: wanted.get(model)! } : row))
    const after = shareCalls(n, own, changed, cheapestFirst)
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
    ...{ day: row.day, charged: formatUsd(row.charged), posted: formatUsd(row.posted), received: formatUsd(row.received), paidBack: formatUsd(row.paid_back) },
    ...{
      sums: formatUsd(row.sums),
      captured: formatUsd(row.captured),
      unread: [...row.unread],
      alarms: [...row.alarms],
      comparedAt: row.compared_at.toISOString(),
    },
  }))
  return { rows, next: found.length > limit ? rows.at(-1)!.day : null }
}

export async function readBookDay({ db }: Ctx, { day }: InputOf<C['bookDay']>): Promise<ReplyOf<C['bookDay']>> {
  return { rows: (await selectBook(db, day)).map(toBookRowView) }
}

function toBookRowView(row: StoredBookRow): ReplyOf<C['bookDay']>['rows'][number] {
  const { tokenDrift, margin } = judgeBookRow(row)
  const theirs = row.their_input === null && row.their_output === null ? null : Number((row.their_input ?? 0n) + (row.their_output ?? 0n))
  return {
    ...{ vendor: row.vendor, model: row.model, revision: row.revision, calls: Number(row.our_calls), estimated: Number(row.estimated_calls) },
    ...{
      charge: formatUsd(row.our_charge),
      tokens: Number(row.our_input + row.our_output),
      theirCalls: row.their_calls === null ? null : Number(row.their_calls),
    },
    ...{ theirTokens: theirs, theirCost: row.their_cost === null ? null : formatUsd(row.their_cost) },
    ...{ tokenDrift: tokenDrift === undefined ? null : Number(tokenDrift), margin: margin === undefined ? null : formatUsd(margin) },
  }
}
