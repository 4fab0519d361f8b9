import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { readAsWritten } from '#platform/testing/global-setup.ts'
import { closeAsking } from './ask.ts'
import { isClean, report } from './report.ts'
import { attack } from './run.ts'
import { openStage } from './stage.ts'
import { STRATEGIES } from './strategies/index.ts'

/** `npm run attack`: every strategy against three gateways of its own, for a minute each. Exits with 1 where the house lost money. */
const { values } = parseArgs({
  options: {
    'seconds': { type: 'string', default: '60' },
    'only': { type: 'string', multiple: true, default: [] },
    'side-by-side': { type: 'string', default: '8' },
    'verbose': { type: 'boolean', default: false },
    'book': { type: 'string' },
  },
})
const strategies = STRATEGIES.filter(({ name }) => !values.only.length || values.only.some((wanted) => wanted.split(',').includes(name)))
if (!strategies.length) throw new Error(`no such strategy; there are ${STRATEGIES.map(({ name }) => name).join(', ')}`)

const interrupted = new Promise<never>((_, stop) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop(new Error(`ended by ${signal}`)))
})
const folder = mkdtempSync(join(tmpdir(), 'mingxi-attack-db-'))
const postgres = await startPostgres(folder, { max_connections: '200', shared_buffers: '64MB', fsync: 'off', full_page_writes: 'off' })
async function attackAndReport(): Promise<void> {
  await migrate(postgres.url, join(import.meta.dirname, '../../apps/server/migrations'))
  await readAsWritten(postgres.url)
  const stage = await openStage(postgres.url)
  try {
    const plan = { strategies, seconds: Number(values.seconds), sideBySide: Number(values['side-by-side']) }
    const verdict = await Promise.race([attack(stage, plan, (line) => console.error(line)), interrupted])
    if (values.book !== undefined) stage.vendor.book.save(values.book)
    for (const line of report(verdict, values.verbose)) console.log(line)
    if (!isClean(verdict)) {
      process.exitCode = 1
      for (const line of stage.warnings()) console.log(line)
    }
  } finally {
    await stage.stop()
  }
}

try {
  await Promise.race([attackAndReport(), interrupted])
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  closeAsking()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
// attackers that were interrupted would ask on
process.exit()
