import { beforeAll, expect, test } from 'vitest'
import type { Tx } from '#platform/server/database/transact.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey, aReservedCall } from '../builders.ts'
import type { ApiKey, ReservedCall } from '../hot/deps.ts'
import { endTakes, takeCalls } from '../quota/data-quota.ts'
import { writeFlush } from './writing/data-flush.ts'

/**
 * A session plans these statements once, while hardly a call is open, and keeps the plan: the cheapest plan at that time must not be a
 * sequential scan. The test has few rows; it checks the plan that PostgreSQL chooses.
 */
const db = await useTestDb()
const OPEN = 300
let key: ApiKey

beforeAll(async () => {
  key = (await aKey(db, await aFundedUser(db), { name: 'counted', limits: { requestsMinute: 1_000_000, dayBudget: 1_000_000_000_000n } })).key
  for (const table of ['gateway_calls', 'gateway_takes']) await db.owner.query(`vacuum analyze ${table}`)
})

const someCalls = (count: number): ReservedCall[] => Array.from({ length: count }, () => aReservedCall(key, { leaseId: 1n }, { held: 1n }))
const close = (tx: Tx, calls: readonly ReservedCall[]) =>
  tx.query('select gateway_close($1, $2)', [calls.map((c) => c.accountId), calls.map((c) => c.callId)], 'gateway_close')
const take = (tx: Tx, calls: readonly ReservedCall[]) =>
  takeCalls(
    tx,
    'here',
    calls.map(({ callId, startedAt }) => ({ callId, key, held: 1n, tokens: 1, startedAt })),
  )
const end = (tx: Tx, calls: readonly ReservedCall[]) =>
  endTakes(
    tx,
    calls.map(({ callId }) => ({ callId, tokens: 1 })),
  )

test.each([
  ['an end of a call', 'gateway_calls', (tx: Tx, calls: readonly ReservedCall[]) => writeFlush(tx, 'here', { opened: calls, settled: [], closed: [] }), close],
  ['an end of a counted call', 'gateway_takes', take, end],
  ['a counted call', 'gateway_takes', take, take],
] as const)('%s is found by index', async (_, table, fill, find) => {
  const rows = await transact(db, SYSTEM, async (tx) => {
    for (let i = 0; i < 7; i++) await find(tx, someCalls(1))
    const open = someCalls(OPEN)
    await fill(tx, open)
    const scanned = async () =>
      Number((await tx.query('select coalesce(sum(seq_tup_read), 0) as n from pg_stat_xact_user_tables where relname = $1', [table]))[0]!['n'])
    const before = await scanned()
    await find(tx, find === take ? someCalls(1) : open.slice(0, 3))
    return (await scanned()) - before
  })
  expect(rows).toBe(0)
})
