import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { pinCatalogueDate } from '#platform/testing/global-setup.ts'
import { closeAttackAgent } from './send-request.ts'
import { isAttackClean, formatAttackReport } from './report.ts'
import { runAttack } from './run.ts'
import { isPlatformClean, formatPlatformReport } from './platform/report.ts'
import { attackPlatform } from './platform/run.ts'
import { openPlatformStage } from './platform/stage.ts'
import { PLATFORM_STRATEGIES } from './platform/strategies/index.ts'
import { startOwnDatabase } from '../robots/stage/database.ts'
import { openAttackStage } from './stage.ts'
import { STRATEGIES } from './strategies/index.ts'

/**
 * `npm run attack`: runs every strategy for a minute against three dedicated gateways, then the strategies against the whole platform.
 * Exits with 1 if we lost money or accepted an action that must be refused.
 */
const { values } = parseArgs({
  options: {
    'seconds': { type: 'string', default: '60' },
    'only': { type: 'string', multiple: true, default: [] },
    'side-by-side': { type: 'string', default: '8' },
    'verbose': { type: 'boolean', default: false },
    'book': { type: 'string' },
    'port': { type: 'string', default: '3900' },
  },
})
const isWanted = ({ name }: { readonly name: string }): boolean => !values.only.length || values.only.some((wanted) => wanted.split(',').includes(name))
const strategies = STRATEGIES.filter(isWanted)
const platformStrategies = PLATFORM_STRATEGIES.filter(isWanted)
if (!strategies.length && !platformStrategies.length)
  throw new Error(`no such strategy; there are ${[...STRATEGIES, ...PLATFORM_STRATEGIES].map(({ name }) => name).join(', ')}`)

const interruption = new Promise<never>((_, stop) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop(new Error(`ended by ${signal}`)))
})

async function attackGateways(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-attack-db-'))
  const postgres = await startPostgres(folder, { max_connections: '200', shared_buffers: '64MB', fsync: 'off', full_page_writes: 'off' })
  try {
    await migrate(postgres.url, join(import.meta.dirname, '../../apps/server/migrations'))
    await pinCatalogueDate(postgres.url)
    const stage = await openAttackStage(postgres.url)
    try {
      const plan = { strategies, seconds: Number(values.seconds), sideBySide: Number(values['side-by-side']) }
      const verdict = await Promise.race([runAttack(stage, plan, (line) => console.error(line)), interruption])
      if (values.book !== undefined) stage.vendor.book.save(values.book)
      for (const line of formatAttackReport(verdict, values.verbose)) console.log(line)
      if (!isAttackClean(verdict)) {
        process.exitCode = 1
        for (const line of stage.warnings()) console.log(line)
      }
    } finally {
      await stage.stop()
    }
  } finally {
    closeAttackAgent()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function attackWholePlatform(): Promise<void> {
  const database = await startOwnDatabase()
  try {
    const platform = await openPlatformStage({ databaseUrl: database.url, port: Number(values.port) })
    try {
      const verdict = await Promise.race([attackPlatform(platform, platformStrategies, { tell: (line) => console.error(line) }), interruption])
      for (const line of formatPlatformReport(verdict)) console.log(line)
      if (!isPlatformClean(verdict)) process.exitCode = 1
    } finally {
      await platform.stop()
    }
  } finally {
    await database.stop()
  }
}

try {
  if (strategies.length) await Promise.race([attackGateways(), interruption])
  if (platformStrategies.length) await Promise.race([attackWholePlatform(), interruption])
} catch (error) {
  console.error(error)
  process.exitCode = 1
}
// interrupted attackers would keep sending requests
process.exit()
