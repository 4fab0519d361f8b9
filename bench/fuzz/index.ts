/**
 * `npm run fuzz`: feeds hostile files and bodies to every parser and route, and measures the longest block of an event loop. `--seconds
 * 600` in total, `--seed 1` for other inputs, `--only "model calls"` for one target, `--case 17` with it for one input of that seed;
 * `--local` starts no server. Goal: 20 ms of processor time; a longer block exits with 1. Other processes of the machine do not count; the
 * elapsed time is printed as well.
 */
import { parseArgs } from 'node:util'
import { createLocalTargets } from './local-targets.ts'
import { createFuzzRandom } from './random.ts'
import { createRouteTargets } from './route-targets.ts'
import { createSmtpTarget } from './smtp-target.ts'
import { createSocketTarget } from './socket-target.ts'
import { openFuzzStage } from './stage.ts'
import type { FuzzTarget } from './target.ts'
import type { LoopStop } from './probe.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    case: { type: 'string' },
    local: { type: 'boolean', default: false },
  },
})
const GOAL_MS = 20
const RETRY_ABOVE_MS = 8
const REPORTED_FINDINGS = 10
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6))

interface Finding extends LoopStop {
  readonly target: string
  readonly what: string
  readonly bytes: number
  readonly case: number
}

// Keeps the process alive, which children and threads do not.
setInterval(() => undefined, 60_000)
const localParsers = createLocalTargets()
const stage = values.local ? undefined : await openFuzzStage()
/**
 * A hostile file keeps a child busy for seconds, but this loop only for a moment, so file targets run once per round and the others three
 * times.
 */
const loopTargets = [...localParsers.targets.slice(0, 2), ...(stage ? [...createRouteTargets(stage), createSocketTarget(stage), createSmtpTarget(stage)] : [])]
const targets = [...loopTargets, ...loopTargets, ...loopTargets, ...localParsers.targets.slice(2)].filter(({ name }) => !values.only || values.only === name)
const findings: Finding[] = []

/** Feeds one input. An input with a long block is fed twice more and the shortest block counts, which excludes garbage collections. */
async function feed(target: FuzzTarget, number: number): Promise<Finding> {
  const once = async (): Promise<LoopStop & { what: string; bytes: number }> => {
    // Creating the input blocks this loop too, so it happens before the measurement.
    const input = target.make(createFuzzRandom(seed * 1_000_003 + number))
    await new Promise((done) => setTimeout(done, 3))
    await target.stop()
    await input.feed()
    return { ...(await target.stop()), what: input.what, bytes: input.bytes }
  }
  let shortest = await once()
  for (let again = 0; again < 2 && shortest.cpuMs > RETRY_ABOVE_MS; again++) {
    const next = await once()
    if (next.cpuMs < shortest.cpuMs) shortest = next
  }
  return { ...shortest, target: target.name, case: number }
}

const show = ({ cpuMs, wallMs, target, what, bytes, case: number }: Finding): string =>
  `${cpuMs.toFixed(1).padStart(7)} ms (${wallMs.toFixed(0)} by the clock)  ${target}: ${what}, ${bytes} bytes  --only "${target}" --seed ${seed} --case ${number}`

console.log(`seed ${seed}, ${[...new Set(targets.map(({ name }) => name))].join(', ')}`)
const until = Date.now() + Number(values.seconds) * 1000
const [first, last] = values.case === undefined ? [targets.length, Infinity] : [Number(values.case), Number(values.case)]
// Warms up, because code that is used for the first time is loaded and compiled then.
for (let warm = 0; warm < targets.length && values.case === undefined; warm++) await feed(targets[warm % targets.length]!, warm)
let fedInputs = 0
for (let number = first; number <= last && (Date.now() < until || number === first); number++) {
  const finding = await feed(targets[number % targets.length]!, number)
  fedInputs++
  findings.push(finding)
  if (finding.cpuMs > GOAL_MS) console.log(`over    ${show(finding)}`)
  if (stage && !stage.isAlive()) {
    console.log(`the server ended:\n${stage.output().slice(-3_000)}`)
    process.exitCode = 1
    break
  }
}
const worstFindings = findings.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, REPORTED_FINDINGS)
console.log(`\n${fedInputs} inputs; the ten longest stops of processor time:`)
for (const finding of worstFindings) console.log(show(finding))
if ((worstFindings[0]?.cpuMs ?? 0) > GOAL_MS) process.exitCode = 1
await localParsers.stop()
await stage?.close()
process.exit()
