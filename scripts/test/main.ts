// `npm test`: everything a change must pass. The last line is "N passed, N failed" (", N skipped" when some were).
// `npm test -- gateway`: what belongs to a feature, a file or a title. `--profile`: processor time by file.
import { parseArgs } from 'node:util'
import { check } from '../check.mjs'
import { ensureChromium } from '../chromium.mjs'
import { ensureRedis } from '../redis.mjs'
import { choose } from './choose.ts'
import { NONE, added, closingLine } from './counts.ts'
import type { Counts } from './counts.ts'
import { endWithParent } from './end-with-parent.ts'
import { measurePace } from './pace.ts'
import { placeOfRun, placesOfRuns } from './place.ts'
import { EVERY_CHANGE, PARTS, WITH_WIDE, needsBrowser } from './parts.ts'
import type { PartName } from './parts.ts'
import { startProfile } from './profile.ts'
import { minutes, showProgress } from './progress.ts'
import { readLast, writeLast } from './record.ts'
import { turnOf } from './turn.ts'
import { openRunFolder, removeLeftRuns } from './run-folder.ts'
import type { RunFolder } from './run-folder.ts'
import { runPart } from './run-part.ts'

/** Waits inside tests last so many times longer: platform/testing/patience.ts. */
const PATIENCE = 'TEST_PATIENCE'

async function main(): Promise<void> {
  const from = performance.now()
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { profile: { type: 'boolean' }, part: { type: 'string', multiple: true } } })
  const parts = (values.part as PartName[] | undefined) ?? EVERY_CHANGE
  const { files, title } = choose(positionals, parts)
  if (positionals.length > 0 && files.size === 0) return nothing(positionals)
  const left = (await Promise.all(placesOfRuns().map((place) => removeLeftRuns(place)))).flat()
  if (left.length) console.log(`ended and removed what ${left.length} earlier ${left.length === 1 ? 'run' : 'runs'} left`)
  const run = openRunFolder(placeOfRun())
  endWith(run)
  const pace = await measurePace()
  console.log(`this machine now: waits inside tests last ${pace.toFixed(1)} times as long as usual`)
  const turn = turnOf(process.env)
  console.log(`turn ${turn}: pages are looked at in the looks of the commit’s day; TURN=${turn} repeats them`)
  const profile = values.profile ? startProfile(run) : undefined
  let total: Counts = NONE
  const said: string[] = []
  if (positionals.length === 0 && values.part === undefined) total = added(total, await checks())
  const progress = showProgress(files, readLast())
  for (const [name, chosen] of files) {
    progress.begin(name, chosen)
    const { env, problem } = prepare(name, chosen)
    if (problem) {
      said.push(`${name}: ${problem}`)
      total = added(total, { ...NONE, failed: 1 })
      if (!env && PARTS[name].browser) continue
    }
    const narrowed = positionals.length > 0 ? chosen : undefined
    const part = {
      run,
      pace,
      env: {
        PICTURES: narrowed ? 'all' : 'failures',
        ...(parts.includes('wide') ? WITH_WIDE : {}),
        ...process.env,
        ...env,
        [PATIENCE]: String(pace),
        TURN: String(turn),
      },
      files: narrowed,
      title,
      onEvent: progress.heard,
      said,
    }
    total = added(total, await runPart(name, part))
  }
  progress.end()
  if (positionals.length === 0) writeLast({ files: progress.files() })
  if (profile) console.log(`\n== processor time by file\n${profile.report().join('\n')}\n${minutes(profile.totalMs())} minutes of processor time`)
  profile?.stop()
  console.log(`\n== slowest tests\n${progress.slowest(5).join('\n')}`)
  if (said.length) console.log(`\n== what failed\n${said.join('\n')}`)
  await run.remove()
  console.log(`\n${minutes(performance.now() - from)} minutes`)
  console.log(closingLine(total))
  process.exit(total.failed ? 1 : 0)
}

async function checks(): Promise<Counts> {
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
function endWith(run: RunFolder): void {
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

function nothing(words: readonly string[]): void {
  console.error(`no feature, file or title contains ${words.join(' ')}`)
  console.log(closingLine({ ...NONE, failed: 1 }))
  process.exitCode = 1
}

if (import.meta.main) await main()
