import type { Sql } from '#platform/server/database/db.ts'
import type { Deps } from '#platform/server/feature.ts'
import { selectRoutes, selectUpstreams } from './data.ts'
import type { Route, UpstreamServer, UpstreamClient, Gate, UpstreamHandler } from '../hot/deps.ts'
import { resolveBaseUrl, isOwnSandbox, isSandbox, readEnvironment, findVendorServer, findDefaultServer, findRowVendor } from './environment.ts'
import type { Environment, VendorServer } from './environment.ts'
import { resolveCredential } from './keys/upstream-key.ts'
import { createUpstreamClient } from '../hot/upstream/client.ts'
import { createUpstreamRegistry } from './upstream-registry.ts'
import type { UpstreamRegistry } from './upstream-registry.ts'
import type { ModelVendor } from '../vendors/port.ts'
import { crashPoint } from '#platform/server/crash.ts'

/** Exposes the steps of a dial as crash points. Returns the client unchanged unless a crash is configured. */
function withCrashPoints(client: UpstreamClient, crashAt: unknown): UpstreamClient {
  if (typeof crashAt !== 'string' || !/^(?:@|gateway\.)/.test(crashAt)) return client
  return {
    ...client,
    send: (request, handler) => {
      crashPoint('gateway.before-dial')
      const exchange = client.send(request, withHandlerCrashPoints(handler))
      crashPoint('gateway.after-dial')
      return exchange
    },
  }
}

function withHandlerCrashPoints(handler: UpstreamHandler): UpstreamHandler {
  return {
    onHead: (status, headers) => {
      crashPoint('gateway.before-first-byte')
      handler.onHead(status, headers)
    },
    onData: (data) => {
      handler.onData(data)
      crashPoint('gateway.after-first-byte')
    },
    onEnd: () => {
      crashPoint('gateway.before-last-byte')
      handler.onEnd()
    },
    onError: (error, isTimeout) => handler.onError(error, isTimeout),
  }
}

/** Routes of models: from the rows, if a model has any; else a vendor with a key in the environment; else the sandbox that mocks it. */
export interface Upstreams {
  /** undefined: no upstream serves it. Empty: its upstreams are drained, off or without their credential. */
  routesOf(vendor: string, model: string): readonly Route[] | undefined
  /** For the sweeper: the vendor behind an upstream's id, with its address and key. */
  vendorOf(upstream: string): VendorServer | undefined
  /** Limited upstreams, for the metrics. */
  gates(): Iterable<Gate>
  /** Reloads the rows of upstreams and routes. */
  reload(sql: Sql, cheapestFirst: boolean): Promise<void>
  /** Opens a few connections to each upstream now, and periodically replaces closed ones. */
  keepWarm(): void
  stop(): Promise<void>
}

interface State {
  readonly env: Environment
  readonly client: UpstreamClient
  /** By rows. */
  readonly served: UpstreamRegistry
  /** Upstreams from the environment, by the vendor's id. */
  readonly made: Map<string, UpstreamServer>
  timer: NodeJS.Timeout | undefined
}

/** Often enough to replace a connection closed for idleness before it is needed. */
const WARM_MS = 20_000

export function createUpstreams(deps: Pick<Deps, 'config' | 'publicUrl' | 'log' | 'secretKeys'>): Upstreams {
  const env = readEnvironment(deps)
  const client = withCrashPoints(
    createUpstreamClient({ connectMs: 10_000, connections: env.config.UPSTREAM_CONNECTIONS, idleMs: 60_000 }),
    deps.config.CRASH_AT,
  )
  const served = createUpstreamRegistry(client, deps.log, {
    vendorOf: (row) => findRowVendor(env, row.vendor, row.baseUrl),
    secretOf: (row) => resolveCredential(env, deps.secretKeys, row),
  })
  const s: State = { env, client, served, made: new Map(), timer: undefined }
  return {
    routesOf: (vendor, model) => served.routesOf(model) ?? buildEnvironmentRoutes(s, vendor, model),
    vendorOf: (upstream) => served.serverOf(upstream) ?? findVendorServer(env, upstream),
    gates: served.gates,
    reload: async (sql, cheapestFirst) => served.take(await selectUpstreams(sql), await selectRoutes(sql), cheapestFirst),
    keepWarm: () => {
      warmConnections(s)
      s.timer ??= setInterval(warmConnections, WARM_MS, s).unref()
    },
    stop: async () => {
      clearInterval(s.timer)
      await client.close()
    },
  }
}

function buildEnvironmentRoutes(s: State, vendor: string, model: string): readonly Route[] | undefined {
  const server = findDefaultServer(s.env, vendor)
  return server && [{ upstream: getVendorUpstream(s, server.vendor, { key: server.key, of: vendor }), upstreamModel: model }]
}

function getVendorUpstream({ env, client, made }: State, vendor: ModelVendor, { key, of }: { readonly key: string; readonly of: string }): UpstreamServer {
  const known = made.get(vendor.id)
  if (known) return known
  const upstream: UpstreamServer = {
    id: vendor.id,
    vendor: of,
    client,
    authHeaders: vendor.authHeaders(key),
    billsAfterAbort: vendor.billsAfterAbort,
    get origin() {
      return new URL(resolveBaseUrl(env, vendor)).origin
    },
    get basePath() {
      return new URL(resolveBaseUrl(env, vendor)).pathname.replace(/\/$/, '')
    },
    ...(vendor.callIdHeader === undefined ? {} : { callIdHeader: vendor.callIdHeader }),
  }
  // Read the origin at each call while the port is unknown, once if the address is fixed.
  const fixed = isOwnSandbox(env, vendor) ? upstream : { ...upstream }
  made.set(vendor.id, fixed)
  return fixed
}

function warmConnections({ env, made, served }: State): void {
  // Do not open connections to this process's own sandbox.
  const fixed = [...made.values()].filter((upstream) => !isSandbox(upstream))
  for (const { client, origin } of [...fixed, ...served.active()]) client.warm?.(origin, env.config.GATEWAY_WARM_CONNECTIONS)
}
