import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ApiKey, HotDeps, Surface } from '../deps.ts'
import { formatRefusal } from '../errors.ts'
import type { RequestRefusal } from '../errors.ts'
import type { CallHead } from '../request/head.ts'
import type { LocatedEndpoint } from '../request/locate.ts'

/** An authenticated handshake that has not become a session yet. */
export interface AuthenticatedHandshake {
  readonly req: IncomingMessage
  readonly socket: Duplex
  /** Bytes received after the handshake's head. */
  readonly early: Buffer
  readonly located: LocatedEndpoint
  readonly head: CallHead
  readonly surface: Surface
  readonly requestId: string
  readonly deps: HotDeps
  readonly secret: string
  /** The key as of the last check: its owner may change its permissions while a session is open. */
  key: ApiKey
}

/** A handshake before authentication. */
export type PendingHandshake = Omit<AuthenticatedHandshake, 'secret' | 'key'>

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** Refuses a handshake as HTTP, in the vendor's shape, and closes. */
export function refuseHandshake(knock: PendingHandshake, refused: RequestRefusal, retryAfter?: string): void {
  const { socket } = knock
  if (socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, body, retry } = formatRefusal(knock.surface, refused, knock.requestId)
  const lines = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${knock.requestId}`,
    `${knock.deps.brand.header}: ${knock.requestId}`,
  ]
  if (!retry) lines.push('x-should-retry: false')
  if (retryAfter !== undefined) lines.push(`retry-after: ${retryAfter}`)
  if (status === 426) lines.push('upgrade: HTTP/1.1')
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  knock.deps.metrics.call('', status, 0)
}
