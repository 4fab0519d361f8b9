import { createServer } from 'node:http'
import { Pool } from 'undici'
import type { Dispatcher } from 'undici'

/** A baseline: node:http and undici only, without keys or billing. `node bare.ts PORT UPSTREAM` */
const [port = '9301', upstream = 'http://127.0.0.1:9100'] = process.argv.slice(2)
const pool = new Pool(upstream, { connections: 512, pipelining: 1 })

const server = createServer((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {
        /* required by undici */
      },
      onResponseStart(_controller, status, headers) {
        const length = headers['content-length']
        res.writeHead(status, { 'content-type': String(headers['content-type']), ...(length === undefined ? {} : { 'content-length': String(length) }) })
      },
      onResponseData(_controller, chunk) {
        res.write(chunk)
      },
      onResponseEnd() {
        res.end()
      },
      onResponseError() {
        res.destroy()
      },
    }
    pool.dispatch(
      { path: req.url!, method: 'POST', headers: ['content-type', 'application/json'], body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) },
      handler,
    )
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1')
