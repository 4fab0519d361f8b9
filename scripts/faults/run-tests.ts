import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { listTestFiles } from '../test/parts.ts'

export type FaultOutcome = 'caught' | 'not caught' | 'timed out' | 'did not load' | 'did not end' | 'does not apply any more'

export interface FaultResult {
  readonly outcome: FaultOutcome
  /** The test that failed first, or why nothing can be said. */
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
export async function runTests(tree: string, tests: readonly string[]): Promise<FaultResult> {
  const file = join(tree, 'report.json')
  rmSync(file, { force: true })
  const projects = [...new Set(tests.map(resolveProject))].flatMap((name) => ['--project', name])
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, '--bail', '1', '--reporter', 'json', '--outputFile', file, ...tests]
  const { ended, text } = await execute(tree, vitest)
  if (!ended) return { outcome: 'did not end', why: `no end after ${MINUTES} minutes` }
  if (!existsSync(file)) return { outcome: 'did not load', why: lastLine(text) }
  return judgeReport(JSON.parse(readFileSync(file, 'utf8')) as Report)
}

/** Vitest's own clock: a busy machine, not a test that saw something. */
const TIMEOUT_MESSAGE = /^(?:\w*Error: )?(?:Test|Hook) timed out in \d+ms/

/** A failed test catches a fault; one that was stopped by its clock may not have; a file that failed without either did not load. */
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

/** For a run that is interrupted. */
export function endRuns(): void {
  for (const pid of running) endTree(pid)
}

/** A database leaves its parent's group, but not its family. */
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
      // it has gone by itself
    }
}

const firstLine = (text: string) => text.trim().split('\n')[0]!.slice(0, 160)
const lastLine = (text: string) => text.trim().split('\n').at(-1)!.slice(0, 160)
