// `npm test`: everything a change must pass. The last line is "N passed, N failed" (", N skipped" if any were). `npm test -- gateway`: the
// tests of a feature, a file or a title. `--profile`: processor time by file.
import { parseArgs } from 'node:util'
import { check } from '../check.mjs'
import { ensureChromium } from '../chromium.mjs'
import { ensureRedis } from '../redis.mjs'
import { chooseTests } from './choose.ts'
import { ZERO_COUNTS, addCounts, formatClosingLine } from './counts.ts'
import type { TestCounts } from './counts.ts'
import { endWithParent } from './end-with-parent.ts'
import { measurePace } from './pace.ts'
import { chooseRunPlace, listRunPlaces } from './place.ts'
import { CHANGE_PARTS, PARTS, WIDE_ENV, needsBrowser } from './parts.ts'
import type { PartName } from './parts.ts'
import { startProfile } from './profile.ts'
import { formatRunMinutes, showProgress } from './progress.ts'
import { readLast, writeLast } from './record.ts'
import { resolveTurn } from './turn.ts'
import { openRunFolder, removeStaleRuns } from './run-folder.ts'
import type { RunFolder } from './run-folder.ts'
import { runPart } from './run-part.ts'

/** Multiplier for waits inside tests: platform/testing/patience.ts. */
const PATIENCE_VARIABLE = 'TEST_PATIENCE'

async function main(): Promise<void> {
  const from = performance.now()
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { profile: { type: 'boolean' }, part: { type: 'string', multiple: true } } })
  const parts = (values.part as PartName[] | undefined) ?? CHANGE_PARTS
  const { files, title } = chooseTests(positionals, parts)
  if (positionals.length > 0 && files.size === 0) return reportNoMatch(positionals)
  const left = (await Promise.all(listRunPlaces().map((place) => removeStaleRuns(place)))).flat()
  if (left.length) console.log(`ended and removed what ${left.length} earlier ${left.length === 1 ? 'run' : 'runs'} left`)
  const run = openRunFolder(chooseRunPlace())
  endOnSignal(run)
  const pace = await measurePace()
  console.log(`this machine now: waits inside tests last ${pace.toFixed(1)} times as long as usual`)
  const turn = resolveTurn(process.env)
  console.log(`turn ${turn}: pages are looked at in the looks of the commit’s day; TURN=${turn} repeats them`)
  const profile = values.profile ? startProfile(run) : undefined
  let total: TestCounts = ZERO_COUNTS
  const said: string[] = []
  if (positionals.length === 0 && values.part === undefined) total = addCounts(total, await runChecks())
  const progress = showProgress(files, readLast())
  for (const [name, chosen] of files) {
    progress.begin(name, chosen)
    const { env, problem } = prepare(name, chosen)
    if (problem) {
      said.push(`${name}: ${problem}`)
      total = addCounts(total, { ...ZERO_COUNTS, failed: 1 })
      if (!env && PARTS[name].browser) continue
    }
    const narrowed = positionals.length > 0 ? chosen : undefined
    const part = {
      run,
      pace,
      env: {
        PICTURES: narrowed ? 'all' : 'failures',
        ...(parts.includes('wide') ? WIDE_ENV : {}),
        ...process.env,
        ...env,
        [PATIENCE_VARIABLE]: String(pace),
        TURN: String(turn),
      },
      files: narrowed,
      title,
      onEvent: progress.heard,
      said,
    }
    total = addCounts(total, await runPart(name, part))
  }
  progress.end()
  if (positionals.length === 0) writeLast({ files: progress.files() })
  if (profile) console.log(`\n== processor time by file\n${profile.report().join('\n')}\n${formatRunMinutes(profile.totalMs())} minutes of processor time`)
  profile?.stop()
  console.log(`\n== slowest tests\n${progress.slowest(5).join('\n')}`)
  if (said.length) console.log(`\n== what failed\n${said.join('\n')}`)
  await run.remove()
  console.log(`\n${formatRunMinutes(performance.now() - from)} minutes`)
  console.log(formatClosingLine(total))
  process.exit(total.failed ? 1 : 0)
}

async function runChecks(): Promise<TestCounts> {
  console.log('\n== check')
  return { ...(await check()), skipped: 0 }
}

/** Prepares the machine for a part; without a returned environment its browser tests cannot run. */
function prepare(name: PartName, files: readonly string[]): { env?: NodeJS.ProcessEnv; problem?: string } {
  const noRedis = PARTS[name].database ? ensureRedis() : undefined
  if (noRedis) console.log(noRedis)
  if (!needsBrowser(name, files)) return { env: {} }
  const { path, problem } = ensureChromium()
  return { ...(path ? { env: { CHROMIUM: path } } : {}), ...(problem ? { problem } : {}) }
}

/** Ends all processes of the run on a signal or the parent's death. After SIGKILL the keeper does it. */
function endOnSignal(run: RunFolder): void {
  const end = (why: string, code: number) => {
    console.log(`\n${why}: ending what this run started ...`)
    void run.remove().then(() => process.exit(code))
  }
  process.once('SIGINT', () => end('interrupted', 130))
  process.once('SIGTERM', () => end('terminated', 143))
  process.once('SIGHUP', () => end('the terminal went', 129))
  const parent = Number(process.env['RUN_BY']) || process.ppid
  delete process.env['RUN_BY']
  endWithParent(() => end('its parent went', 1), parent)
}

function reportNoMatch(words: readonly string[]): void {
  console.error(`no feature, file or title contains ${words.join(' ')}`)
  console.log(formatClosingLine({ ...ZERO_COUNTS, failed: 1 }))
  process.exitCode = 1
}

if (import.meta.main) await main()
