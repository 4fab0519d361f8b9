// `npm test`: everything a change must pass. The last line is "N passed, N failed" (", N skipped" when some were).
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

export function closingLine(/** @type {{ passed: number, failed: number, skipped: number }} */ { passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

/** Runs one vitest project and counts; a run without a readable report, or with an error outside any test, counts as one failure. */
export async function runProject(
  /** @type {string} */ name,
  /** @type {number} */ minutes,
  /** @type {NodeJS.ProcessEnv} */ env = process.env,
  cwd = root,
  show = true,
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
    const counts = countReport(JSON.parse(readFileSync(file, 'utf8')))
    return code !== 0 && (late || counts.failed === 0) ? { ...counts, failed: counts.failed + 1 } : counts
  } catch {
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
    add(await runProject(name, Math.max(0.1, Math.min(minutes, ALL_MINUTES - (performance.now() - from) / 60_000)), env))
  }
  console.log(`\n${((performance.now() - from) / 60_000).toFixed(1)} minutes`)
  console.log(closingLine(total))
  process.exitCode = total.failed ? 1 : 0
}

if (import.meta.main) await main()
