import type { Socket } from 'node:net'

/** Client request as the relay uses it: from node:http or the lane. */
export interface ClientRequest {
  readonly method?: string | undefined
  /** Path and query. */
  readonly url?: string | undefined
  /** Name, value, ... as they came. */
  readonly rawHeaders: string[]
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly socket: Pick<Socket, 'remoteAddress' | 'destroy'>
  /** The whole body has come. */
  readonly complete: boolean
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  /** `close`: the connection is gone before its end. */
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
  /** Known once the headers are written. */
  readonly chunkedEncoding: boolean
  readonly writableEnded: boolean
  /** The last byte has left. */
  readonly writableFinished: boolean
  readonly destroyed: boolean
  writeHead(status: number, headers: string[]): unknown
  flushHeaders(): void
  /** False when `drain` should be waited for. */
  write(chunk: Buffer): boolean
  end(): unknown
  /** A text is UTF-8 unless it is said to be `latin1`. */
  end(body: Buffer | string): unknown
  end(body: string, encoding: 'latin1'): unknown
  destroy(): unknown
  on(event: 'close', listener: () => void): unknown
  once(event: 'drain', listener: () => void): unknown
}

export type HandleRequest = (req: ClientRequest, res: ClientResponse) => void
