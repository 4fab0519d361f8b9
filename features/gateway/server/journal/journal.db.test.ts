import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import pg from 'pg'
import { createLog } from '#platform/server/log.ts'
import type { Db } from '#platform/server/database/db.ts'
import { connect } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { readBalance as storedBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { selectSumDiscrepancies } from '../usage/data-sums.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../builders.ts'
import type { ApiKey } from '../hot/deps.ts'
import { createJournal } from './journal.ts'
import type { RunningJournal } from './journal.ts'

const log = createLog('silent')
const CENT = 10_000_000n
let db: Db & { url: string; owner: Db }
const running: RunningJournal[] = []

beforeAll(async () => {
  db = await useTestDb({ max: 20 })
})
afterEach(async () => {
  for (const journal of running.splice(0)) await journal.stop()
  await expectInvariants()
})

const aJournal = async (deadMs = 10_000, on: Db = db) => {
  const journal = await createJournal(on, log, { deadMs })
  running.push(journal)
  return journal
}

/** Checks the ledger's invariants, and ours: rows add up to the sums of hours and days, to lines and to the captures of the wallet. */
async function expectInvariants(): Promise<void> {
  expect((await verifyLedger(db.owner)).problems).toEqual([])
  for (const { day } of await db.query<{ day: string }>(`select distinct (started_at at time zone 'Asia/Shanghai')::date::text as day from gateway_usage`))
    expect(await selectSumDiscrepancies(db, day, 10)).toEqual([])
  const [lines] = await db.query(
    `select count(*) as n from gateway_usage u where amount <> (select coalesce(sum(u.lines[i]), 0) from generate_series(4, cardinality(u.lines), 4) i)`,
  )
  expect(lines!.n).toBe(0n)
  const wrong = await db.owner
    .query(`select lease_id, sum(amount) as rows, coalesce((select sum(amount) from wallet_captures where hold_id = 'gateway.lease.' || lease_id), 0) as taken
    from gateway_usage group by lease_id having sum(amount) <> coalesce((select sum(amount) from wallet_captures where hold_id = 'gateway.lease.' || lease_id), 0)`)
  expect(wrong).toEqual([])
}

/** Runs a whole call of exactly `amount`; returns true if it was admitted. */
async function spend(journal: RunningJournal, key: ApiKey, { amount, used = amount }: { readonly amount: bigint; readonly used?: bigint }): Promise<boolean> {
  const lease = await journal.admit(key, amount)
  if (!isLease(lease)) return false
  const call = aReservedCall(key, lease, { held: amount })
  await journal.reserve(call, true)
  await journal.settle(aSettledCall(call, used))
  return true
}

async function fundedKey(purchased: bigint): Promise<ApiKey> {
  const userId = await aFundedUser(db, { purchased })
  return (await aKey(db, userId)).key
}
/** Returns the balance of the user once all charges are posted. */
async function balanceOf(sql: Db, userId: string) {
  for (const journal of running) await journal.post()
  return storedBalance(sql, userId)
}
const available = async (key: ApiKey) => (await balanceOf(db, key.userId)).available

describe('promises', () => {
  test('64 parallel calls on a balance for ten: exactly ten, 20 rounds', async () => {
    const journal = await aJournal()
    for (let round = 0; round < 20; round++) {
      const key = await fundedKey(10n * CENT)
      const answers = await Promise.all(Array.from({ length: 64 }, () => spend(journal, key, { amount: CENT })))
      expect(answers.filter(Boolean)).toHaveLength(10)
      expect((await balanceOf(db, key.userId)).posted).toBe(0n)
    }
  })

  test('one after another on a balance for ten: exactly ten', async () => {
    const journal = await aJournal()
    const key = await fundedKey(10n * CENT)
    let served = 0
    for (let i = 0; i < 12; i++) if (await spend(journal, key, { amount: CENT })) served++
    expect(served).toBe(10)
  })

  test('M1: 200 concurrent streams on a balance for ten, cheaper than promised, 20 rounds: never above the balance', async () => {
    const journal = await aJournal()
    for (let round = 0; round < 20; round++) {
      const key = await fundedKey(10n * CENT)
      const used = CENT - BigInt(Math.floor(Math.random() * 9_000_000))
      const answers = await Promise.all(Array.from({ length: 200 }, () => spend(journal, key, { amount: CENT, used })))
      const served = BigInt(answers.filter(Boolean).length)
      expect(served).toBeGreaterThanOrEqual(10n)
      const { posted: balance, receivable: owed } = await balanceOf(db, key.userId)
      expect(owed).toBe(0n)
      expect(balance).toBe(10n * CENT - served * used)
    }
  })

  test('two processes on a balance for ten, 64 each: together exactly ten', async () => {
    const [one, two] = [await aJournal(), await aJournal()]
    const listener = await listenForRecalls([one, two])
    for (let round = 0; round < 5; round++) {
      const key = await fundedKey(10n * CENT)
      const all = [one, two].flatMap((journal) => Array.from({ length: 64 }, () => spend(journal, key, { amount: CENT })))
      const served = (await Promise.all(all)).filter(Boolean).length
      // money that the other process had drawn ahead is requested back: later calls use it
      let later = 0
      for (let i = 0; i < 12; i++) if (await spend(i % 2 ? one : two, key, { amount: CENT })) later++
      expect(served + later).toBe(10)
    }
    await listener.end()
  })

  test('idle money is given back within two seconds', async () => {
    const journal = await aJournal()
    const key = await fundedKey(100n * CENT)
    await spend(journal, key, { amount: CENT })
    expect(await available(key)).toBeLessThan(99n * CENT)
    await expect.poll(() => available(key)).toBe(99n * CENT)
    expect(await db.query('select 1 from gateway_leases where account_id = $1', [key.accountId])).toEqual([])
  })

  test('a call that costs more than was promised takes the rest from the balance', async () => {
    const journal = await aJournal()
    const key = await fundedKey(3n * CENT)
    expect(await spend(journal, key, { amount: CENT, used: 2n * CENT + 5n })).toBe(true)
    expect((await balanceOf(db, key.userId)).posted).toBe(CENT - 5n)
    expect(await spend(journal, key, { amount: CENT - 5n })).toBe(true)
    expect((await balanceOf(db, key.userId)).posted).toBe(0n)
  })

  test('an account without money leaves no holds behind', async () => {
    const journal = await aJournal()
    const key = await fundedKey(1n)
    for (let i = 0; i < 20; i++) expect(await journal.admit(key, CENT)).toBe('insufficient_balance')
    expect(await db.query(`select 1 from wallet_holds where account_id = $1`, [key.accountId])).toEqual([])
  })
})

describe('settlements', () => {
  test('50 times the same, in parallel and after each other: one row, one charge', async () => {
    const journal = await aJournal()
    const key = await fundedKey(100n * CENT)
    const lease = await journal.admit(key, 5n * CENT)
    if (!isLease(lease)) throw new Error('refused')
    const call = aReservedCall(key, lease, { held: 5n * CENT })
    await journal.reserve(call, true)
    const settled = aSettledCall(call, 3n * CENT)
    await Promise.all(Array.from({ length: 50 }, () => journal.settle(settled)))
    for (let i = 0; i < 50; i++) await journal.settle(settled)
    await Promise.all(Array.from({ length: 50 }, () => journal.release(call, 'client_gone', 499)))
    expect((await balanceOf(db, key.userId)).posted).toBe(97n * CENT)
    expect(await db.query('select amount from gateway_usage where call_id = $1', [call.callId])).toEqual([{ amount: 3n * CENT }])
    expect(await db.query('select 1 from gateway_calls')).toEqual([])
  })

  test('an end that overtakes its beginning leaves no open call', async () => {
    const journal = await aJournal()
    const key = await fundedKey(100n * CENT)
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const lease = await journal.admit(key, CENT / 10n)
        if (!isLease(lease)) throw new Error('refused')
        const call = aReservedCall(key, lease, { held: CENT / 10n })
        const opening = journal.reserve(call, true)
        if (i % 3)
          await new Promise((done) => {
            setTimeout(done, i % 7)
          })
        await Promise.all([opening, journal.settle(aSettledCall(call, CENT / 10n))])
      }),
    )
    expect(await db.query('select 1 from gateway_calls')).toEqual([])
    expect((await balanceOf(db, key.userId)).posted).toBe(90n * CENT)
  })

  test('a bad row is parked and does not block other calls', async () => {
    const journal = await aJournal()
    const key = await fundedKey(100n * CENT)
    const calls = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const lease = await journal.admit(key, CENT / 10n)
        if (!isLease(lease)) throw new Error('refused')
        const call = aReservedCall(key, lease, { held: CENT / 10n })
        await journal.reserve(call, true)
        return call
      }),
    )
    await Promise.all(
      calls.map((call, i) => journal.settle(aSettledCall(call, CENT / 10n, i === 17 ? { requestId: 'nul\0byte' } : i === 18 ? { amount: -5n } : {}))),
    )
    expect(await db.query('select call_id from gateway_dead_letters order by call_id')).toEqual(
      [calls[17]!, calls[18]!].map((call) => ({ callId: call.callId })).sort((a, b) => (a.callId < b.callId ? -1 : 1)),
    )
    const [row] = await db.query('select count(*) as n from gateway_usage where account_id = $1', [key.accountId])
    expect(row!.n).toBe(38n)
    // holds of parked calls are left for the operator: their open rows remain
    await db.query('delete from gateway_calls where call_id = any ($1)', [[calls[17]!.callId, calls[18]!.callId]])
  })

  test('awkward texts survive', async () => {
    const journal = await aJournal()
    const key = await fundedKey(100n * CENT)
    const lease = await journal.admit(key, CENT)
    if (!isLease(lease)) throw new Error('refused')
    const awkward = `a"b\\c{d},'e 中文 \n NULL`
    const call = aReservedCall(key, lease, { held: CENT })
    await journal.reserve(call, true)
    await journal.settle(aSettledCall(call, CENT, { upstreamRequestId: awkward }))
    expect(await db.query('select upstream_request_id as id from gateway_usage where call_id = $1', [call.callId])).toEqual([{ id: awkward }])
  })

  test('a row names the requested model where another one answered; ordinary rows in the same flush do not', async () => {
    const journal = await aJournal()
    const key = await fundedKey(100n * CENT)
    const lease = await journal.admit(key, 6n * CENT)
    if (!isLease(lease)) throw new Error('refused')
    const asked = 'old\tmodel\\1'
    const names = [undefined, asked, undefined, asked, asked]
    const calls = names.map((askedModel) => aReservedCall(key, lease, { held: CENT, more: askedModel === undefined ? {} : { askedModel } }))
    await Promise.all(calls.map((call) => journal.reserve(call, true)))
    const open = await db.query('select asked_model as asked from gateway_calls where account_id = $1 order by asked_model', [key.accountId])
    expect(open.map((row) => row['asked'])).toEqual(['', '', asked, asked, asked])
    await Promise.all([...calls.slice(0, 4).map((call) => journal.settle(aSettledCall(call, CENT))), journal.release(calls[4]!, 'upstream_failed', 502)])
    const rows = await db.query<{ callId: string; asked: string; model: string; totalMs: number }>(
      'select call_id, asked_model as asked, model, total_ms from gateway_usage where account_id = $1',
      [key.accountId],
    )
    expect(rows).toHaveLength(5)
    for (const [at, call] of calls.entries())
      expect(rows.find((row) => row.callId === call.callId)).toMatchObject({ asked: names[at] ?? '', model: call.model })
    expect(await db.query('select 1 from gateway_calls where account_id = $1', [key.accountId])).toEqual([])
  })

  test('connections cut during settlement: every row is written once', async () => {
    const journal = await aJournal()
    const key = await fundedKey(1000n * CENT)
    let cutting = true
    const until = Date.now() + 3000
    const cutter = (async () => {
      while (cutting && Date.now() < until) {
        await db.owner
          .query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%gateway_usage%' and pid <> pg_backend_pid()`,
          )
          .catch(() => {})
        await new Promise((done) => {
          setTimeout(done, 150)
        })
      }
    })()
    let served = 0
    await Promise.all(
      Array.from({ length: 400 }, async (_, i) => {
        await new Promise((done) => {
          setTimeout(done, i * 3)
        })
        const lease = await Promise.resolve(journal.admit(key, CENT)).catch(() => 'unavailable' as const)
        if (!isLease(lease)) return
        const call = aReservedCall(key, lease, { held: CENT })
        try {
          await journal.reserve(call, true)
        } catch {
          return
        }
        await journal.settle(aSettledCall(call, CENT))
        served++
      }),
    )
    cutting = false
    await cutter
    expect(served).toBeGreaterThan(100)
    await expect.poll(() => db.query('select 1 from gateway_calls where account_id = $1', [key.accountId])).toEqual([])
    const [row] = await db.query('select count(*) filter (where amount > 0) as n, sum(amount) as amount from gateway_usage where account_id = $1', [
      key.accountId,
    ])
    expect(row!.n).toBe(BigInt(served))
    expect((await balanceOf(db, key.userId)).posted).toBe(1000n * CENT - BigInt(served) * CENT)
  })

  test('an answer within the first moments takes the place of its open row; a slower one finds it written; both are posted once', async () => {
    const journal = await aJournal()
    const key = await fundedKey(100n * CENT)
    const opened = async (callId: string) => (await db.query('select from gateway_calls where call_id = $1', [callId])).length
    const start = async () => {
      const lease = await journal.admit(key, CENT)
      if (!isLease(lease)) throw new Error('refused')
      const call = aReservedCall(key, lease, { held: CENT })
      return { call, reserving: journal.reserve(call, false) }
    }
    for (let round = 0; round < 20; round++) {
      const quick = await start()
      expect(journal.isWaiting(quick.call.callId)).toBe(true)
      await Promise.all([quick.reserving, journal.settle(aSettledCall(quick.call, CENT))])
      expect(journal.isWaiting(quick.call.callId)).toBe(false)
    }
    const slow = await start()
    await slow.reserving
    expect([journal.isWaiting(slow.call.callId), await opened(slow.call.callId)]).toEqual([false, 1])
    await journal.settle(aSettledCall(slow.call, CENT))
    expect(await opened(slow.call.callId)).toBe(0)
    const left = await start()
    const stopping = running.splice(running.indexOf(journal), 1)[0]!.stop()
    await Promise.all([left.reserving, stopping])
    expect(await opened(left.call.callId)).toBe(1)
    expect((await balanceOf(db, key.userId)).posted).toBe(79n * CENT)
    await db.query('delete from gateway_calls where call_id = $1', [left.call.callId])
  })

  test('a flush that meets a written call writes the others; ten processes post at once, nothing twice', async () => {
    const journals = await Promise.all(Array.from({ length: 10 }, () => aJournal()))
    const key = await fundedKey(1000n * CENT)
    const calls: ReturnType<typeof aSettledCall>[] = []
    for (const journal of journals) {
      const lease = await journal.admit(key, CENT)
      if (!isLease(lease)) throw new Error('refused')
      const call = aReservedCall(key, lease, { held: CENT })
      await journal.reserve(call, true)
      calls.push(aSettledCall(call, CENT))
    }
    // Every process settles every call, like sweepers and retries.
    await Promise.all(journals.flatMap((journal) => calls.map((call) => journal.settle(call))))
    await Promise.all(journals.flatMap((journal) => Array.from({ length: 5 }, () => journal.post())))
    expect((await balanceOf(db, key.userId)).posted).toBe(990n * CENT)
    expect(await db.query('select from gateway_unposted')).toEqual([])
  })

  test('while the database is away: open rows and settlements wait and arrive', async () => {
    const key = await fundedKey(100n * CENT)
    const own = connect(db.url, { max: 4 })
    let away = false
    const unlessAway =
      <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        if (away) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
        return run(...args)
      }
    const gate: Db = { ...own, query: unlessAway(own.query) as Db['query'], insertRows: unlessAway(own.insertRows) }
    const journal = await aJournal(10_000, gate)
    const lease = await journal.admit(key, CENT)
    if (!isLease(lease)) throw new Error('refused')
    const call = aReservedCall(key, lease, { held: CENT })
    await journal.reserve(call, true)
    away = true
    let done = false
    const settling = journal.settle(aSettledCall(call, CENT)).then(() => {
      done = true
    })
    const second = await journal.admit(key, CENT)
    const third = await journal.admit(key, CENT)
    if (!isLease(second) || !isLease(third)) throw new Error('refused')
    const [opening, ended] = [aReservedCall(key, second, { held: CENT }), aReservedCall(key, third, { held: CENT })]
    const reserving = journal.reserve(opening, true)
    // its answer is there before its open row is written
    const both = Promise.all([journal.reserve(ended, true), journal.settle(aSettledCall(ended, CENT))])
    await new Promise((wait) => {
      setTimeout(wait, 400)
    })
    expect(done).toBe(false)
    away = false
    await Promise.all([settling, reserving, both])
    expect(await db.query('select call_id from gateway_calls where account_id = $1', [key.accountId])).toEqual([{ callId: opening.callId }])
    await journal.settle(aSettledCall(opening, CENT))
    expect(await db.query('select call_id from gateway_calls where account_id = $1', [key.accountId])).toEqual([])
    expect((await balanceOf(db, key.userId)).posted).toBe(97n * CENT)
    await running.splice(running.indexOf(journal), 1)[0]!.stop()
    await own.close()
  })
})

async function listenForRecalls(journals: readonly RunningJournal[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: db.url })
  await client.connect()
  client.on('notification', (news) => {
    for (const journal of journals) journal.recalled(news.payload ?? '')
  })
  await client.query('listen gateway_lease_recall')
  afterAll(() => client.end().catch(() => {}))
  return client
}
