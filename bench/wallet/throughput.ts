/**
 * Measures the ledger on a real PostgreSQL with fsync on, in a temporary folder: `node bench/wallet/throughput.ts [seconds]`. Prints one
 * line per case; asserts only that the ledger verifies.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureHolds, creditUser, postTransaction, systemAccount, userAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const folder = mkdtempSync(join(tmpdir(), 'mingxi-bench-'))
const postgres = await startPostgres(folder)
await migrate(postgres.url, join(import.meta.dirname, '../../apps/server/migrations'))
const db = connect(postgres.url, { max: 32 })
let nextRef = 0

/** Runs `work` in `lanes` loops for the given time; each call returns its number of units. */
async function measure(name: string, lanes: number, work: (lane: number) => Promise<number>): Promise<void> {
  const times: number[] = []
  let units = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() - started < SECONDS * 1000) {
        const at = performance.now()
        const done = await work(lane)
        units += done
        times.push(performance.now() - at)
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]!.toFixed(1)
  console.log(
    `${name.padEnd(48)} ${Math.round(units / seconds)
      .toString()
      .padStart(7)}/s  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms`,
  )
}

/** Leases of 1000 dollars distributed over this many users. */
async function createLeases(users: number, count: number): Promise<string[]> {
  const round = ++nextRef
  for (let user = 0; user < users; user++) {
    await transact(db, SYSTEM, (tx) => creditUser(tx, { userId: `b${round}-${user}`, amount: 1_000_000_000_000_000n, from: 'wash', ref: `b${round}-${user}` }))
  }
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const id = `lease-${round}-${index}`
      await db.query(`select wallet_hold($1,$2,$3,'1 hour','lease')`, [id, `user:b${round}-${index % users}`, 4_000_000_000_000n])
      return id
    }),
  )
}

const captureLeases = (sql: Db, held: readonly string[]) =>
  captureHolds(sql, 'test.usage', { charges: held.map((holdId) => ({ holdId, amount: 1_234_567n, ref: `r${nextRef++}` })) }).then((rows) => rows.length)

try {
  for (const users of [1, 20, 200]) {
    const one = await createLeases(users, 200)
    await measure(`capture_many, 200 leases of ${users} users, 1 lane`, 1, () => captureLeases(db, one))
    const lanes = [one, await createLeases(users, 200)]
    await measure(`capture_many, 200 leases of ${users} users, 2 lanes`, 2, (lane) => captureLeases(db, lanes[lane]!))
  }
  await db.query(`select wallet_post('topup', 'seed', $1)`, [
    JSON.stringify(
      Array.from({ length: 32 }, (_, lane) => ({
        debit_owner: 'system',
        debit_kind: 'wash',
        credit_owner: `user:p${lane}`,
        credit_kind: 'customer',
        amount: '1000000000000000',
      })),
    ),
  ])
  await measure('post customer -> revenue, one hot revenue, 32 lanes', 32, async (lane) => {
    await transact(db, SYSTEM, (tx) =>
      postTransaction(tx, { kind: 'test.spend', ref: `s${nextRef++}`, legs: [{ from: userAccount(`p${lane}`), to: systemAccount('revenue'), amount: 5n }] }),
    )
    return 1
  })
  const owner = connect(postgres.url, { max: 32, asOwner: true })
  await owner.query('create table bare (id int primary key, n bigint not null)')
  await owner.query('insert into bare values (1, 0)')
  await measure('bare one-row update, 32 lanes', 32, async () => {
    await owner.query('update bare set n = n + 1 where id = 1')
    return 1
  })
  await owner.close()
  const started = performance.now()
  const { problems, counts } = await verifyLedger(db)
  console.log(`verify: ${problems.length ? JSON.stringify(problems) : 'OK'} in ${Math.round(performance.now() - started)} ms`, counts)
} finally {
  await db.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
