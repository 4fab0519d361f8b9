import { beforeAll, expect, test } from 'vitest'
import type { Db } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../builders.ts'
import { selectSumDiscrepancies } from './data-sums.ts'
import type { ApiKey } from '../hot/deps.ts'
import { writeFlush } from '../journal/writing/data-flush.ts'
import { createJournal } from '../journal/journal.ts'
import type { RunningJournal } from '../journal/journal.ts'
import { postCharges, sumUsage } from '../journal/data-posting.ts'
import { checkRecentSums, checkSums, repairSums } from './check-sums.ts'

const log = createLog('silent')
const CENT = 10_000_000n
const OPERATOR = { kind: 'operator', id: 'li' } as const
let db: Db & { url: string; owner: Db }
let key: ApiKey
beforeAll(async () => {
  db = await useTestDb({ max: 20 })
  key = (await aKey(db, await aFundedUser(db, { purchased: parseUsd('1000') }))).key
})

async function use(
  journal: RunningJournal,
  startedAt: number,
  { amount = CENT, more = {} }: { readonly amount?: bigint; readonly more?: Parameters<typeof aSettledCall>[2] } = {},
) {
  const lease = await journal.admit(key, amount)
  if (!isLease(lease)) throw new Error('refused')
  const call = aReservedCall(key, lease, { held: amount, more: { startedAt } })
  await journal.reserve(call, true)
  await journal.settle(aSettledCall(call, amount, more))
}

async function withJournal(work: (journal: RunningJournal) => Promise<void>): Promise<void> {
  const journal = await createJournal(db, log, { deadMs: 60_000 })
  try {
    await work(journal)
  } finally {
    await journal.stop()
  }
}

test('a call belongs to its hour and to its Shanghai day, to the millisecond', async () => {
  await withJournal(async (journal) => {
    for (const at of ['2026-11-10T15:59:59.999Z', '2026-11-10T16:00:00.000Z', '2026-11-10T16:59:59.999Z', '2026-11-10T17:00:00.000Z'])
      await use(journal, Date.parse(at), { amount: CENT, more: { outcome: at.startsWith('2026-11-10T17') ? 'client_gone' : 'completed' } })
  })
  const hours = await db.query<{ hour: Date; calls: bigint; failed: bigint }>('select hour, calls, failed from gateway_usage_hours order by hour')
  expect(hours.map((row) => [row.hour.toISOString(), row.calls, row.failed])).toEqual([
    ['2026-11-10T15:00:00.000Z', 1n, 0n],
    ['2026-11-10T16:00:00.000Z', 2n, 0n],
    ['2026-11-10T17:00:00.000Z', 1n, 1n],
  ])
  expect(await db.query('select day::text, calls, failed, largest from gateway_usage_days order by day')).toEqual([
    { day: '2026-11-10', calls: 1n, failed: 0n, largest: CENT },
    { day: '2026-11-11', calls: 3n, failed: 1n, largest: CENT },
  ])
  for (const day of ['2026-11-10', '2026-11-11']) expect(await selectSumDiscrepancies(db, day, 10)).toEqual([])
})

test('at every moment of settling from four processes at once, sums and what waits equal the rows', async () => {
  const day = '2026-11-12'
  const journals = await Promise.all(Array.from({ length: 4 }, () => createJournal(db, log, { deadMs: 60_000 })))
  let left = journals.length
  const settling = Promise.all(
    journals.map(async (journal, lane) => {
      for (let i = 0; i < 60; i++)
        await use(journal, Date.parse(`${day}T0${i % 4}:00:00Z`) + lane, { amount: BigInt(i + 1) * 1_000_003n, more: i % 7 ? {} : { outcome: 'upstream_cut' } })
      await journal.stop()
      left--
    }),
  )
  let looks = 0
  do {
    expect(await selectSumDiscrepancies(db, day, 10)).toEqual([])
    looks++
  } while (left > 0)
  await settling
  expect(looks).toBeGreaterThan(1)
  expect(await selectSumDiscrepancies(db, day, 10)).toEqual([])
  expect(
    (await db.query<{ calls: bigint }>('select sum(calls)::bigint as calls from gateway_usage_hours where hour >= $1', [`${day}T00:00:00Z`]))[0]!.calls,
  ).toBe(240n)
})

test('waiting rows are added up once over parallel runs; rows left by a process of the previous version are included', async () => {
  const startedAt = Date.parse('2026-11-13T00:00:00Z')
  const calls = Array.from({ length: 300 }, (_, i) => {
    const call = aReservedCall(key, { leaseId: 1n }, { held: CENT, more: { startedAt: startedAt + i } })
    return aSettledCall(call, i % 3 ? CENT : 0n)
  })
  for (let at = 0; at < calls.length; at += 10) await writeFlush(db, 'n', { opened: [], settled: calls.slice(at, at + 10), closed: [] })
  expect(await selectSumDiscrepancies(db, '2026-11-13', 10)).toEqual([])
  const moved = await Promise.all(Array.from({ length: 8 }, () => sumUsage(db)))
  expect(moved.reduce((sum, rows) => sum + rows, 0)).toBe(30)
  expect(await sumUsage(db)).toBe(0)
  expect(await selectSumDiscrepancies(db, '2026-11-13', 10)).toEqual([])
  const [charged] = await db.query(
    `with gone as (delete from gateway_unposted where lease_id = 1 returning amount) select count(*)::int as rows, sum(amount)::bigint as amount from gone`,
  )
  expect(charged).toEqual({ rows: 30, amount: 200n * CENT })

  // A row with sums and money of a call that cost nothing: nothing to post.
  await db.query(
    `insert into gateway_unposted (lease_id, account_id, hour, model, key_id, calls, tokens, amount, failed, largest)
    select 1, $1, '2026-11-13T05:00:00Z', 'of-before', $2, 2, 7, 0, 1, 0`,
    [key.accountId, key.keyId],
  )
  await postCharges(db, [{ accountId: key.accountId, leaseId: 1n }])
  await sumUsage(db)
  const hour = await db.query(`select calls, tokens, failed from gateway_usage_hours where hour = '2026-11-13T05:00:00Z'`)
  expect(hour).toEqual([{ calls: 2n, tokens: 7n, failed: 1n }])
  for (const table of ['gateway_usage_hours', 'gateway_usage_days']) await db.query(`delete from ${table} where model = 'of-before'`)
})

test('a key that changed its account leaves each account its own calls, in one flush too', async () => {
  const startedAt = Date.parse('2026-11-14T00:00:00Z')
  const others = { ...key, accountId: key.accountId + 1_000_000n }
  const calls = [key, others].map((owner) => aSettledCall(aReservedCall(owner, { leaseId: 3n }, { held: 0n, more: { startedAt } }), 0n))
  await writeFlush(db, 'n', { opened: [], settled: calls, closed: [] })
  expect(await selectSumDiscrepancies(db, '2026-11-14', 10)).toEqual([])
})

test('a wrong sum is found and logged, and repaired only with an audit row; a repair while calls settle loses none of them', async () => {
  const day = '2026-11-11'
  await db.query('update gateway_usage_hours set amount = amount + 1 where hour = $1', ['2026-11-10T16:00:00Z'])
  await db.query('delete from gateway_usage_days where day = $1', [day])
  const faults = await checkSums({ db, log }, day)
  expect(faults.map((fault) => fault.table).toSorted()).toEqual(['days', 'hours'])
  const checked = async () => (await db.query('select calls, faults from gateway_usage_checks where day = $1', [day]))[0]
  expect(await checked()).toMatchObject({ faults: 2 })
  await withJournal(async (journal) => {
    const settling = (async () => {
      for (let i = 0; i < 40; i++) await use(journal, Date.parse(`${day}T01:00:00Z`) + i)
    })()
    expect(await repairSums({ db }, OPERATOR, { day, reason: 'a disk was restored' })).not.toEqual([])
    await settling
  })
  expect(await selectSumDiscrepancies(db, day, 10)).toEqual([])
  expect((await db.query<{ calls: bigint }>('select sum(calls)::bigint as calls from gateway_usage_days where day = $1', [day]))[0]!.calls).toBe(43n)
  expect(await repairSums({ db }, OPERATOR, { day, reason: 'again' })).toEqual([])
  const audits = await db.owner.query(`select actor_id, data->>'reason' as reason from audit_rows where action = 'usage.sums-repaired'`)
  expect(audits).toEqual([{ actorId: 'li', reason: 'a disk was restored' }])
  expect(await checked()).toMatchObject({ faults: 0 })
  await checkRecentSums({ db, log, clock: { now: () => new Date('2026-11-14T00:00:00Z') } })
  expect(await checked()).toMatchObject({ faults: 0, calls: 43n })
  expect((await db.query('select day::text from gateway_usage_checks order by day')).map((row) => row['day'])).toEqual([
    '2026-11-10',
    '2026-11-11',
    '2026-11-12',
    '2026-11-13',
    '2026-11-14',
  ])
})
