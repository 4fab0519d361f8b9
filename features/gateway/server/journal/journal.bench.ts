import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../builders.ts'
import type { ApiKey } from '../hot/deps.ts'
import { createJournal } from './journal.ts'

/**
 * Measures pairs of reserve and settle, each awaited, per second: `node features/gateway/server/journal/journal.bench.ts [users] [at once]
 * [seconds]`. The database does its fsync on this machine's disk; client and server share its cores.
 */
const [users = 50, atOnce = 2000, seconds = 8] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'mingxi-journal-'))
const postgres = await startPostgres(folder, { shared_buffers: '256MB', max_wal_size: '4GB' })
await migrate(postgres.url, join(import.meta.dirname, '../../../../apps/server/migrations'))
const db = connect(postgres.url, { max: 10 })
const journal = await createJournal(db, createLog('warn'), { deadMs: 10_000 })
const keys: ApiKey[] = []
for (let i = 0; i < users; i++) keys.push((await aKey(db, await aFundedUser(db, { purchased: 1_000_000n * 1_000_000_000n }))).key)

let pairs = 0
let stop = false
let waited = 0
const runLane = async (lane: number) => {
  const key = keys[lane % keys.length]!
  while (!stop) {
    const answer = journal.admit(key, 60_000_000n)
    const lease = answer instanceof Promise ? await answer : answer
    if (!isLease(lease)) {
      await new Promise((done) => {
        setTimeout(done, 5)
      })
      continue
    }
    const call = aReservedCall(key, lease, { held: 60_000_000n })
    const began = performance.now()
    await journal.reserve(call, true)
    await journal.settle(aSettledCall(call, 12_345_678n))
    waited += performance.now() - began
    pairs++
  }
}
const lanes = Array.from({ length: atOnce }, (_, lane) => runLane(lane))
await new Promise((done) => {
  setTimeout(done, 1000)
})
const [from, cpu, at] = [pairs, process.cpuUsage(), performance.now()]
waited = 0
await new Promise((done) => {
  setTimeout(done, seconds * 1000)
})
const used = process.cpuUsage(cpu)
const took = (performance.now() - at) / 1000
const count = pairs - from
console.log(
  JSON.stringify({
    users,
    atOnce,
    pairsPerSecond: Math.round(count / took),
    nodeCpuMicrosPerPair: Math.round(((used.user + used.system) / count) * 10) / 10,
    msPerPair: Math.round((waited / count) * 10) / 10,
  }),
)
stop = true
await Promise.all(lanes)
await journal.stop()
const [flushes] = await db.query(`select count(*) as n from wallet_transactions where kind = 'gateway.usage'`)
console.log(
  JSON.stringify({
    rows: Number((await db.query('select count(*) as n from gateway_usage'))[0]!.n),
    postings: Number(flushes!.n),
    problems: (await verifyLedger(db, 5)).problems,
  }),
)
await db.close()
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
