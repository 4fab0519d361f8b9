import { afterEach, beforeAll, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import { connect } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import type { TestDb } from '#platform/testing/db.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../builders.ts'
import type { ApiKey, Lease } from '../hot/deps.ts'
import { createJournal } from './journal.ts'
import type { RunningJournal } from './journal.ts'
import { createStatementGate } from './testing/statement-gate.ts'

// A database that is reachable but accepts no writes: read-only after a failover, full, or hung.

const log = createLog('silent')
const CENT = 10_000_000n
let db: TestDb
const stops: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  db = await useTestDb()
})
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

const aJournal = async (on: Sql): Promise<RunningJournal> => {
  const journal = await createJournal(on, log, { deadMs: 60_000, refuseMs: 800 })
  stops.push(journal.stop)
  return journal
}
async function aPayer(): Promise<{ userId: string; key: ApiKey }> {
  const userId = await aFundedUser(db, { purchased: 100n * CENT })
  return { userId, key: (await aKey(db, userId)).key }
}
/** Retries, because a slow machine may refuse at first, like a hung database. */
const leaseFor = (journal: RunningJournal, key: ApiKey): Promise<Lease> =>
  waitForValue(async () => {
    const answer = await journal.admit(key, CENT)
    return isLease(answer) ? answer : undefined
  }, 'a call that is served')
/** Leaves a lease in memory that covers more calls, which could be sent without a query to the database. */
async function runCallWithLease(journal: RunningJournal, key: ApiKey): Promise<void> {
  const call = aReservedCall(key, await leaseFor(journal, key), { held: CENT })
  await journal.reserve(call, true)
  await journal.settle(aSettledCall(call, CENT))
}
/**
 * Sends a call while the database accepts no writes. Others are refused meanwhile, although the lease in memory covers them; after
 * `recover`, the sent call is written and calls are served again.
 */
async function expectRefusalsUntil(recover: () => unknown, journal: RunningJournal, key: ApiKey): Promise<void> {
  const dialled = aReservedCall(key, await leaseFor(journal, key), { held: CENT })
  const written = journal.reserve(dialled, true)
  try {
    await waitForValue(() => journal.isRefusing(), 'a journal that refuses')
    expect(await journal.admit(key, CENT)).toBe('unavailable')
  } finally {
    await recover()
  }
  await written
  await journal.settle(aSettledCall(dialled, CENT))
  expect(journal.isRefusing()).toBe(false)
  journal.giveBack((await leaseFor(journal, key)).leaseId, CENT)
  await journal.post()
}
const hasSettledAt = async (userId: string, spent: bigint) => (await readBalance(db, userId)).posted === 100n * CENT - spent

test('read-only: new calls are refused, what was dialled waits, nothing is parked, and all goes well again by itself', async () => {
  const { userId, key } = await aPayer()
  const own = connect(db.url, { max: 4, name: 'mingxi-away' })
  stops.push(own.close)
  const journal = await aJournal(own)
  await runCallWithLease(journal, key)
  const name = new URL(db.url).pathname.slice(1)
  await db.owner.query(`alter database ${name} set default_transaction_read_only = on`)
  const end = () => db.owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mingxi-away' and datname = $1`, [name])
  await end()
  await expectRefusalsUntil(() => db.owner.query(`alter database ${name} reset default_transaction_read_only`), journal, key)
  expect(await hasSettledAt(userId, 2n * CENT)).toBe(true)
  expect(await db.query('select from gateway_dead_letters')).toEqual([])
})

test('hung: a call that its lease covers is refused before it is dialled, and served once rows are taken again', async () => {
  const { userId, key } = await aPayer()
  const sql = createStatementGate(db)
  const journal = await aJournal(sql)
  await runCallWithLease(journal, key)
  sql.close()
  await expectRefusalsUntil(sql.open, journal, key)
  expect(await hasSettledAt(userId, 2n * CENT)).toBe(true)
})

test('hung: a call that needs money drawn is refused too, and what was drawn too late goes back', async () => {
  const { userId, key } = await aPayer()
  const sql = createStatementGate(db)
  const journal = await aJournal(sql)
  sql.close('insert into gateway_leases')
  try {
    expect(await journal.admit(key, CENT)).toBe('unavailable')
    await waitForValue(() => sql.passed.some((text) => text.includes('delete from gateway_leases')), 'an end of the lease that overtakes its beginning')
  } finally {
    sql.open()
  }
  const holds = () => db.query<{ status: string }>('select status from wallet_holds where account_id = $1', [key.accountId])
  // the hold may be open only briefly
  await waitForValue(async () => (await holds()).length > 0, 'a lease that came too late')
  await waitForValue(async () => (await holds()).every(({ status }) => status !== 'pending'), 'a lease that was given back')
  expect((await readBalance(db, userId)).held).toBe(0n)
})
