import { createServer } from 'node:http'
import { createUpstreamClient } from '#features/gateway/server/hot/upstream/client.ts'
import { createInMemoryRelay } from './in-memory.ts'

/** Serves the relay without a database. `node relay.ts PORT UPSTREAM` */
const [port = '9302', upstream = 'http://127.0.0.1:9100'] = process.argv.slice(2)
const relay = createInMemoryRelay(createUpstreamClient({ connections: 512 }), upstream)
const server = createServer((req, res) => {
  if (relay.handles(req.url ?? '')) relay.handle(req, res)
  else res.writeHead(404).end()
})
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
