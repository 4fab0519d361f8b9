// `npm run test:faults`: does the suite still notice what it ought to? Plants one mistake at a time in a copy of the checkout, runs the
// tests that should catch it, and tells. Minutes a fault at worst: this is asked for when the suite changes, not with every change.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { InjectedFault } from './fault.ts'
import { injectedFaults } from './faults.ts'
import { injectFault, explainUninjectable } from './plant.ts'
import { endRuns, runTests } from './run-tests.ts'
import type { FaultResult } from './run-tests.ts'
import { copyCheckout } from './scratch.ts'
import { formatReportLine, listLostFaults, mergeReports, describeLostFaults } from './report.ts'
import type { FaultReportLine } from './report.ts'

const USAGE = 'npm run test:faults -- [--only id ...] [--feature name ...] [--out file.json] [--compare before.json] [--types] [--sound]'
const root = join(import.meta.dirname, '../..')

/** Plants a fault, runs its tests and puts the file back, whatever happens. */
export async function measureFault(
  tree: string,
  fault: InjectedFault,
  run: (tree: string, tests: readonly string[]) => Promise<FaultResult> = runTests,
): Promise<FaultReportLine> {
  const from = performance.now()
  const why = explainUninjectable(tree, fault)
  let ending: FaultResult = { outcome: 'does not apply any more', why: why ?? '' }
  if (!why) {
    const restore = injectFault(tree, fault)
    try {
      ending = await run(tree, fault.tests)
    } finally {
      restore()
    }
  }
  return { id: fault.id, feature: fault.feature, ...ending, seconds: Math.round((performance.now() - from) / 1000) }
}

/** All faults at once past the type checker: what does not compile is no fault that a test has to catch. */
function checkTypes(tree: string, chosen: readonly InjectedFault[]): boolean {
  for (const fault of chosen) injectFault(tree, fault)
  const wrong = ['server', 'web'].filter((half) => {
    const args = [join(tree, 'node_modules/typescript7/bin/tsc'), '-p', `tsconfig.${half}.json`]
    return spawnSync(process.execPath, args, { cwd: tree, stdio: 'inherit' }).status !== 0
  })
  console.log(`${chosen.length} faults planted at once: ${wrong.length ? `wrong types in ${wrong.join(' and ')}` : 'all types are right'}`)
  return !wrong.length
}

/** The listed tests without any fault: one that fails then catches nothing. */
async function checkSound(tree: string, chosen: readonly InjectedFault[]): Promise<boolean> {
  let sound = true
  for (const test of new Set(chosen.flatMap((fault) => fault.tests))) {
    const { outcome, why } = await runTests(tree, [test])
    sound &&= outcome === 'not caught'
    console.log(`${outcome === 'not caught' ? 'green ' : 'FAILED'} ${test}  ${why}`)
  }
  return sound
}

const readResults = (file: string) => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FaultReportLine[]) : [])

/** After each fault, so that a run which is interrupted has told what it knew. */
function saveResults(file: string, told: readonly FaultReportLine[]): void {
  const ids = injectedFaults.map(({ id }) => id)
  writeFileSync(file, `${JSON.stringify(mergeReports(readResults(file), told, ids), null, 2)}\n`)
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      feature: { type: 'string', multiple: true },
      out: { type: 'string' },
      compare: { type: 'string' },
      types: { type: 'boolean' },
      sound: { type: 'boolean' },
    },
  })
  const chosen = injectedFaults.filter((fault) => (values.only?.includes(fault.id) ?? true) && (values.feature?.includes(fault.feature) ?? true))
  if (!chosen.length) throw new Error(`no fault of that name\n${USAGE}`)
  const { tree, drop } = copyCheckout(root)
  const leave = () => {
    endRuns()
    drop()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave)
  try {
    if (values.types) return checkTypes(tree, chosen)
    if (values.sound) return await checkSound(tree, chosen)
    const told: FaultReportLine[] = []
    for (const fault of chosen) {
      const one = await measureFault(tree, fault)
      told.push(one)
      console.log(formatReportLine(one))
      if (values.out) saveResults(values.out, told)
    }
    const missing = values.compare ? listLostFaults(readResults(values.compare), told) : []
    if (values.compare) console.log(describeLostFaults(missing))
    const caught = told.filter((one) => one.outcome === 'caught').length
    console.log(`${caught} of ${told.length} caught`)
    return caught === told.length && !missing.length
  } finally {
    drop()
  }
}

if (import.meta.main) process.exit((await main()) ? 0 : 1)
