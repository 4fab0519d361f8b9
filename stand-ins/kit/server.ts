import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Faults of a vendor's HTTP interface. `…-before`: the request had no effect; `…-after`: it took effect, but the response is lost or unusable. The
 * last two are specific to the vendor: its handler receives them and builds the response.
 */
export const FAULTS = [
  'hang-before',
  'hang-after',
  'reset-before',
  'reset-after',
  'reset-in-body',
  'error-before',
  'error-after',
  'html',
  'empty',
  'error-code',
  'bad-signature',
] as const
export type Fault = (typeof FAULTS)[number]

export interface StandInRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Path and query exactly as received. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The body as received; `body` is its text. */
  readonly bytes: Buffer
  readonly fault: Fault | undefined
}
export interface StandInReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}
/** The parts of a request that an oracle compares. */
export type ComparedRequest = Pick<StandInRequest, 'method' | 'path' | 'query' | 'headers' | 'body'> & Partial<Pick<StandInRequest, 'bytes'>>

/**
 * A vendor's published interface, as a check of what passes between an adapter and a stand-in. Absent outside tests. What the interface leaves
 * open (lengths, countries, rules of a model) is in the stand-in's own table of rules.
 */
export interface Oracle {
  /** Compares a request and the answer to it. An answer of 400 or above is only compared itself: the vendor refused the request. */
  check(request: ComparedRequest, reply: StandInReply): void
  /** Compares the answer alone, where clients may send more than the vendor takes. */
  checkReply(request: ComparedRequest, reply: StandInReply): void
  /** Compares a message that the vendor sends by itself: a webhook, an event of a stream. `name` is its type in the interface. */
  checkSent(name: string, body: unknown): void
  /** Throws if anything differed, naming endpoint, field and fault. */
  report(): void
}
type Handle = (request: StandInRequest) => Promise<StandInReply> | StandInReply

export interface StandInServer {
  readonly url: string
  /** Makes the next `times` requests fail whose path, or path and query, match. */
  misbehave(fault: Fault, times?: number, path?: RegExp): void
  /** Removes all planned faults. */
  behave(): void
  /** All requests received, oldest first. */
  readonly seen: readonly StandInRequest[]
  /** Stops; rejects if a message differed from the vendor's published interface. */
  close(): Promise<void>
}

/**
 * A vendor's server on loopback that answers with `handle`, or with a planned fault. With an oracle, every request that the handler accepts and
 * every answer is compared with the vendor's published interface, and `close` reports the differences.
 */
export async function startStandInServer(handle: Handle, { oracle }: { readonly oracle?: Oracle } = {}): Promise<StandInServer> {
  const plan: { fault: Fault; left: number; path: RegExp }[] = []
  const seen: StandInRequest[] = []
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://stand-in')
      const bytes = Buffer.concat(pieces)
      const planned = plan.find(({ left, path }) => left > 0 && (path.test(url.pathname) || path.test(url.pathname + url.search)))
      if (planned) planned.left--
      const request: StandInRequest = {
        method: incoming.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        url: incoming.url ?? '/',
        headers: incoming.headers,
        body: bytes.toString('utf8'),
        bytes,
        fault: planned?.fault,
      }
      seen.push(request)
      void answerRequest(request, response, { handle, oracle })
    })
  })
  // Keeps idle connections open while a test pauses: a dropped one would be an unplanned fault.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    misbehave: (fault, times = 1, path = /./) => {
      plan.push({ fault, left: times, path })
    },
    behave: () => {
      plan.length = 0
    },
    seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
      oracle?.report()
    },
  }
}

async function answerRequest(
  request: StandInRequest,
  response: ServerResponse,
  { handle, oracle }: { readonly handle: Handle; readonly oracle: Oracle | undefined },
): Promise<void> {
  const { fault } = request
  if (fault === 'hang-before') return
  if (fault === 'reset-before') return void response.destroy()
  if (fault === 'error-before') return void response.writeHead(503).end('busy')
  const reply = await Promise.resolve()
    .then(() => handle(request))
    .catch((error: unknown): StandInReply => ({ status: 500, body: `the stand-in failed: ${String(error)}` }))
  // An answer that a planned fault changed is not the vendor's.
  if (!fault) oracle?.check(request, reply)
  if (fault === 'hang-after') return
  if (fault === 'reset-after') return void response.destroy()
  if (fault === 'error-after') return void response.writeHead(500).end('{}')
  if (fault === 'html') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body><h1>502 Bad Gateway</h1></body></html>')
  if (fault === 'empty') return void response.writeHead(200).end()
  const body = Buffer.from(reply.body as string)
  response.writeHead(reply.status, { 'content-length': String(body.length), ...reply.headers })
  if (fault !== 'reset-in-body') return void response.end(body)
  response.write(body.subarray(0, Math.max(1, Math.floor(body.length / 2))), () => setTimeout(() => response.destroy(), 5))
}
