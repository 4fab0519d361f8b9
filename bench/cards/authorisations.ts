/**
 * Measures the response time of card authorisations on a real PostgreSQL with fsync on: `node bench/cards/authorisations.ts [per second] [seconds]`.
 * Prints p50, p99 and the maximum, and the same for a transaction of one row at the same rate, so that the ratio shows the ledger's share; and the
 * processor time of both processes for each, which a busy machine distorts less than latency.
 * Then kills PostgreSQL under the same load: no request may take more than two seconds, and afterwards our book must equal the issuer's.
 */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { connect } from '#platform/server/database/db.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import type { Deps } from '#platform/server/feature.ts'
import { createLog } from '#platform/server/log.ts'
import { createSettings } from '#platform/server/settings.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { decideAuthorization } from '#features/cards/server/authorisations/decide.ts'
import { anActiveCard, aRecharge } from '#features/cards/server/builders.ts'
import { replaceIssuers } from '#features/cards/server/vendors/index.ts'
import { workMove } from '#features/cards/server/money/work-moves.ts'
import { createBookIssuer } from '#features/cards/server/testing/book-issuer.ts'
import { auditBooks, deliverNotices, advanceWaitingWork } from '#features/cards/server/testing/funded-card.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'

const [RATE, SECONDS] = [Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 10)]
const CARDS = 100
const folder = mkdtempSync(join(tmpdir(), 'mingxi-bench-'))
let postgres = await startPostgres(folder)
await migrate(postgres.url, join(import.meta.dirname, '../../apps/server/migrations'))
const db = connect(postgres.url, { max: 10 })
const owner = connect(postgres.url, { max: 2, asOwner: true })
const deps = {
  db,
  config: readConfig(platformConfig, { LOG_LEVEL: 'silent' }),
  settings: createSettings(db),
  log: createLog('silent'),
  clock: { now: () => new Date() },
} as unknown as Deps
const issuer = createBookIssuer()
replaceIssuers(deps, [issuer])
const refs: string[] = []
for (let n = 0; n < CARDS; n++) {
  const userId = await aFundedUser(db, { purchased: 90n * NANO_PER_USD })
  const made = await issuer.createCard({ key: createId('key') })
  const card = await anActiveCard(deps, { userId, issuer: issuer.name, made })
  await workMove(deps, await aRecharge(deps, card, 90n * NANO_PER_USD))
  refs.push(made.cardRef)
}

/** Starts requests at a fixed interval regardless of earlier ones, as an issuer does. */
async function runAtRate(
  name: string,
  rate: number,
  { seconds, work }: { readonly seconds: number; readonly work: (n: number) => Promise<unknown> },
): Promise<{ p99: number; worst: number }> {
  const times: number[] = []
  const running: Promise<void>[] = []
  const [cpu, ticks] = [process.cpuUsage(), ticksOf(postgres.pid)]
  const begun = performance.now()
  for (let n = 0; n < rate * seconds; n++) {
    const at = begun + (n * 1000) / rate
    const wait = at - performance.now()
    if (wait > 0) await new Promise((done) => setTimeout(done, wait))
    running.push(
      work(n).then(() => {
        times.push(performance.now() - at)
      }),
    )
  }
  await Promise.all(running)
  times.sort((a, b) => a - b)
  const share = (of: number) => times[Math.floor((times.length - 1) * of)]!
  const { user, system } = process.cpuUsage(cpu)
  const each = (ms: number) => (ms / (rate * seconds)).toFixed(2)
  console.log(`${name.padEnd(24)} ${rate}/s  p50 ${share(0.5).toFixed(1)} ms  p99 ${share(0.99).toFixed(1)} ms  worst ${share(1).toFixed(1)} ms`)
  console.log(`${''.padEnd(24)} each ${each((user + system) / 1000)} ms of Node, ${each((ticksOf(postgres.pid) - ticks) * TICK_MS)} ms of PostgreSQL`)
  return { p99: share(0.99), worst: share(1) }
}

const TICK_MS = 10
/** Processor time of a server and its backends. */
const ticksOf = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((all, one) => {
    const fields = statOf(one)
    return all + Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  }, 0)

/** Fields of /proc/PID/stat from the state on; empty if the process has ended. */
function statOf(pid: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  } catch {
    return []
  }
}

/** Backends of a server, which outlive the server for a moment. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(name)[1] === String(pid))
    .map(Number)
}

/** Sends an issuer's authorisation request, and acts on the reply as the issuer does. */
let approved = 0
async function authorizePurchase(n: number): Promise<void> {
  const decided = await issuer.authorize(refs[n % CARDS]!, 10n, { decide: ({ eventId, asked }) => decideAuthorization(deps, issuer, { eventId, asked }) })
  if (decided.approved) approved++
}
const insertRow = () => db.query('insert into bench_rows default values')

await owner.query(`create table bench_rows (id bigint generated always as identity, at timestamptz default now()); grant all on bench_rows to mingxi_app`)
await runAtRate('warming up', RATE, { seconds: 5, work: authorizePurchase })
// Replans statements that were prepared on empty tables, as autovacuum does within a minute.
await owner.query('analyze')
const insertTimes = await runAtRate('a row, committed', RATE, { seconds: SECONDS, work: insertRow })
const authorizationTimes = await runAtRate('an authorisation', RATE, { seconds: SECONDS, work: authorizePurchase })
console.log(`${approved} approved; p99 is ${(authorizationTimes.p99 / insertTimes.p99).toFixed(1)} times a committed row's`)
if (authorizationTimes.p99 > 200) process.exitCode = 1

const databaseKill = (async () => {
  await new Promise((done) => setTimeout(done, 3000))
  for (const pid of [postgres.pid, ...childrenOf(postgres.pid)]) process.kill(pid, 'SIGKILL')
  const away = performance.now()
  postgres = await startPostgres(folder)
  console.log(`PostgreSQL killed, back after ${((performance.now() - away) / 1000).toFixed(1)} s`)
})()
approved = 0
const killTimes = await runAtRate('while it is killed', RATE, { seconds: SECONDS, work: authorizePurchase })
await databaseKill
if (killTimes.worst > 2000) process.exitCode = 1
await deliverNotices(deps, issuer)
for (let round = 0; round < 2; round++) await advanceWaitingWork(deps, Object.assign(db, { owner }), issuer)
const problems = await auditBooks(db, issuer)
const [ours] = await db.query<{ held: bigint }>('select sum(issuer_held)::bigint as held from cards_authorizations')
const issuerHeldCents = [...issuer.auths.values()].reduce((all, { held }) => all + held, 0n)
if (ours!.held !== issuerHeldCents * (NANO_PER_USD / 100n)) problems.push(`we hold ${ours!.held}, the issuer ${issuerHeldCents} cents`)
console.log(problems.length ? problems.join('\n') : `${approved} approved; the issuer's book is ours to the cent`)
if (problems.length) process.exitCode = 1
await owner.close()
await db.close()
await postgres.stop()
