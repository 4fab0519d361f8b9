// `npm run test:faults`: checks that the suite still detects known mistakes. Plants one mistake at a time in a copy of the checkout, runs
// the tests that should catch it, and reports. Takes up to minutes per fault, so run it when the suite changes, not with every change.
import { spawnSync, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { InjectedFault } from './fault.ts'
import { injectFault, explainUninjectable } from './plant.ts'
import { copyCheckout } from './scratch.ts'
import { listTestFiles } from '../test/parts.ts'
import { accountFaults } from './list/account.ts'
import { gatewayFaults } from './list/gateway.ts'
import { otherFaults } from './list/others.ts'
import { paymentsFaults } from './list/payments.ts'
import { walletFaults } from './list/wallet.ts'

/** Forty mistakes over all features. A change to a text that a fault quotes must update the fault. */
export const injectedFaults: readonly InjectedFault[] = [...walletFaults, ...paymentsFaults, ...gatewayFaults, ...accountFaults, ...otherFaults]

type FaultOutcome = 'caught' | 'not caught' | 'timed out' | 'did not load' | 'did not end' | 'does not apply any more'

interface FaultResult {
  readonly outcome: FaultOutcome
  /** The test that failed first, or the reason why there is no result. */
  readonly why: string
}

interface Report {
  testResults: { name: string; status: string; message: string; assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[]
}

/** The Vitest project that a test file belongs to. */
export function resolveProject(test: string): 'unit' | 'steps' | 'db' | 'pages' | 'e2e' | 'wide' {
  if (listTestFiles('steps').includes(test)) return 'steps'
  if (/^e2e\/(journeys\/|pages\/(looks|states|shell)\.test)/.test(test)) return 'pages'
  if (/^e2e\/(pages|help|support)\//.test(test)) return 'wide'
  if (test.startsWith('e2e/')) return 'e2e'
  return test.endsWith('.db.test.ts') ? 'db' : 'unit'
}

const MINUTES = 30
const running = new Set<number>()

/** Runs test files of a tree up to the first failure. */
async function runTests(tree: string, tests: readonly string[]): Promise<FaultResult> {
  const file = join(tree, 'report.json')
  rmSync(file, { force: true })
  const projects = [...new Set(tests.map(resolveProject))].flatMap((name) => ['--project', name])
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, '--bail', '1', '--reporter', 'json', '--outputFile', file, ...tests]
  const { ended, text } = await execute(tree, vitest)
  if (!ended) return { outcome: 'did not end', why: `no end after ${MINUTES} minutes` }
  if (!existsSync(file)) return { outcome: 'did not load', why: lastLine(text) }
  return judgeReport(JSON.parse(readFileSync(file, 'utf8')) as Report)
}

/** Vitest's timeout: caused by a busy machine, not by a test that detected something. */
const TIMEOUT_MESSAGE = /^(?:\w*Error: )?(?:Test|Hook) timed out in \d+ms/

/** A failed test catches a fault; a timed-out one may not have; a file that failed without either did not load. */
export function judgeReport(report: Report): FaultResult {
  const tests = report.testResults.flatMap((one) => one.assertionResults)
  const failures = tests.filter((one) => one.status === 'failed')
  const failed = failures.find((one) => !isLate(one)) ?? failures[0]
  if (failed) return { outcome: isLate(failed) ? 'timed out' : 'caught', why: `${failed.fullName.trim()}: ${firstLine(failed.failureMessages[0] ?? '')}` }
  const broken = report.testResults.find((one) => one.status === 'failed')
  if (broken) return { outcome: 'did not load', why: firstLine(broken.message) }
  return tests.some((one) => one.status === 'passed') ? { outcome: 'not caught', why: '' } : { outcome: 'did not load', why: 'no test ran' }
}

const isLate = ({ failureMessages }: { failureMessages: string[] }) => TIMEOUT_MESSAGE.test(failureMessages[0] ?? '')

function execute(tree: string, args: string[]): Promise<{ ended: boolean; text: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: tree, stdio: ['ignore', 'pipe', 'pipe'] })
    const pid = child.pid ?? 0
    let text = ''
    let ended = true
    running.add(pid)
    const clock = setTimeout(() => {
      ended = false
      endTree(pid)
    }, MINUTES * 60_000)
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        text += chunk
      })
    child.on('close', () => {
      clearTimeout(clock)
      running.delete(pid)
      done({ ended, text })
    })
  })
}

/** Ends all runs when interrupted. */
function endRuns(): void {
  for (const pid of running) endTree(pid)
}

/** Ends a process and its descendants: a database leaves its parent's process group but stays a descendant. */
function endTree(pid: number): void {
  if (!pid) return
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  const family = [pid]
  for (const one of family) family.push(...rows.filter(([, parent]) => parent === one).map(([child]) => child!))
  for (const one of family)
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // The process has already exited.
    }
}

const firstLine = (text: string) => text.trim().split('\n')[0]!.slice(0, 160)
const lastLine = (text: string) => text.trim().split('\n').at(-1)!.slice(0, 160)

/** One line of the table and of the file that `--out` writes. */
export interface FaultReportLine extends FaultResult {
  readonly id: string
  readonly feature: string
  readonly seconds: number
}

function formatReportLine({ id, feature, outcome, why, seconds }: FaultReportLine): string {
  return [feature.padEnd(9), id.padEnd(34), outcome.padEnd(10), `${seconds} s`.padStart(6), why].join('  ').trimEnd()
}

/** Merges the results of this run into the previous table; untested faults keep theirs. */
export function mergeReports(before: readonly FaultReportLine[], now: readonly FaultReportLine[], ids: readonly string[]): FaultReportLine[] {
  const all = new Map([...before, ...now].map((one) => [one.id, one]))
  return ids.flatMap((id) => all.get(id) ?? [])
}

/** Ids of tested faults that were caught before but not now. */
export function listLostFaults(before: readonly FaultReportLine[], now: readonly FaultReportLine[]): string[] {
  const caught = new Set(before.filter((one) => one.outcome === 'caught').map((one) => one.id))
  return now.filter((one) => caught.has(one.id) && one.outcome !== 'caught').map((one) => one.id)
}

function describeLostFaults(ids: readonly string[]): string {
  return ids.length ? `caught before and not now: ${ids.join(', ')}` : 'the same ones are caught as before'
}

const USAGE = 'npm run test:faults -- [--only id ...] [--feature name ...] [--out file.json] [--compare before.json] [--types] [--sound]'
const root = join(import.meta.dirname, '../..')

/** Plants a fault, runs its tests and restores the file in every case. */
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

/** Type-checks all faults at once: a fault that does not compile needs no test to catch it. */
function checkTypes(tree: string, chosen: readonly InjectedFault[]): boolean {
  for (const fault of chosen) injectFault(tree, fault)
  const wrong = ['server', 'web'].filter((half) => {
    const args = [join(tree, 'node_modules/typescript7/bin/tsc'), '-p', `tsconfig.${half}.json`]
    return spawnSync(process.execPath, args, { cwd: tree, stdio: 'inherit' }).status !== 0
  })
  console.log(`${chosen.length} faults planted at once: ${wrong.length ? `wrong types in ${wrong.join(' and ')}` : 'all types are right'}`)
  return !wrong.length
}

/** Runs the listed tests without any fault: one that already fails cannot catch anything. */
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

/** Called after each fault, so that an interrupted run keeps its results. */
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
