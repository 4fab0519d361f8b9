import type { Socket } from 'node:net'

/** Client request as the relay uses it: from node:http or the lane. */
export interface ClientRequest {
  readonly method?: string | undefined
  /** Path and query. */
  readonly url?: string | undefined
  /** Names and values alternating, as received. */
  readonly rawHeaders: string[]
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly socket: Pick<Socket, 'remoteAddress' | 'destroy'>
  /** The whole body has arrived. */
  readonly complete: boolean
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  /** `close`: the connection closed before the request's end. */
  on(event: 'end' | 'close', listener: () => void): unknown
  /** Stops reading the body for now. */
  pause(): unknown
  /** Resumes after a pause; without a listener the rest of the body is discarded. */
  resume(): unknown
}

/** Response to a client as the relay uses it. */
export interface ClientResponse {
  /** Null while the answer waits behind another on its connection. */
  readonly socket: Socket | null
  readonly headersSent: boolean
  /** Set once the headers are written. */
  readonly chunkedEncoding: boolean
  readonly writableEnded: boolean
  /** The last byte was sent. */
  readonly writableFinished: boolean
  readonly destroyed: boolean
  writeHead(status: number, headers: string[]): unknown
  flushHeaders(): void
  /** False if the caller should wait for `drain`. */
  write(chunk: Buffer): boolean
  end(): unknown
  /** Strings are UTF-8 unless `latin1` is given. */
  end(body: Buffer | string): unknown
  end(body: string, encoding: 'latin1'): unknown
  destroy(): unknown
  on(event: 'close', listener: () => void): unknown
  once(event: 'drain', listener: () => void): unknown
}

export type HandleRequest = (req: ClientRequest, res: ClientResponse) => void
