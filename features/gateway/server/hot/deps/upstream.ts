import type { VendorId } from './names.ts'

/** Lower-case names; a list for repeated fields. Without a prototype. */
export type UpstreamHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface UpstreamRequest {
  readonly origin: string
  readonly path: string
  /** Names and values alternating. */
  readonly headers: readonly string[]
  readonly body: Buffer
  /** Wait for the head. */
  readonly timeoutMs: number
  /** Wait for a free connection; defaults to that for the head. */
  readonly waitMs?: number
  /** Wait between the bytes of the body; defaults to that for the head. */
  readonly betweenMs?: number
}

/** Callbacks of a request. None is called after onEnd, onError or an abort, nor within `send`. */
export interface UpstreamHandler {
  onHead(status: number, headers: UpstreamHeaders): void
  /** All body bytes of one read of the connection; the handler may keep them. */
  onData(data: Buffer): void
  onEnd(): void
  onError(error: Error, isTimeout: boolean): void
}

/** A request under way, for the client that sent it. */
export interface Exchange {
  readonly over: boolean
  /** False while it waits for a connection: the server has received nothing yet. */
  readonly written: boolean
}

/** Speaks HTTP to upstreams over connections kept warm; see upstream/client.ts. */
export interface UpstreamClient {
  /** Sends a POST. Throws if the request cannot be put into HTTP, or the client is closed. */
  send(request: UpstreamRequest, handler: UpstreamHandler): Exchange
  /** No-ops once the exchange is over. */
  abort(exchange: Exchange): void
  pause(exchange: Exchange): void
  resume(exchange: Exchange): void
  /** Opens connections to an origin before the first request, up to this number including open ones. */
  warm?(origin: string, connections: number): void
  /** Closes all connections; open requests fail. */
  close(): Promise<void>
}

/**
 * Capacity of one upstream: concurrent calls, and calls in any sixty seconds. Only an upstream with a limit has a gate; without one nothing
 * is counted. The limits are those of one process.
 */
export interface GateLimits {
  readonly concurrent: number | undefined
  readonly perMinute: number | undefined
  /** Maximum number of waiting calls, and their maximum wait. */
  readonly queueLength: number
  readonly queueMs: number
}

export interface Gate {
  readonly upstream: string
  limits: GateLimits
  active: number
  /** Accepts no new calls: waiting ones use another upstream. */
  closed: boolean
  /** Start times of the last `perMinute` calls, with the oldest at `oldest`. */
  starts: Float64Array
  oldest: number
  /** Calls that wait for it (queue/queue.ts). */
  waiting: number
}

/** A vendor's server: the quirks are pure functions, the connections a warm pool. See vendors/port.ts. */
export interface UpstreamServer {
  readonly id: string
  readonly vendor: VendorId
  readonly origin: string
  /** Prefix of the vendor's own path, e.g. "" or "/proxy/openai". */
  readonly basePath: string
  readonly client: UpstreamClient
  /** Credential headers of this upstream: lower-case names and values alternating. */
  readonly authHeaders: readonly string[]
  /** True if the vendor keeps generating, and billing, after the client disconnects. */
  readonly billsAfterAbort: boolean
  /** Header in which this upstream accepts our call id (ModelVendor.callIdHeader); real vendors get no unknown headers. */
  readonly callIdHeader?: string
  /** Present if the upstream has concurrency or rate limits. */
  readonly gate?: Gate
  /** Accepts no new calls; open calls finish. Changes while calls hold this object. */
  draining?: boolean
}
