/**
 * `npm run gateway:compare -- [--day 2026-11-20] [--csv]`: compares a UTC day (default: yesterday) in our rows, the ledger and
 * vendors' reports, stores the result and prints it. Exits with 1 on an alarm. `--csv` prints rows for a spreadsheet.
 */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { toOperatorActor, runInstallationCommand } from '#platform/server/command.ts'
import { formatBookComparison } from './book-text.ts'
import { gatewayConfig } from '../config.ts'
import { compareVendorBooks } from './compare-books.ts'

const { values } = parseArgs({ options: { day: { type: 'string' }, csv: { type: 'boolean' }, as: { type: 'string' } } })
const day = z.iso.date().parse(values.day ?? new Date(Date.now() - 86_400_000).toISOString().slice(0, 10))

await runInstallationCommand('compare', gatewayConfig, {
  work: async (deps) => {
    const comparison = await compareVendorBooks(deps, day, { actor: toOperatorActor(values.as) })
    console.log(formatBookComparison(comparison, values.csv ?? false))
    process.exitCode = comparison.total.alarms.length ? 1 : 0
  },
})
