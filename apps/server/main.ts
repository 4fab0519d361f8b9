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

// V8 lets a heap as small as ours grow to four times what lives before it collects; three quarters more are as fast and hold 50 MB less
// under 1,000 slow streams (docs/decisions/process-memory-and-load.md). NODE_OPTIONS does not take this flag; V8 reads it at each
// collection.
setFlagsFromString('--heap-growing-percent=75')

// Reads ROLES and starts only those. The last line printed is for people; everything else is JSON on standard output.
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

// Heard from here on: what a start has begun by then, PostgreSQL above all, is ended too.
const leaving = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (leaving.signal.aborted) process.exit(1) // asked twice: leave at once, the ledger does not mind
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

/** Everything missing or wrong is printed at once, without a trace of the program. */
function readOrExit(): PlatformConfig {
  try {
    return readConfig(shape, undefined, isMigration ? findMigrationProblems : findMissingSettings)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(`Mingxi did not start: ${error.message}`)
    process.exit(1)
  }
}
