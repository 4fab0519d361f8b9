// `npm run test:faults`: does the suite still notice what it ought to? Plants one mistake at a time in a copy of the checkout, runs the
// tests that should catch it, and tells. Minutes a fault at worst: this is asked for when the suite changes, not with every change.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Fault } from './fault.ts'
import { faults } from './faults.ts'
import { plant, whyNot } from './plant.ts'
import { endRuns, runTests } from './run-tests.ts'
import type { Ending } from './run-tests.ts'
import { copyTree } from './scratch.ts'
import { lineOf, lost, renewed, sayLost } from './tell.ts'
import type { Told } from './tell.ts'

const USE = 'npm run test:faults -- [--only id ...] [--feature name ...] [--out file.json] [--compare before.json] [--types] [--sound]'
const root = join(import.meta.dirname, '../..')

/** Plants a fault, runs its tests and puts the file back, whatever happens. */
export async function measure(tree: string, fault: Fault, run: (tree: string, tests: readonly string[]) => Promise<Ending> = runTests): Promise<Told> {
  const from = performance.now()
  const why = whyNot(tree, fault)
  let ending: Ending = { outcome: 'does not apply any more', why: why ?? '' }
  if (!why) {
    const restore = plant(tree, fault)
    try {
      ending = await run(tree, fault.tests)
    } finally {
      restore()
    }
  }
  return { id: fault.id, feature: fault.feature, ...ending, seconds: Math.round((performance.now() - from) / 1000) }
}

/** All faults at once past the type checker: what does not compile is no fault that a test has to catch. */
function checkTypes(tree: string, chosen: readonly Fault[]): boolean {
  for (const fault of chosen) plant(tree, fault)
  const wrong = ['server', 'web'].filter((half) => {
    const args = [join(tree, 'node_modules/typescript7/bin/tsc'), '-p', `tsconfig.${half}.json`]
    return spawnSync(process.execPath, args, { cwd: tree, stdio: 'inherit' }).status !== 0
  })
  console.log(`${chosen.length} faults planted at once: ${wrong.length ? `wrong types in ${wrong.join(' and ')}` : 'all types are right'}`)
  return !wrong.length
}

/** The listed tests without any fault: one that fails then catches nothing. */
async function checkSound(tree: string, chosen: readonly Fault[]): Promise<boolean> {
  let sound = true
  for (const test of new Set(chosen.flatMap((fault) => fault.tests))) {
    const { outcome, why } = await runTests(tree, [test])
    sound &&= outcome === 'not caught'
    console.log(`${outcome === 'not caught' ? 'green ' : 'FAILED'} ${test}  ${why}`)
  }
  return sound
}

const read = (file: string) => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Told[]) : [])

/** After each fault, so that a run which is interrupted has told what it knew. */
function keep(file: string, told: readonly Told[]): void {
  const ids = faults.map(({ id }) => id)
  writeFileSync(file, `${JSON.stringify(renewed(read(file), told, ids), null, 2)}\n`)
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
  const chosen = faults.filter((fault) => (values.only?.includes(fault.id) ?? true) && (values.feature?.includes(fault.feature) ?? true))
  if (!chosen.length) throw new Error(`no fault of that name\n${USE}`)
  const { tree, drop } = copyTree(root)
  const leave = () => {
    endRuns()
    drop()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave)
  try {
    if (values.types) return checkTypes(tree, chosen)
    if (values.sound) return await checkSound(tree, chosen)
    const told: Told[] = []
    for (const fault of chosen) {
      const one = await measure(tree, fault)
      told.push(one)
      console.log(lineOf(one))
      if (values.out) keep(values.out, told)
    }
    const missing = values.compare ? lost(read(values.compare), told) : []
    if (values.compare) console.log(sayLost(missing))
    const caught = told.filter((one) => one.outcome === 'caught').length
    console.log(`${caught} of ${told.length} caught`)
    return caught === told.length && !missing.length
  } finally {
    drop()
  }
}

if (import.meta.main) process.exit((await main()) ? 0 : 1)
