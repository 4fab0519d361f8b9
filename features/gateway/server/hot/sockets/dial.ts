import { WebSocket } from 'ws'
import type { RawData } from 'ws'
import type { Dialect, GatewayModel, Route } from '../deps.ts'
import { enterGate, hasRoom } from '../choice/gate.ts'
import { classifyStatus, recordUpstreamFailure, recordUpstreamSuccess, getBreakerState } from '../choice/breakers.ts'
import type { Breakers } from '../choice/breakers.ts'
import { leaveGate } from '../queue/queue.ts'
import { mapStatusToCause } from '../errors.ts'
import type { RequestRefusal } from '../errors.ts'
import { redactNames } from '../answer/vendor-errors.ts'

/** An open vendor socket, with the frames received before a listener was attached. */
export interface DialledSocket {
  readonly socket: WebSocket
  readonly route: Route
  /** Sets the receiver of frames; frames received earlier are delivered first. */
  listen(take: (data: RawData, isBinary: boolean) => void): void
}

export interface SocketDial {
  readonly model: GatewayModel
  readonly dialect: Dialect
  readonly breakers: Breakers
  /** Path and query at the vendor, for a route. */
  readonly path: (route: Route) => string
  /** Without the vendor's credentials, name, value, ... */
  readonly headers: readonly string[]
  readonly callId: string
  /** The client disconnected: the dial is aborted. */
  readonly signal: AbortSignal
}

const CONNECT_MS = 15_000
/** Maximum size of a vendor's frame; a frame with an image has some megabytes. */
const FRAME_BYTES = 64 * 1024 * 1024
const ERROR_BYTES = 65_536
/** A zero mask, which costs no work: masks keep browsers from misleading proxies (RFC 6455, 10.3), and TLS hides these frames from any. */
const generateMask = (mask: Buffer): void => void mask.fill(0)

/** Dials the routes of a model, healthy ones first, until one opens; forwards a vendor's own refusal of the request. */
export async function dialSocket(what: SocketDial): Promise<DialledSocket | RequestRefusal> {
  const now = Date.now()
  const offered = what.model.routes.filter((route) => route.upstream.draining !== true && (route.dialects === undefined || route.dialects.has(what.dialect)))
  const isWell = (route: Route): boolean =>
    getBreakerState(what.breakers, route, now) !== 'open' && (route.upstream.gate === undefined || hasRoom(route.upstream.gate, now))
  const tried = new Set<string>()
  let refused: RequestRefusal = { cause: 'unavailable', message: `The model \`${what.model.id}\` cannot be reached at the moment. Try again shortly.` }
  for (const route of [...offered.filter(isWell), ...offered.filter((one) => !isWell(one))]) {
    if (tried.has(route.upstream.id) || what.signal.aborted) continue
    tried.add(route.upstream.id)
    const outcome = await dialRoute(what, route)
    if ('socket' in outcome) {
      recordUpstreamSuccess(what.breakers, route)
      return outcome
    }
    refused = outcome.refused
    if (outcome.isFinal) break
  }
  return refused
}

interface FailedDial {
  readonly refused: RequestRefusal
  /** The request itself is at fault: other upstreams would refuse it too. */
  readonly isFinal: boolean
}

function dialRoute(what: SocketDial, route: Route): Promise<DialledSocket | FailedDial> {
  const { upstream } = route
  const headers: Record<string, string> = {}
  for (const list of [what.headers, upstream.authHeaders, upstream.callIdHeader === undefined ? [] : [upstream.callIdHeader, what.callId]])
    for (let i = 0; i + 1 < list.length; i += 2) headers[list[i]!] = list[i + 1]!
  const url = `${upstream.origin.replace(/^http/, 'ws')}${upstream.basePath}${what.path(route)}`
  const { gate } = upstream
  if (gate !== undefined) enterGate(gate, Date.now())
  return new Promise((resolve) => {
    const socket = new WebSocket(url, {
      headers,
      perMessageDeflate: false,
      maxPayload: FRAME_BYTES,
      handshakeTimeout: CONNECT_MS,
      followRedirects: false,
      generateMask,
    })
    const early: [RawData, boolean][] = []
    let take = (data: RawData, isBinary: boolean): void => {
      early.push([data, isBinary])
      if (early.length === 64) socket.pause()
    }
    const failed = (status: number | undefined, refused: RequestRefusal, isFinal = false): void => {
      const kind = status === undefined ? 'connection' : classifyStatus(status)
      if (kind !== undefined && !what.signal.aborted) recordUpstreamFailure(what.breakers, route, kind, undefined)
      resolve({ refused, isFinal })
    }
    socket.on('message', (data, isBinary) => take(data, isBinary))
    socket.on('close', () => {
      if (gate !== undefined) leaveGate(gate)
    })
    socket.on('open', () =>
      resolve({
        socket,
        route,
        listen(taker) {
          take = taker
          for (const [data, isBinary] of early.splice(0)) taker(data, isBinary)
          socket.resume()
        },
      }),
    )
    socket.on('error', () => failed(undefined, { cause: 'upstream_failed', message: "The model's provider could not be reached. Try again shortly." }))
    socket.on('unexpected-response', (request, response) => {
      const status = response.statusCode ?? 502
      const chunks: Buffer[] = []
      let bytes = 0
      const done = (): void => {
        request.destroy()
        if (gate !== undefined) leaveGate(gate)
        // 401, 402 and 403 concern our own account at the vendor.
        const isTheirs = status === 400 || status === 404 || status === 422
        const said = isTheirs ? parseErrorMessage(Buffer.concat(chunks)) : undefined
        failed(
          status,
          isTheirs
            ? { cause: status === 404 ? 'no_model' : 'bad_request', message: said ?? 'The provider refused this session.' }
            : { cause: mapStatusToCause(status), message: "The model's provider cannot take this session at the moment. Try again shortly." },
          isTheirs,
        )
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= ERROR_BYTES) chunks.push(chunk)
      })
      response.on('end', done)
      response.on('error', done)
    })
    const giveUp = (): void => socket.terminate()
    what.signal.addEventListener('abort', giveUp, { once: true })
    socket.on('open', () => what.signal.removeEventListener('abort', giveUp))
  })
}

function parseErrorMessage(body: Buffer): string | undefined {
  try {
    const parsed = JSON.parse(body.toString()) as { error?: { message?: unknown } }
    return typeof parsed.error?.message === 'string' ? redactNames(parsed.error.message) : undefined
  } catch {
    return undefined
  }
}
