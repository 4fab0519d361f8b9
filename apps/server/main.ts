import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { ConfigError, platformConfig, readConfig } from '#platform/server/config.ts'
import type { PlatformConfig } from '#platform/server/config.ts'
import { followTestClock } from '#platform/server/test-clock/follow.ts'
import { features } from './features.ts'
import { findMigrationProblems, findMissingSettings } from './missing-settings.ts'
import { describePortTaken } from './port-taken.ts'
import { migrateOnly, startServer } from './start.ts'

// By default, V8 lets a heap this small grow to four times its live data before it collects; a limit of three quarters more is as fast and
// saves 50 MB under 1,000 slow streams (docs/decisions/process-memory-and-load.md). NODE_OPTIONS does not accept this flag; V8 reads it at
// each collection.
setFlagsFromString('--heap-growing-percent=75')

// Reads ROLES and starts only those. The last line printed is for humans; all other output is JSON on standard output.
const shape = Object.assign({}, platformConfig, ...features.map((feature) => feature.config ?? {})) as typeof platformConfig
const isMigration = process.argv.includes('--migrate')
const config = readOrExit()
if (config.TEST_CLOCK !== undefined) {
  if (config.STAGE === 'production') throw new Error('STAGE=production refuses TEST_CLOCK: production runs on real time')
  followTestClock(config.TEST_CLOCK)
}
if (isMigration) {
  await migrateOnly(config).catch((error: Error) => {
    console.error(`The database was not brought up to date: ${error.message}`)
    process.exit(1)
  })
  process.exit(0)
}

// Handled from here on, so that everything a start has begun, PostgreSQL above all, is stopped too.
const leaving = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (leaving.signal.aborted) process.exit(1) // A second signal exits at once, which is safe for the ledger.
    console.log(`${signal}: finishing open work ...`)
    leaving.abort()
  })

const server = await startServer(config, leaving.signal).catch((error: Error) => {
  if (leaving.signal.aborted) process.exit(0)
  const { code, port = config.PORT } = error as NodeJS.ErrnoException & { port?: number }
  const taken = code === 'EADDRINUSE'
  console.error(`Mingxi did not start: ${taken ? describePortTaken(config, port) : error.message}`)
  process.exit(1)
})

// Flushes the compile cache early: Node writes it at exit only, so a killed process would lose it; with it the next start is a second faster.
setTimeout(flushCompileCache, 1_000).unref()

if (!leaving.signal.aborted) await once(leaving.signal, 'abort')
await server.stop().catch((error: Error) => console.error(error.message))
process.exit(0)

/** Prints every missing or invalid setting at once, without a stack trace. */
function readOrExit(): PlatformConfig {
  try {
    return readConfig(shape, undefined, isMigration ? findMigrationProblems : findMissingSettings)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(`Mingxi did not start: ${error.message}`)
    process.exit(1)
  }
}
