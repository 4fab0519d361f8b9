/**
 * `npm run gateway:compare -- [--day 2026-11-20] [--csv]`: compares a UTC day (yesterday unless told) in our rows, the ledger and
 * vendors' reports, keeps the result and prints it. Exits with 1 when there is an alarm. `--csv` prints rows for a spreadsheet.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '#platform/server/clock.ts'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { connect } from '#platform/server/db.ts'
import type { Deps } from '#platform/server/feature.ts'
import { createLog } from '#platform/server/log.ts'
import { startPostgres } from '#platform/server/postgres.ts'
import { createSettings } from '#platform/server/settings.ts'
import { bookText } from './books/book-text.ts'
import { gatewayConfig } from './config.ts'
import { compareBooks } from './verbs/compare-books.ts'

const { values } = parseArgs({ options: { day: { type: 'string' }, csv: { type: 'boolean' }, as: { type: 'string' } } })
const day = z.iso.date().parse(values.day ?? new Date(Date.now() - 86_400_000).toISOString().slice(0, 10))
const config = readConfig({ ...platformConfig, ...gatewayConfig })
const postgres = config.DATABASE_URL ? undefined : await startPostgres(resolve(config.DATA_DIR))
const db = connect(config.DATABASE_URL ?? postgres!.url, { max: 3, name: 'mingxi-compare' })
try {
  const deps = {
    db,
    config: config as Deps['config'],
    settings: createSettings(db),
    log: createLog('warn'),
    clock: systemClock,
    publicUrl: () => config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://127.0.0.1:${config.PORT}`,
  }
  const comparison = await compareBooks(deps, day, { kind: 'operator', id: values.as ?? 'command' })
  console.log(bookText(comparison, values.csv ?? false))
  process.exitCode = comparison.total.alarms.length ? 1 : 0
} finally {
  await db.close()
  await postgres?.stop()
}
