import { allowsSandbox, namedSecret } from '#platform/server/config.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Deps } from '#platform/server/feature.ts'
import { readGatewayConfig } from '../config.ts'
import { allRoutes, allUpstreams } from './data.ts'
import type { UpstreamRow } from './data.ts'
import type { Route, Upstream } from '../hot/deps.ts'
import { createHttp2Client } from '../hot/http2/client.ts'
import { createNegotiatingClient } from '../hot/http2/negotiate.ts'
import type { Gate } from '../hot/choice/gate.ts'
import { withCrashPoints } from './crash-client.ts'
import { createUpstreamClient } from '../hot/upstream/client.ts'
import { maySell } from '../refuse-start.ts'
import { createServed } from './served.ts'
import { vendors } from '../vendors/index.ts'
import type { ModelVendor } from '../vendors/port.ts'

/**
 * Where models are served: by the rows of routes where a model has some, else a vendor with a key in the environment by itself,
 * else the sandbox that plays it.
 */
export interface Upstreams {
  /** Undefined: nobody serves it. Empty: its upstreams are drained, off or without their credential. */
  routesOf(vendor: string, model: string): readonly Route[] | undefined
  /** For the sweeper: the vendor behind an upstream's id, with its address and key. */
  vendorOf(upstream: string): { readonly vendor: ModelVendor; readonly baseUrl: string; readonly key: string } | undefined
  /** Limited upstreams, for the metrics. */
  gates(): Iterable<Gate>
  /** Reads the rows of upstreams and routes again. */
  reload(sql: Sql, cheapestFirst: boolean): Promise<void>
  /** Opens a few connections to each upstream now, and again what was closed meanwhile. */
  keepWarm(): void
  stop(): Promise<void>
}

/** Often enough that a connection closed for idleness is back before anybody needs it. */
const WARM_MS = 20_000
const SANDBOX = 'sandbox'
const SANDBOX_KEY_NAME = 'SANDBOX_UPSTREAM_KEY'

export function createUpstreams(deps: Pick<Deps, 'config' | 'publicUrl' | 'log'>): Upstreams {
  const config = readGatewayConfig(deps.config)
  const sandboxAllowed = allowsSandbox(deps.config, 'models')
  const text = (name: string) => {
    const value = config[name]
    return typeof value === 'string' && value ? value : undefined
  }
  const keyOf = (vendor: ModelVendor) => text(vendor.env.key) ?? (vendor.id.startsWith(SANDBOX) ? SANDBOX : undefined)
  const baseOf = (vendor: ModelVendor) => {
    if (!vendor.id.startsWith(SANDBOX)) return tidy(text(vendor.env.baseUrl) ?? vendor.baseUrl)
    const root = config.SANDBOX_UPSTREAM_URL ?? `${deps.publicUrl()}/sandbox/upstream`
    return text(vendor.env.baseUrl) ?? `${root.replace(/\/$/, '')}${vendor.id === SANDBOX ? '' : `/${vendor.id.slice(SANDBOX.length + 1)}`}`
  }
  const options = { connectMs: 10_000 }
  const client = withCrashPoints(createUpstreamClient({ ...options, connections: config.UPSTREAM_CONNECTIONS, idleMs: 60_000 }), deps.config.CRASH_AT)
  const http2 = createHttp2Client(options)
  const either = createNegotiatingClient(client, http2)
  const clientFor = (http: UpstreamRow['http']) => (http === '1.1' ? client : http === '2' ? http2 : either)
  const served = createServed(clientFor, deps.log, {
    // In production a sandbox needs its permission, elsewhere a vendor that bills us does, whoever wrote the row.
    vendorOf: ({ vendor: id, base_url: baseUrl }) =>
      vendors.find((vendor) => vendor.id === id && (sandboxAllowed || !id.startsWith(SANDBOX)) && maySell(deps.config, id, baseUrl)),
    secretOf: (name) => text(name) ?? namedSecret(name) ?? (name === SANDBOX_KEY_NAME ? SANDBOX : undefined),
  })
  let timer: NodeJS.Timeout | undefined
  const made = new Map<string, Upstream>()
  const upstreamOf = (vendor: ModelVendor, key: string, of: string): Upstream => {
    const known = made.get(vendor.id)
    if (known) return known
    const upstream: Upstream = {
      id: vendor.id,
      vendor: of,
      client,
      authHeaders: vendor.authHeaders(key),
      billsAfterAbort: vendor.billsAfterAbort,
      // Read at each call: the port of a sandbox in this process is known only once it listens.
      get origin() {
        return new URL(baseOf(vendor)).origin
      },
      get basePath() {
        return new URL(baseOf(vendor)).pathname.replace(/\/$/, '')
      },
      ...(vendor.callIdHeader === undefined ? {} : { callIdHeader: vendor.callIdHeader }),
    }
    const fixed = vendor.id.startsWith(SANDBOX) && !config.SANDBOX_UPSTREAM_URL ? upstream : { ...upstream }
    made.set(vendor.id, fixed)
    return fixed
  }
  const chosen = (id: string): { vendor: ModelVendor; key: string } | undefined => {
    const real = vendors.find((vendor) => vendor.id === id)
    const realKey = real && keyOf(real)
    if (real && realKey) return { vendor: real, key: realKey }
    const stand = sandboxAllowed ? vendors.find((vendor) => vendor.id === `${SANDBOX}-${id}`) : undefined
    return stand && { vendor: stand, key: keyOf(stand) ?? SANDBOX }
  }
  return {
    routesOf: (vendor, model) => {
      const rows = served.routesOf(model)
      if (rows) return rows
      const server = chosen(vendor)
      return server && [{ upstream: upstreamOf(server.vendor, server.key, vendor), upstreamModel: model }]
    },
    reload: async (sql, cheapestFirst) => {
      served.take(await allUpstreams(sql), await allRoutes(sql), cheapestFirst)
    },
    gates: served.gates,
    vendorOf: (upstream) => {
      const row = served.serverOf(upstream)
      if (row) return row
      const vendor = vendors.find((entry) => entry.id === upstream)
      const key = vendor && keyOf(vendor)
      return vendor && key ? { vendor, key, baseUrl: baseOf(vendor) } : undefined
    },
    keepWarm: () => {
      const warm = () => {
        // The sandbox of this process is not asked for connections to itself.
        const fixed = [...made.values()].filter((upstream) => !upstream.id.startsWith(SANDBOX))
        for (const { client: each, origin } of [...fixed, ...served.active()]) each.warm?.(origin, config.GATEWAY_WARM_CONNECTIONS)
      }
      warm()
      timer ??= setInterval(warm, WARM_MS).unref()
    },
    stop: async () => {
      clearInterval(timer)
      await Promise.all([client.close(), http2.close()])
    },
  }
}

/** People paste base URLs with the version that SDKs want; ours comes with the path. */
function tidy(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v1(beta)?$/, '')
}
