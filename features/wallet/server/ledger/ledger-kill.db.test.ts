import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { systemAccount, userAccount } from '../accounts.ts'
import { COUNTS } from '../testing/counts.ts'
import { captureHolds } from '../verbs/capture.ts'
import { creditUser } from '../verbs/credit.ts'
import { postTransaction } from '../verbs/post.ts'
import { verifyLedger } from '../verify.ts'

const folder = mkdtempSync(join(tmpdir(), 'mingxi-kill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The server and its children, by parent: only the postmaster's own tree. */
function killTree(pid: number): void {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .split(/\s+/)
    .filter(Boolean)
    .map(Number)
  for (const one of [pid, ...children])
    try {
      process.kill(one, 'SIGKILL')
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error
    }
}

const postmaster = () => Number(readFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])

test(`L7: kill -9 of PostgreSQL and its children under load, ${COUNTS.databaseKills} times: every acknowledged posting is there`, async () => {
  const acknowledged: string[] = []
  let restart = 0
  for (let round = 0; round <= COUNTS.databaseKills; round++) {
    const started = performance.now()
    const postgres = await startPostgres(folder, { shared_buffers: '32MB' })
    restart = Math.max(restart, performance.now() - started)
    if (round === 0) await migrate(postgres.url, join(import.meta.dirname, '../../../../apps/server/migrations'))
    const db = connect(postgres.url, { max: 8 })
    try {
      const known = new Set(
        (await db.query<{ ref: string }>('select ref from wallet_transactions union all select ref from wallet_captures')).map((row) => row.ref),
      )
      expect(acknowledged.filter((ref) => !known.has(ref))).toEqual([])
      expect((await verifyLedger(db)).problems).toEqual([])
      if (round === COUNTS.databaseKills) {
        await db.close()
        await postgres.stop()
        break
      }
      await transact(db, SYSTEM, (tx) => creditUser(tx, { userId: 'k', amount: 1_000_000n, from: 'wash', ref: `seed-${round}` }))
      await db.query(`select wallet_hold($1, 'user:k', 100000, '1 hour', 'lease')`, [`lease-${round}`])
      let alive = true
      const load = Array.from({ length: 8 }, async (_, lane) => {
        for (let step = 0; alive; step++) {
          const ref = `${round}-${lane}-${step}`
          try {
            if (lane % 2) await captureHolds(db, 'test.usage', { charges: [{ holdId: `lease-${round}`, amount: 3n, ref }] })
            else
              await transact(db, SYSTEM, (tx) =>
                postTransaction(tx, { kind: 'test.spend', ref, legs: [{ from: userAccount('k'), to: systemAccount('revenue'), amount: 2n }] }),
              )
            acknowledged.push(ref)
          } catch {
            return // the server is gone: this transaction was not acknowledged
          }
        }
      })
      await new Promise((done) => setTimeout(done, 150 + Math.random() * 250))
      killTree(postmaster())
      alive = false
      await Promise.all(load)
    } finally {
      await db.close().catch(() => {})
    }
  }
  console.log(`L7: ${acknowledged.length} acknowledged postings, slowest start ${Math.round(restart)} ms`)
  expect(acknowledged.length).toBeGreaterThan(COUNTS.databaseKills)
})
