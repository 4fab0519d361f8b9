/**
 * Measures the cost of an idle server: `node bench/idle/idle.ts [seconds]`. Starts the whole platform on a new database, kills it, starts it again,
 * and prints the processor time of each start; then prints processor time and statements a second of the idle server and of PostgreSQL. A bare loop
 * in the same minute shows the machine's speed.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#platform/server/database/db.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { launchServer } from '#platform/testing/launch.ts'

const SECONDS = Number(process.argv[2] ?? 20)
const SETTLED_MS = 10_000
const TICK_MS = 10
const folder = mkdtempSync(join(tmpdir(), 'mingxi-idle-'))
process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled')

/** Milliseconds of processor time that a process has used. */
function readCpuMs(pid: number | string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
/** Counters of all backends of this database; those that ended meanwhile are not counted. */
function sumBackendCpuMs(database: string): number {
  const used = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(` ${database} `) ? readCpuMs(pid) : 0
      } catch {
        return 0
      }
    })
  return used.reduce((sum, one) => sum + one, 0)
}
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

const loop = performance.now()
for (let n = 0, sum = 0; n < 200_000_000; n++) sum += n
console.log(`a bare loop of 200,000,000 additions: ${Math.round(performance.now() - loop)} ms`)

const postgres = await startPostgres(folder)
const owner = connect(postgres.url, { max: 1 })
const database = new URL(postgres.url).pathname.slice(1)
const statements = async () => {
  const [row] = await owner.query<{ n: number }>('select (xact_commit + xact_rollback)::int as n from pg_stat_database where datname = current_database()')
  return row!.n
}
const server = await launchServer({
  databaseUrl: postgres.url,
  pagesDir: '',
  roles: 'api,worker,sandbox,gateway',
  env: { ALLOW_SANDBOX: 'models,payment,card,mail,sms,identity' },
})
try {
  console.log(`first start, with a new database: ${readCpuMs(server.pid())} ms of processor time`)
  await wait(SETTLED_MS)
  for (const n of [1, 2, 3]) {
    await server.restart()
    console.log(`start ${n} after kill -9: ${readCpuMs(server.pid())} ms`)
    await wait(2_000)
  }
  await wait(SETTLED_MS)
  const before = [readCpuMs(server.pid()), sumBackendCpuMs(database), await statements()] as const
  await wait(SECONDS * 1_000)
  const after = [readCpuMs(server.pid()), sumBackendCpuMs(database), await statements()] as const
  const [node, backends, asked] = after.map((value, at) => (value - before[at]!) / SECONDS)
  console.log(`idle for ${SECONDS} s: the server ${node!.toFixed(0)} ms a second, PostgreSQL ${backends!.toFixed(0)} ms, ${asked!.toFixed(0)} transactions`)
} finally {
  await server.stop()
  await owner.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
