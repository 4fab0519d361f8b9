/**
 * Measures the operators' lists on large tables: `npm run bench:desk -- --orders 1000000 --calls 10000000`. Fills a temporary PostgreSQL,
 * queries it through the operators' endpoints, and removes it. Goal: the work list and the customer search under 200 ms at the 95th
 * percentile of 100. `--database URL` uses an already filled one, `--only audit` runs the queries with that in their name. On a busy
 * machine the minimum is more reliable than the 95th percentile.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '#platform/server/database/db.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { features } from '../../apps/server/features.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { fillDesk } from './fill.ts'
import { listDeskQueries } from './queries.ts'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '1000000' },
    samples: { type: 'string', default: '100' },
    database: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const [orders, calls, samples] = [Number(values.orders), Number(values.calls), Number(values.samples)]
const GOAL_MS = 200
const databaseArgument = values.database
const folder = databaseArgument ? undefined : mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'mingxi-desk-'))
const startedAt = Date.now()
const logProgress = (text: string) => console.log(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}`)
const postgres =
  folder === undefined ? undefined : await startPostgres(folder, { shared_buffers: '512MB', max_wal_size: '8GB', synchronous_commit: 'off', fsync: 'off' })
const url = databaseArgument ?? postgres!.url
if (!databaseArgument) await migrate(url, join(import.meta.dirname, '../../apps/server/migrations'))
const owner = connect(url, { max: 2, asOwner: true })
const db = connect(url, { max: 8 })
let missedGoals = 0

const pickTime = (share: number, times: readonly number[]) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!

try {
  if (!databaseArgument) await fillDesk(owner, { orders, calls }, logProgress)
  const { call, deps } = createTestApp({ features, db, surface: 'operators' })
  const { token } = await anOperator(deps, ['owner'])
  const ask = async (path: string, input: object) => {
    const answer = await call('GET', path, input, { token })
    if (answer.code !== 200) throw new Error(`${path} answered ${answer.status} ${answer.msg}`)
    return answer.data
  }
  const first = (await ask('/operator/work', { limit: 50 })) as { rows: unknown[]; next: string | null }
  logProgress(`work list: ${first.rows.length} rows on the first page`)
  const questions = listDeskQueries(orders, first.next ?? undefined).filter(([name]) => name.includes(values.only))
  console.log(`\n${'question'.padEnd(42)}${'least'.padStart(9)}${'p50'.padStart(9)}${'p95'.padStart(9)}${'most'.padStart(9)}   goal`)
  for (const [name, path, input] of questions) {
    const times: number[] = []
    await ask(path, input(0))
    for (let n = 1; n <= samples; n++) {
      const from = performance.now()
      await ask(path, input(n))
      times.push(performance.now() - from)
    }
    times.sort((a, b) => a - b)
    const isMissed = pickTime(0.95, times) > GOAL_MS
    if (isMissed) missedGoals++
    const shown = [times[0]!, pickTime(0.5, times), pickTime(0.95, times), times.at(-1)!].map((ms) => `${ms.toFixed(1)} ms`.padStart(9)).join('')
    console.log(`${name.padEnd(42)}${shown}   ${GOAL_MS} ms${isMissed ? '  MISSED' : ''}`)
  }
} finally {
  await Promise.all([db.close(), owner.close()])
  await postgres?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
}
process.exitCode = missedGoals ? 1 : 0
