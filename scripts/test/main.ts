// `npm test`: everything a change must pass. The last line is "N passed, N failed" (", N skipped" if any were). `npm test -- gateway`: the
// tests of a feature, a file or a title. `--profile`: processor time by file.
import { parseArgs } from 'node:util'
import { check } from '../check.mjs'
import { ensureChromium } from '../chromium.mjs'
import { ensureRedis } from '../redis.mjs'
import { chooseTests } from './choose.ts'
import { ZERO_COUNTS, addCounts, formatClosingLine, type TestCounts, readLast, writeLast } from './record.ts'
import { formatOracleTable } from './oracle-table.ts'
import { measurePace } from './pace.ts'
import { CHANGE_PARTS, PARTS, WIDE_ENV, needsBrowser, type PartName, TEST_ROOT } from './parts.ts'
import { startProfile } from './profile.ts'
import { formatRunMinutes, showProgress } from './progress.ts'
import { openRunFolder, removeStaleRuns, type RunFolder } from './run-folder.ts'
import { runPart } from './run-part.ts'
import { spawnSync } from 'node:child_process'
import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY_FOLDER = '/dev/shm'
/** https://man7.org/linux/man-pages/man2/statfs.2.html */
const TMPFS_MAGIC = 0x01021994
/** A whole run writes up to 0.6 GB; its programs take twice this besides. */
const ROOM_BYTES = 2 * 2 ** 30

/** Possible places of run folders; each is searched for leftovers of an earlier run. */
export const listRunPlaces = (): string[] => [...new Set([...(isMemoryUsable() ? [MEMORY_FOLDER] : []), tmpdir()])]

/**
 * Folder for a run's databases and other files: in memory if there is plenty. Each test file has a separate database of some 1,500 files; on a disk's
 * file system each takes up to a millisecond of processor time, in memory a twentieth of that. TMPDIR overrides the choice.
 */
export function chooseRunPlace(): string {
  if (process.env['TMPDIR']) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return isMemoryUsable() && bavail * bsize >= ROOM_BYTES && process.availableMemory() >= 3 * ROOM_BYTES ? MEMORY_FOLDER : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** True if /dev/shm is usable, including for running programs. */
function isMemoryUsable(): boolean {
  try {
    const options = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === MEMORY_FOLDER)?.[3]
    return statfsSync(MEMORY_FOLDER).type === TMPFS_MAGIC && options?.split(',').includes('noexec') === false
  } catch {
    return false
  }
}

const DAY_SECONDS = 86_400

/** The day of the commit: the same for every run of it and for changes of the same day, another one tomorrow. `TURN` overrides it. */
function resolveTurn(env: NodeJS.ProcessEnv): number {
  if (env['TURN']) return Number(env['TURN'])
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: TEST_ROOT, encoding: 'utf8' })
  return Math.floor(Number(stdout?.trim() || 0) / DAY_SECONDS)
}

const PARENT_POLL_MS = 250

/** Calls back when the parent process has ended, perhaps killed without forwarding a signal. `parent`: its pid, if it may already be gone. */
function endWithParent(gone: () => void, parent = process.ppid): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, PARENT_POLL_MS)
  timer.unref()
}

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
  const oracleLog = join(run.folder, 'oracles.jsonl')
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
        ORACLE_LOG: oracleLog,
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
  const compared = formatOracleTable(oracleLog)
  if (compared.length) console.log(`\n== compared with the vendors’ published interfaces\n${compared.join('\n')}`)
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
