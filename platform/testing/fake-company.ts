import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Faults of a company's HTTP interface. `…-before`: the request had no effect; `…-after`: it took effect, but the response is lost or unusable. The
 * last two are specific to the company: its handler receives them and builds the response.
 */
export const COMPANY_FAULTS = [
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
export type CompanyFault = (typeof COMPANY_FAULTS)[number]

export interface CompanyRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Path and query exactly as received. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly fault: CompanyFault | undefined
}
export interface CompanyReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}
export interface Company {
  readonly url: string
  /** Makes the next `times` requests fail whose path or path and query match. */
  misbehave(fault: CompanyFault, times?: number, path?: RegExp): void
  /** Removes all planned faults. */
  behave(): void
  /** All requests received, oldest first. */
  readonly seen: readonly CompanyRequest[]
  close(): Promise<void>
}

/** A company's server on loopback that answers with `handle`, or with a planned fault. */
export async function startFakeCompany(handle: (request: CompanyRequest) => Promise<CompanyReply> | CompanyReply): Promise<Company> {
  const plan: { fault: CompanyFault; left: number; path: RegExp }[] = []
  const seen: CompanyRequest[] = []
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://fake')
      const planned = plan.find(({ left, path }) => left > 0 && (path.test(url.pathname) || path.test(url.pathname + url.search)))
      if (planned) planned.left--
      const request: CompanyRequest = {
        method: incoming.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        url: incoming.url ?? '/',
        headers: incoming.headers,
        body: Buffer.concat(pieces).toString('utf8'),
        fault: planned?.fault,
      }
      seen.push(request)
      void answerRequest(handle, request, response)
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
    },
  }
}

async function answerRequest(
  handle: (request: CompanyRequest) => Promise<CompanyReply> | CompanyReply,
  request: CompanyRequest,
  response: ServerResponse,
): Promise<void> {
  const { fault } = request
  if (fault === 'hang-before') return
  if (fault === 'reset-before') return void response.destroy()
  if (fault === 'error-before') return void response.writeHead(503).end('busy')
  const reply = await Promise.resolve()
    .then(() => handle(request))
    .catch((error: unknown): CompanyReply => ({ status: 500, body: `the fake broke: ${String(error)}` }))
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
