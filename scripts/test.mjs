// `npm test`: everything a change must pass. The last line is "N passed, N failed" (", N skipped" when some were).
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { check, STEPS } from './check.mjs'
import { ensureChromium } from './chromium.mjs'
import { ensureRedis } from './redis.mjs'

const root = join(import.meta.dirname, '..')
/** Parts in the order in which their failures are cheapest to read. Each has this many minutes at most, all together 19. */
export const PROJECTS = { unit: 5, db: 8, pages: 11, e2e: 8 }
const ALL_MINUTES = 19

/** What a vitest JSON report counted. A suite that could not be loaded ran no test, and is a failure all the same. */
export function countReport(/** @type {any} */ report) {
  const broken = report.testResults.filter(
    (/** @type {any} */ file) => file.status === 'failed' && !file.assertionResults.some((/** @type {any} */ one) => one.status === 'failed'),
  ).length
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken, skipped: report.numPendingTests + report.numTodoTests }
}

/** A test of a file, or the file itself, with the first line of what it said. */
const lineOf = (/** @type {string} */ folder, /** @type {any} */ file, /** @type {any} */ one) =>
  `${relative(folder, file.name)} > ${one?.fullName ?? 'not loaded'}: ${String(one?.failureMessages?.[0] ?? file.message ?? '').split('\n')[0]}`

/** The tests that failed, a line each; a file that could not be loaded is one too. */
export function failures(/** @type {any} */ report, /** @type {string} */ folder) {
  return report.testResults
    .filter((/** @type {any} */ file) => file.status === 'failed')
    .flatMap((/** @type {any} */ file) => {
      const failed = file.assertionResults.filter((/** @type {any} */ one) => one.status === 'failed')
      return failed.length ? failed.map((/** @type {any} */ one) => lineOf(folder, file, one)) : [lineOf(folder, file, undefined)]
    })
}

/** The tests that passed at a second try, with why the first failed: something to look into, and no failure. */
export function secondTries(/** @type {any} */ report, /** @type {string} */ folder) {
  return report.testResults.flatMap((/** @type {any} */ file) =>
    file.assertionResults
      .filter((/** @type {any} */ one) => one.status === 'passed' && one.failureMessages?.length > 0)
      .map((/** @type {any} */ one) => lineOf(folder, file, one)),
  )
}

export function closingLine(/** @type {{ passed: number, failed: number, skipped: number }} */ { passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

/**
 * Runs one vitest project and counts; a run without a readable report, or with an error outside any test, counts as one failure.
 * `said` takes a line for each failure, `retried` one for each test that passed at its second try.
 */
export async function runProject(
  /** @type {string} */ name,
  /** @type {number} */ minutes,
  /** @type {NodeJS.ProcessEnv} */ env = process.env,
  cwd = root,
  show = true,
  /** @type {string[]} */ said = [],
  /** @type {string[]} */ retried = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-report-'))
  const file = join(folder, 'report.json')
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    name,
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const child = spawn(process.execPath, args, { cwd, stdio: show ? ['ignore', 'inherit', 'inherit'] : 'ignore', env })
  let late = false
  const timer = setTimeout(() => {
    late = true
    console.error(`${name}: still running after ${minutes.toFixed(1)} minutes; stopped`)
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
  }, minutes * 60_000)
  const code = await new Promise((done) => child.on('close', done))
  clearTimeout(timer)
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    const counts = countReport(report)
    said.push(...failures(report, cwd))
    retried.push(...secondTries(report, cwd))
    if (code === 0 || (!late && counts.failed > 0)) return counts
    said.push(`${name}: ${late ? `not ended after ${minutes.toFixed(1)} minutes` : 'an error outside any test, or none ran'}`)
    return { ...counts, failed: counts.failed + 1 }
  } catch {
    said.push(`${name}: no report`)
    return { passed: 0, failed: 1, skipped: 0 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function buildPages() {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-pages-'))
  const { buildPages: build } = await import('../apps/server/pages.ts')
  await build(folder).catch((/** @type {unknown} */ error) => console.error(error))
  rmSync(folder, { recursive: true, force: true })
}

async function main() {
  const from = performance.now()
  console.log('== check')
  /** @type {string[]} */
  const said = []
  /** @type {string[]} */
  const retried = []
  const total = { ...(await check({ ...STEPS, size: ['scripts/size.mjs'] })), skipped: 0 }
  const add = (/** @type {{ passed: number, failed: number, skipped: number }} */ part) => {
    total.passed += part.passed
    total.failed += part.failed
    total.skipped += part.skipped
  }
  for (const [name, minutes] of Object.entries(PROJECTS)) {
    console.log(`\n== ${name}`)
    const env = { ...process.env }
    const noRedis = name === 'db' ? ensureRedis() : undefined
    if (noRedis) console.log(noRedis)
    if (name === 'pages' || name === 'e2e') {
      const { path, problem } = ensureChromium()
      if (problem) {
        console.error(problem)
        add({ passed: 0, failed: 1, skipped: 0 })
      }
      if (!path) continue
      env.CHROMIUM = path
      // once, before two servers would both begin with it
      if (name === 'pages') await buildPages()
    }
    add(await runProject(name, Math.max(0.1, Math.min(minutes, ALL_MINUTES - (performance.now() - from) / 60_000)), env, root, true, said, retried))
  }
  if (retried.length) console.log(`\n== passed at the second try\n${retried.join('\n')}`)
  if (said.length) console.log(`\n== what failed\n${said.join('\n')}`)
  console.log(`\n${((performance.now() - from) / 60_000).toFixed(1)} minutes`)
  console.log(closingLine(total))
  process.exitCode = total.failed ? 1 : 0
}

if (import.meta.main) await main()
