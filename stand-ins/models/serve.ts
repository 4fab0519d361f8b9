import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBook } from './book/book.ts'
import { createModelStandIn } from './server.ts'
import { createModelSockets } from './sockets/index.ts'

/** The sandbox alone: `node stand-ins/models/serve.ts [port, 0 for any] [book file] [ms between events]`. */
const [port = '4010', path, chunkMs = '0'] = process.argv.slice(2)
const book = openBook(path)
const options = { book, chunkMs: Number(chunkMs) }
const server = createServer({ keepAliveTimeout: 120_000 }, createModelStandIn(options)).on('upgrade', createModelSockets(options))
server.listen(Number(port), '127.0.0.1', () => {
  const { port: given } = server.address() as AddressInfo
  process.stdout.write(`sandbox upstream on http://127.0.0.1:${given}/sandbox/upstream\n`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
    book.close()
  })
}
