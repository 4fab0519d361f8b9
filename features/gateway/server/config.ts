import { z } from 'zod'
import type { ConfigShape } from '#platform/server/config.ts'
import { vendors } from './vendors/index.ts'

/** Key and base URL of every registered vendor. The sandbox answers for a vendor without a key, if that is allowed. */
const vendorShape: ConfigShape = Object.fromEntries(
  vendors.flatMap((vendor) => [
    [vendor.env.key, z.string().optional().describe(`Key of ${vendor.label}; see [models](vendors/models.md).`)],
    [
      vendor.env.baseUrl,
      z
        .url()
        .optional()
        .describe(
          vendor.standsFor
            ? `Where the sandbox plays ${vendor.standsFor}; this server's own address unless told.`
            : `Where ${vendor.label}, or what speaks like it, answers: ${vendor.baseUrl} unless told.`,
        ),
    ],
    ...[...(vendor.report?.needs ?? []), ...(vendor.report?.takes ?? [])].map((name) => [name, z.string().optional()] as const),
  ]),
)

const ownShape = {
  /** URL of the sandbox upstream; defaults to this server's own address. */
  SANDBOX_UPSTREAM_URL: z.url().optional(),
  /** URL at which this server reaches the model API for console test calls; defaults to its public address. */
  GATEWAY_URL: z.url().optional(),
  /** Delay in milliseconds between two chunks of a sandbox answer. */
  SANDBOX_CHUNK_MS: z.coerce.number().int().min(0).max(10_000).default(15),
  /** Sockets kept open to one upstream. */
  UPSTREAM_CONNECTIONS: z.coerce.number().int().min(1).max(60_000).default(8192),
  /** Connections opened to each upstream in advance; 0: none. */
  GATEWAY_WARM_CONNECTIONS: z.coerce.number().int().min(0).max(100).default(2),
  /**
   * Timeout for an upstream's headers and between its chunks. An answer that may be billed is read for its usage even after the timeout.
   */
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().min(1000).default(600_000),
  /** Time to read an answer for its usage after the client disconnected; then the held amount is charged. */
  GATEWAY_READ_ON_MS: z.coerce.number().int().min(1000).default(900_000),
  /** Largest request body; larger ones get a 413. */
  GATEWAY_BODY_MB: z.coerce.number().int().min(1).max(512).default(64),
  /** Total size of large bodies in memory, a quarter of it for one account. */
  GATEWAY_BODIES_MB: z.coerce.number().int().min(64).default(1024),
  /** Keys kept in memory by one process. */
  GATEWAY_KEYS_IN_MEMORY: z.coerce.number().int().min(100).default(200_000),
  /** Redis or Valkey that counts requests, tokens and concurrent calls of keys; defaults to PostgreSQL. */
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  /** Redis counts as unavailable after this long; the key's minute then restarts at zero in PostgreSQL. */
  REDIS_AWAY_MS: z.coerce.number().int().min(50).default(500),
  /** Longest wait of a new call for its row, money or key from the database; then the call is refused. */
  GATEWAY_REFUSE_MS: z.coerce.number().int().min(200).max(60_000).default(800),
  /** A process whose heartbeat is older than this is declared dead; it may return under another name. */
  GATEWAY_NODE_DEAD_MS: z.coerce.number().int().min(4000).default(10_000),
  /**
   * A silent process that returns within this time finds everything that it had set aside. Afterwards the sweeper leaves its leases only
   * the holds of open calls. Counts from the last heartbeat.
   */
  GATEWAY_RETURN_MS: z.coerce.number().int().min(0).max(900_000).default(90_000),
  /**
   * Open calls of a process that has been silent for this long are provisionally charged their holds. Less than the 30 minutes that a
   * lease's hold lives at least.
   */
  GATEWAY_SILENT_MS: z.coerce.number().int().min(1000).max(1_500_000).default(900_000),
} as const

export const gatewayConfig = { ...vendorShape, ...ownShape }
export type GatewayConfig = Readonly<Record<string, unknown>> & { readonly [K in keyof typeof ownShape]: z.output<(typeof ownShape)[K]> }

/** Defaults for tests and for processes started without this feature's configuration. */
export function readGatewayConfig(config: Readonly<Record<string, unknown>>): GatewayConfig {
  const own = z.object(ownShape).parse(Object.fromEntries(Object.keys(ownShape).map((key) => [key, config[key]])))
  return Object.assign({ ...config }, own) as GatewayConfig
}
