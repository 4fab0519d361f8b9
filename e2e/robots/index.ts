import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createPeopleBrowser } from './pages/window.ts'
import { startOwnDatabase } from './stage/database.ts'
import { startRobotProduct } from './stage/product.ts'
import { endRun, startRun, withDesk } from './phases.ts'
import { collectLogErrors, formatReplayCommand, summarizeTraces } from './report.ts'
import { runPeople } from './run.ts'

/**
 * `npm run robots`: simulates random customers who use the whole product, and checks the books after each act. Exits with 1 on a violation.
 */
const { values } = parseArgs({
  options: {
    'seed': { type: 'string' },
    'people': { type: 'string', default: '30' },
    'acts': { type: 'string', default: '40' },
    'from': { type: 'string', default: '0' },
    'side-by-side': { type: 'string', default: '6' },
    'port': { type: 'string', default: '3800' },
    'pages': { type: 'string', default: '10' },
    'pages-dir': { type: 'string' },
    'faults': { type: 'string', default: '8' },
    'do': { type: 'string', default: '' },
    'without': { type: 'string', default: '' },
    'stay': { type: 'boolean', default: false },
    'verbose': { type: 'boolean', default: false },
  },
})
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
const plan = {
  seed,
  people: Number(values.people),
  acts: Number(values.acts),
  from: Number(values.from),
  sideBySide: Number(values['side-by-side']),
  pagesPercent: Number(values.pages),
  faultsPercent: Number(values.faults),
  browser: createPeopleBrowser(),
  ...(values.verbose ? { live: (line: string) => void console.error(line) } : {}),
  named: values.do
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean),
  without: new Set(values.without.split(',').filter(Boolean).map(Number)),
}
console.log(`seed ${seed}: ${plan.people} people from ${plan.from}, ${plan.acts} acts each`)
const database = await startOwnDatabase()
const product = await startRobotProduct({ databaseUrl: database.url, port: Number(values.port), pagesDir: values['pages-dir'] }).catch(
  async (error: unknown) => {
    await database.stop()
    throw error
  },
)
const started = performance.now()
try {
  const staffed = await startRun(product)
  const people = runPeople(product, { ...plan, faults: staffed.faults }, (told) => {
    console.log(`${told.found.length ? '✗' : '✓'} ${told.who}`)
    if (told.found.length || values.verbose) for (const line of told.lines) console.log(line)
  })
  const all = await withDesk(staffed, seed, people)
  const rest = await endRun(product, staffed, { seed, people: all })
  for (const told of all) if (told.lastLook) console.log(told.lines.slice(-12).join('\n'))
  for (const line of rest.lines) console.log(line)
  for (const line of summarizeTraces([], rest.found)) console.log(`✗ ${line}`)
  const found = [...all.flatMap((told) => told.found.map((one) => ({ ...one, at: told.at }))), ...rest.found.map((one) => ({ ...one, at: undefined }))]
  const rules = new Map<string, number>()
  for (const { rule } of found) rules.set(rule, (rules.get(rule) ?? 0) + 1)
  for (const line of collectLogErrors(product.takeOutput())) console.log(`log: ${line}`)
  console.log(`\n${plan.people * plan.acts} acts in ${((performance.now() - started) / 1000).toFixed(0)} s, ${found.length} violations`)
  for (const [rule, times] of rules) console.log(`  ${times} x ${rule}`)
  for (const at of new Set(found.flatMap((one) => one.at ?? []))) console.log(formatReplayCommand(plan, at))
  if (found.length) process.exitCode = 1
  if (values.stay) {
    console.log(`still there until Ctrl+C: ${product.siteUrl} ${product.databaseUrl}`)
    await new Promise((done) => process.once('SIGINT', done))
  }
} finally {
  await plan.browser.close()
  await product.stop()
  await database.stop()
}
process.exit()
