import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from './json.ts'
import type { Route } from './route.ts'

/** What one request is known by, everywhere in the sandbox. */
export interface Visit {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly route: Route
  readonly requestId: string
  /** Our own call id from the header, else the request id. */
  readonly callId: string
  readonly key: string
}

/** `hash` covers path and bytes: the same request, the same hash. */
export interface Body {
  readonly json: JsonObject
  readonly hash: string
}
