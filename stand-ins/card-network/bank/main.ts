import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listen } from '../web/http.ts'
import { keepGoing, openCompany } from './serve.ts'

/** First message of the parent process, so that no secret is on the command line or in the environment. */
export interface Orders {
  readonly folder: string
  readonly port: number
  readonly host: string
  readonly decideWithinMs: number
  readonly tokens: readonly string[]
  readonly noticeKey: string
  /** File with the milliseconds by which a test has moved the clock. */
  readonly testClock?: string | undefined
}

const CLOCK_POLL_MS = 20

/** A wall clock that is ahead by the milliseconds in a file. A missing or half-written file changes nothing. */
function followClock(file: string): () => number {
  let aheadMs = 0
  const read = () => {
    try {
      const ms = Number(readFileSync(file, 'utf8').trim() || Number.NaN)
      if (Number.isFinite(ms)) aheadMs = ms
    } catch {
      // not written yet
    }
  }
  read()
  setInterval(read, CLOCK_POLL_MS).unref()
  return () => Date.now() + aheadMs
}

process.once('message', async (orders: Orders) => {
  mkdirSync(orders.folder, { recursive: true, mode: 0o700 })
  const { company, handle } = openCompany({
    file: join(orders.folder, 'issuer.sqlite'),
    decideWithinMs: orders.decideWithinMs,
    ...(orders.testClock === undefined ? {} : { wall: followClock(orders.testClock) }),
    tokens: orders.tokens.map((token) => Buffer.from(token, 'base64')),
    noticeKey: Buffer.from(orders.noticeKey, 'base64'),
  })
  const server = await listen(handle, orders.port, orders.host).catch((error: NodeJS.ErrnoException) => {
    process.send?.({ failed: error.code ?? 'unknown' })
    process.exit(1)
  })
  keepGoing(company)
  process.send?.({ port: server.port })
})
// exit with the parent process
process.once('disconnect', () => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
