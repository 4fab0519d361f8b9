import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import pg from 'pg'
import { createLog } from '#platform/server/log.ts'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../../builders.ts'
import type { ApiKey, Lease } from '../../hot/deps.ts'
import { createJournal } from '../journal.ts'
import type { RunningJournal } from '../journal.ts'

const CENT = 10_000_000n
let db: Db & { url: string; owner: Db }
let journals: RunningJournal[] = []
const news: pg.Client[] = []

beforeAll(async () => {
  db = await useTestDb({ max: 20 })
})
afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.stop()
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})
afterAll(async () => {
  await Promise.all(news.map((client) => client.end()))
})

/** Starts processes; each is notified when another is short of an account's money. */
async function start(count: number): Promise<void> {
  journals = await Promise.all(Array.from({ length: count }, () => createJournal(db, createLog('silent'), { deadMs: 10_000 })))
  const client = new pg.Client({ connectionString: db.url })
  news.push(client)
  await client.connect()
  client.on('notification', ({ payload }) => journals.forEach((journal) => journal.recalled(payload ?? '')))
  await client.query('listen gateway_lease_recall')
}
async function fundedKey(cents: bigint): Promise<ApiKey> {
  return (await aKey(db, await aFundedUser(db, { purchased: cents * CENT }))).key
}
/** Runs a call that costs its whole reservation. */
async function spend(journal: RunningJournal, key: ApiKey, { lease, wanted }: { readonly lease: Lease; readonly wanted: bigint }): Promise<void> {
  const held = lease.granted ?? wanted
  const call = aReservedCall(key, lease, { held })
  await journal.reserve(call, true)
  await journal.settle(aSettledCall(call, held))
}

describe('calls that can do with less', () => {
  test('200 at once over three processes, each costing all it was promised: never above the balance, 3 rounds', async () => {
    await start(3)
    const [wanted, least] = [128n * CENT, 2n * CENT]
    for (let round = 0; round < 3; round++) {
      const key = await fundedKey(500n)
      const leases = await Promise.all(Array.from({ length: 200 }, (_, i) => journals[i % 3]!.admit(key, wanted, least)))
      const granted = leases.filter(isLease).map((lease) => lease.granted ?? wanted)
      expect(granted.every((amount) => amount >= least && amount <= wanted)).toBe(true)
      // The number of calls that share it depends on the order of draws; at 128 cents each, most of the balance takes at least four.
      const total = granted.reduce((sum, amount) => sum + amount, 0n)
      expect(total).toBeGreaterThan(400n * CENT)
      expect(total).toBeLessThanOrEqual(500n * CENT)
      await Promise.all(leases.map((lease, i) => (isLease(lease) ? spend(journals[i % 3]!, key, { lease, wanted }) : undefined)))
      for (const journal of journals) await journal.post()
      const { posted, receivable } = await readBalance(db, key.userId)
      expect(receivable).toBe(0n)
      expect(posted).toBeGreaterThanOrEqual(0n)
    }
  })

  test('they get their full hold while twice as much is there, else a quarter, and never less than their minimum', async () => {
    await start(1)
    const [journal] = journals
    const key = await fundedKey(1000n)
    const grants: bigint[] = []
    for (;;) {
      const lease = await journal!.admit(key, 300n * CENT, 50n * CENT)
      if (!isLease(lease)) break
      grants.push((lease.granted ?? 300n * CENT) / CENT)
    }
    expect(grants.slice(0, 3)).toEqual([300n, 300n, 100n])
    expect(grants.slice(3).every((cents) => cents >= 50n && cents <= 75n)).toBe(true)
    expect(grants.reduce((sum, cents) => sum + cents, 0n)).toBeGreaterThan(950n)
    expect(journal!.free!(key.accountId)).toBeLessThan(50n * CENT)
    expect(await journal!.admit(key, 50n * CENT)).toBe('insufficient_balance')
  })
})

test('a split promise gives one part back, and the other stays promised', async () => {
  await start(2)
  const [one, other] = journals as [RunningJournal, RunningJournal]
  const key = await fundedKey(500n)
  const lease = await one.admit(key, 400n * CENT)
  if (!isLease(lease)) throw new Error(`no lease: ${lease}`)
  one.split(lease.leaseId)
  one.giveBack(lease.leaseId, 100n * CENT)
  expect(await other.admit(key, 300n * CENT)).toBe('insufficient_balance')
  expect(isLease(await other.admit(key, 200n * CENT))).toBe(true)
  await spend(one, key, { lease, wanted: 300n * CENT })
  await one.post()
  expect(await readBalance(db, key.userId)).toMatchObject({ posted: 200n * CENT, receivable: 0n })
})
