import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { followTestClock } from '#platform/server/test-clock/follow.ts'
import { listen } from './http.ts'
import { keepGoing, openCompany } from './serve.ts'

/** First message of the parent process, so that no secret is on the command line or in the environment. */
export interface Orders {
  readonly folder: string
  readonly port: number
  readonly host: string
  readonly decideWithinMs: number
  readonly tokens: readonly string[]
  readonly noticeKey: string
  /** Its wall clock follows the platform's where a test moves that. */
  readonly testClock?: string | undefined
}

process.once('message', async (orders: Orders) => {
  if (orders.testClock !== undefined) followTestClock(orders.testClock)
  mkdirSync(orders.folder, { recursive: true, mode: 0o700 })
  const { company, handle } = openCompany({
    file: join(orders.folder, 'issuer.sqlite'),
    decideWithinMs: orders.decideWithinMs,
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
