import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { readConfig, platformConfig } from '#platform/server/config.ts'
import { features } from './features.ts'
import { migrateOnly, startServer } from './start.ts'

// V8 lets a heap as small as ours grow to four times what lives before it collects; three quarters more are as fast and hold 50 MB less under 1,000 slow
// streams (decision 0033). NODE_OPTIONS does not take this flag; V8 reads it at each collection.
setFlagsFromString('--heap-growing-percent=75')

// Reads ROLES and starts only those. The last line printed is for people; everything else is JSON on standard output.
const config = readConfig(Object.assign({}, platformConfig, ...features.map((feature) => feature.config ?? {})) as typeof platformConfig)
if (process.argv.includes('--migrate')) {
  await migrateOnly(config).catch((error: Error) => {
    console.error(`The database was not brought up to date: ${error.message}`)
    process.exit(1)
  })
  process.exit(0)
}
const server = await startServer(config).catch((error: Error) => {
  const { code, port = config.PORT } = error as NodeJS.ErrnoException & { port?: number }
  const taken = code === 'EADDRINUSE'
  console.error(
    `Mingxi did not start: ${taken ? `port ${port} is taken; choose another one with ${port === config.PORT ? 'PORT=3001' : 'CONSOLE_PORT=4001'} npm start` : error.message}`,
  )
  process.exit(1)
})

// What was compiled is kept on the disk at a process's end, and a process that is killed has none: it starts again a second faster.
setTimeout(flushCompileCache, 1_000).unref()

let stopping = false
const stop = async (signal: string) => {
  if (stopping) process.exit(1) // asked twice: leave at once, the ledger does not mind
  stopping = true
  console.log(`${signal}: finishing open work ...`)
  await server.stop().catch((error: Error) => console.error(error.message))
  process.exit(0)
}
process.on('SIGTERM', () => stop('SIGTERM'))
process.on('SIGINT', () => stop('SIGINT'))
