/** `npm run wallet:verify`: prints OK with counts, or the bad rows, first one first, and exits with 1. */
import { resolve } from 'node:path'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { connect } from '#platform/server/db.ts'
import { startPostgres } from '#platform/server/postgres.ts'
import { verifyLedger } from './verify.ts'

const config = readConfig(platformConfig)
const postgres = config.DATABASE_URL ? undefined : await startPostgres(resolve(config.DATA_DIR))
const db = connect(config.DATABASE_URL ?? postgres!.url, { max: 1, name: 'mingxi-verify' })
try {
  const { problems, counts } = await verifyLedger(db)
  for (const { at_table, row_id, problem } of problems) console.error(`BAD ${at_table} ${row_id}: ${problem}`)
  if (problems.length) process.exitCode = 1
  else
    console.log(
      `OK ${Object.entries(counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ')}`,
    )
} finally {
  await db.close()
  await postgres?.stop()
}
