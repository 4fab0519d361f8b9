import { countEvent } from '#platform/server/metrics.ts'
import type { Log } from '#platform/server/log.ts'
import type { RouteRow, KeyedUpstreamRow, UpstreamRow } from './data.ts'
import type { Dialect, Route, UpstreamServer, UpstreamClient, Gate, GateLimits } from '../hot/deps.ts'
import { setGateLimits, createGate } from '../hot/choice/gate.ts'
import { stripVersion } from './environment.ts'
import type { VendorServer } from './environment.ts'
import type { ModelVendor } from '../vendors/port.ts'

/** Live objects for the upstreams in the table: one per upstream until its facts change, and one permanent gate each. */
export interface UpstreamRegistry {
  /** Undefined: the model has no rows. Empty: it has rows, but none takes calls now. */
  routesOf(model: string): readonly Route[] | undefined
  serverOf(upstream: string): VendorServer | undefined
  take(upstreams: readonly KeyedUpstreamRow[], routes: readonly RouteRow[], cheapestFirst: boolean): void
  /** Upstreams that take calls now. */
  active(): readonly UpstreamServer[]
  gates(): Iterable<Gate>
}

interface BuiltUpstream {
  readonly facts: string
  readonly upstream: UpstreamServer
}

/** Resolves references in rows: the vendor, if it may be used here, and the credential, stored by an operator or named within the table's check. */
export interface UpstreamResolver {
  readonly vendorOf: (row: Pick<UpstreamRow, 'vendor' | 'baseUrl'>) => ModelVendor | undefined
  readonly secretOf: (row: KeyedUpstreamRow) => string | undefined
}

interface State {
  readonly client: UpstreamClient
  readonly log: Pick<Log, 'error'>
  readonly world: UpstreamResolver
  readonly made: Map<string, BuiltUpstream>
  readonly gates: Map<string, Gate>
  rows: ReadonlyMap<string, KeyedUpstreamRow>
  byModel: ReadonlyMap<string, readonly Route[]>
}

export function createUpstreamRegistry(client: UpstreamClient, log: Pick<Log, 'error'>, world: UpstreamResolver): UpstreamRegistry {
  const s: State = { client, log, world, made: new Map(), gates: new Map(), rows: new Map(), byModel: new Map() }
  return {
    routesOf: (model) => s.byModel.get(model),
    serverOf: (id) => findServer(s, id),
    take: (upstreams, routes, cheapestFirst) => replaceRows(s, upstreams, { routes, cheapestFirst }),
    active: () => [...s.made.values()].map(({ upstream }) => upstream).filter((upstream) => upstream.draining === false),
    gates: () => s.gates.values(),
  }
}

function findServer({ rows, world }: State, id: string): VendorServer | undefined {
  const row = rows.get(id)
  const vendor = row && world.vendorOf(row)
  const key = row && world.secretOf(row)
  return row && vendor && key ? { vendor, key, baseUrl: row.baseUrl } : undefined
}

function replaceRows(
  s: State,
  upstreams: readonly KeyedUpstreamRow[],
  { routes, cheapestFirst }: { readonly routes: readonly RouteRow[]; readonly cheapestFirst: boolean },
): void {
  s.rows = new Map(upstreams.map((row) => [row.upstreamId, row]))
  for (const row of upstreams) {
    const upstream = getUpstream(s, row)
    if (upstream) upstream.draining = row.state !== 'active'
  }
  for (const [id, { upstream }] of s.made) if (!s.rows.has(id)) upstream.draining = true
  for (const [id, gate] of s.gates) if (!s.rows.has(id)) gate.closed = true
  const models = new Map<string, Route[]>()
  for (const row of rankRoutes(routes, cheapestFirst)) {
    const list = models.get(row.modelId) ?? []
    models.set(row.modelId, list)
    const server = s.rows.get(row.upstreamId)
    const upstream = s.made.get(row.upstreamId)?.upstream
    if (server && upstream && server.state === 'active' && upstream.draining === false)
      list.push(toRoute(row, server, { upstream, spoken: s.world.vendorOf(server)!.dialects }))
  }
  s.byModel = models
}

function getGate({ gates }: State, row: UpstreamRow): Gate | undefined {
  const limits: GateLimits = {
    concurrent: row.concurrent ?? undefined,
    perMinute: row.perMinute ?? undefined,
    queueLength: row.queueLength,
    queueMs: row.queueMs,
  }
  const known = gates.get(row.upstreamId)
  if (known) {
    setGateLimits(known, limits)
    known.closed = row.state !== 'active'
    return known
  }
  if (limits.concurrent === undefined && limits.perMinute === undefined) return undefined
  const gate = createGate(row.upstreamId, limits)
  gates.set(row.upstreamId, gate)
  return gate
}

function getUpstream(s: State, row: KeyedUpstreamRow): UpstreamServer | undefined {
  const vendor = s.world.vendorOf(row)
  const key = s.world.secretOf(row)
  if (!vendor || !key) {
    countEvent('gateway.upstream_unusable')
    s.log.error(
      { event: 'gateway.upstream_unusable', upstream: row.upstreamId, missing: vendor ? (row.keyId ?? row.credentialEnv) : `vendor ${row.vendor}` },
      'upstream left out',
    )
    return undefined
  }
  const gate = getGate(s, row)
  const facts = JSON.stringify([row.vendor, row.baseUrl, row.credentialEnv, key, row.billsAfterAbort, gate !== undefined])
  const known = s.made.get(row.upstreamId)
  if (known?.facts === facts) return known.upstream
  const url = new URL(row.baseUrl)
  const upstream: UpstreamServer = {
    id: row.upstreamId,
    vendor: row.vendor,
    origin: url.origin,
    basePath: stripVersion(url.pathname),
    client: s.client,
    authHeaders: vendor.authHeaders(key),
    billsAfterAbort: row.billsAfterAbort ?? vendor.billsAfterAbort,
    ...(vendor.callIdHeader === undefined ? {} : { callIdHeader: vendor.callIdHeader }),
    ...(gate === undefined ? {} : { gate }),
  }
  // Calls that use the old object finish on it.
  if (known) known.upstream.draining = true
  s.made.set(row.upstreamId, { facts, upstream })
  return upstream
}

export interface RankedRoute extends RouteRow {
  readonly rank: number
}

/** Ranks routes by priority and, if the setting says so, by price within a priority. Routes of equal rank share by weight. */
export function rankRoutes(routes: readonly RouteRow[], cheapestFirst: boolean): RankedRoute[] {
  return routes.map((row) => ({ ...row, rank: row.priority * 1_000_001 + (cheapestFirst ? row.costBp : 0) })).sort((a, b) => a.rank - b.rank)
}

function toRoute(
  row: RankedRoute,
  server: UpstreamRow,
  { upstream, spoken }: { readonly upstream: UpstreamServer; readonly spoken: readonly Dialect[] },
): Route {
  const firstByteMs = row.firstByteMs ?? server.firstByteMs
  const betweenMs = row.betweenMs ?? server.betweenMs
  return {
    upstream,
    upstreamModel: row.upstreamModel,
    rank: row.rank,
    weight: row.weight,
    dialects: new Set((row.dialects as Dialect[] | null) ?? spoken),
    ...(firstByteMs === null ? {} : { firstByteMs }),
    ...(betweenMs === null ? {} : { betweenMs }),
  }
}
