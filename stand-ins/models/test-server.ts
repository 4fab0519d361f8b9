import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBook, type Entry, type ModelBook } from './book/book.ts'
import type { Duplex } from 'node:stream'
import { createModelStandIn, type ModelStandInOptions } from './server.ts'
import { createModelOracles, observe } from './observe.ts'
import { createModelSockets } from './sockets/index.ts'

/** A sandbox on a port of its own, for tests here and in e2e. */
export interface RunningModelStandIn {
  /** Without the vendor's prefix. */
  readonly url: string
  readonly book: ModelBook
  /** The last entry of a call, once it is closed. */
  closed(callId: string): Promise<Entry>
  /** Rejects if a message differed from the vendor's published interface. */
  stop(): Promise<void>
}

/** `first` sees each request before the sandbox does; true: it has answered itself, as a server that is ill would. */
export async function startModelStandIn(
  options: Partial<ModelStandInOptions> = {},
  first: (req: IncomingMessage, res: ServerResponse) => boolean = () => false,
): Promise<RunningModelStandIn> {
  const book = options.book ?? openBook()
  const answer = createModelStandIn({ ...options, book })
  const oracles = await createModelOracles()
  const server = createServer({ keepAliveTimeout: 120_000 }, (req, res) => {
    if (first(req, res)) return
    observe(req, res, oracles)
    answer(req, res)
  })
  server.on('upgrade', createModelSockets({ ...options, book }))
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (_req, socket) => upgraded.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/sandbox/upstream`,
    book,
    async closed(callId) {
      for (let tries = 0; tries < 2000; tries++) {
        const entry = book.find(callId).at(-1)
        if (entry && entry.status !== 'running') return entry
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      throw new Error(`the call ${callId} is not closed in the book`)
    },
    stop: async () => {
      await new Promise((resolve) => {
        server.close(resolve)
        for (const socket of upgraded) socket.destroy()
        server.closeAllConnections()
      })
      book.close()
      for (const oracle of Object.values(oracles)) oracle.report()
    },
  }
}
