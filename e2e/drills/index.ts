import { parseArgs } from 'node:util'
import { drillFullDisk, drillHungDatabase, drillReadOnlyDatabase } from './database.ts'
import { drillUpgrade } from './upgrade.ts'

/**
 * `npm run drill`: measures an installation during typical outages. `npm run drill -- read-only hung disk upgrade` selects some of them.
 * Prints the figures; exits with 1 if money or rows differ.
 */
const DRILLS: Readonly<Record<string, () => Promise<Record<string, string | number>>>> = {
  'read-only': drillReadOnlyDatabase,
  'hung': drillHungDatabase,
  'disk': drillFullDisk,
  'upgrade': drillUpgrade,
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
const { positionals } = parseArgs({ allowPositionals: true })
const unknown = positionals.find((name) => !(name in DRILLS))
if (unknown !== undefined) throw new Error(`no drill ${unknown}: ${Object.keys(DRILLS).join(', ')}`)
for (const [name, drill] of Object.entries(DRILLS)) {
  if (positionals.length && !positionals.includes(name)) continue
  const figures = await drill()
  console.log(`\n${name}`)
  for (const [what, figure] of Object.entries(figures)) console.log(`  ${what}: ${figure}`)
  if (figures['ledger problems'] !== 0) process.exitCode = 1
}
