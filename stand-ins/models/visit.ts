import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from './read/json.ts'
import type { Endpoint } from './endpoint.ts'

/** A request with its identifiers. */
export interface Visit {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly endpoint: Endpoint
  readonly requestId: string
  /** Our own call id from the header, else the request id. */
  readonly callId: string
  readonly key: string
}

/** A file of a form. */
export interface Upload {
  readonly field: string
  readonly name: string
  readonly bytes: Buffer
}

/** `hash` covers path and bytes: the same request, the same hash. */
export interface Body {
  /** Of a form: its texts. */
  readonly json: JsonObject
  readonly files: readonly Upload[]
  readonly hash: string
}
