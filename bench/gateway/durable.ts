import { createServer } from 'node:http'
import pg from 'pg'
import { Pool } from 'undici'
import type { Dispatcher } from 'undici'

/**
 * A baseline with durable billing: `bare.ts` plus one row per request in PostgreSQL, with group commit. The row is on disk before a
 * stream's first byte is sent, or before the last byte of another response. No key, no price, no balance. `node durable.ts PORT UPSTREAM
 * DATABASE`
 */
const [port = '9305', upstream = 'http://127.0.0.1:9100', database = ''] = process.argv.slice(2)
const pool = new Pool(upstream, { connections: 512, pipelining: 1 })
const db = new pg.Client(database)
// The database stops before this process.
db.on('error', () => process.exit(0))
await db.connect()
await db.query('create table if not exists bench_durable (id bigserial primary key, call text not null, amount bigint not null)')

let waitingRequests: (() => void)[] = []
let isWriting = false
let callCount = 0

function row(): Promise<void> {
  return new Promise((done) => {
    waitingRequests.push(done)
    if (!isWriting) {
      isWriting = true
      setImmediate(() => void write())
    }
  })
}

async function write(): Promise<void> {
  while (waitingRequests.length > 0) {
    const group = waitingRequests
    waitingRequests = []
    const names = group.map(() => `call_${(callCount++).toString(36).padStart(24, '0')}`)
    await db.query({
      name: 'rows',
      text: 'insert into bench_durable (call, amount) select * from unnest($1::text[], $2::bigint[])',
      values: [names, names.map(() => 123_456)],
    })
    for (const done of group) done()
  }
  isWriting = false
}

const server = createServer((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    const isStream = body.includes('"stream":true')
    /** Writes held back, in order, until the row is durable. */
    const held: (() => void)[] = []
    let isDurable = false
    const letGo = (): void => {
      isDurable = true
      for (const act of held) act()
    }
    const act = (what: () => void): void => {
      if (isDurable) what()
      else held.push(what)
    }
    if (isStream) void row().then(letGo)
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {
        /* required by undici */
      },
      onResponseStart(_controller, status, headers) {
        const length = headers['content-length']
        act(() =>
          res.writeHead(status, { 'content-type': String(headers['content-type']), ...(length === undefined ? {} : { 'content-length': String(length) }) }),
        )
      },
      onResponseData(_controller, chunk) {
        act(() => res.write(chunk))
      },
      onResponseEnd() {
        act(() => res.end())
        if (!isStream) void row().then(letGo)
      },
      onResponseError() {
        res.destroy()
      },
    }
    pool.dispatch({ path: req.url!, method: 'POST', headers: ['content-type', 'application/json'], body }, handler)
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1')
