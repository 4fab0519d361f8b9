import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}
export interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sends no response: the connection is cut, or hangs. */
  readonly never?: 'cut' | 'hang'
}
export type Handle = (request: Request) => Promise<Reply>

const MAX_BODY = 12_000_000

/** Serves on a port (0: any); resolves to it once it listens. */
export async function listen(handle: Handle, port: number, host: string): Promise<{ port: number; close(): Promise<void> }> {
  // none is closed while the request of a slow client is on its way
  const server: Server = createServer({ keepAliveTimeout: 120_000 }, (incoming, response) => {
    const pieces: Buffer[] = []
    let size = 0
    incoming.on('data', (piece: Buffer) => {
      size += piece.length
      if (size > MAX_BODY) incoming.destroy()
      else pieces.push(piece)
    })
    incoming.on('end', async () => {
      const url = new URL(incoming.url ?? '/', 'http://issuer')
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
      const reply = await handle({
        method: incoming.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers,
        body: Buffer.concat(pieces).toString('utf8'),
      }).catch((error: Error): Reply => ({ status: 500, type: 'text/plain', body: error.message }))
      if (reply.never === 'cut') return void response.destroy()
      if (reply.never === 'hang') return
      response.writeHead(reply.status, { 'content-type': reply.type, 'x-content-type-options': 'nosniff', ...reply.headers }).end(reply.body)
    })
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed).listen(port, host, () => done())
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => {
        server.close(done)
      })
    },
  }
}
