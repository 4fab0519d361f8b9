import { afterEach, beforeAll, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../../builders.ts'
import type { ApiKey } from '../../hot/deps.ts'
import { createJournal } from '../journal.ts'
import type { RunningJournal } from '../journal.ts'

const CENT = 10_000_000n
let db: Db & { owner: Db }
let journal: RunningJournal | undefined

beforeAll(async () => {
  db = await useTestDb()
})
afterEach(async () => {
  await journal?.stop()
  journal = undefined
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

const start = async (cents: bigint | undefined) => {
  journal = await createJournal(db, createLog('silent'), { deadMs: 60_000, atRisk: () => (cents === undefined ? undefined : cents * CENT) })
  return journal
}
const rich = async (): Promise<ApiKey> => (await aKey(db, await aFundedUser(db, { purchased: 100_000n * CENT }))).key

test('calls under way hold no more of an account than is allowed, asked for one by one or 200 at once; another account is not touched', async () => {
  const running = await start(100n)
  const [key, other] = [await rich(), await rich()]
  const answers = await Promise.all(Array.from({ length: 200 }, () => running.admit(key, 9n * CENT)))
  expect(answers.filter(isLease)).toHaveLength(11)
  expect(answers.filter((answer) => answer === 'too_much_held')).toHaveLength(189)
  expect(isLease(await running.admit(other, 9n * CENT))).toBe(true)
})

test('a call that can do with less gets what is left below the limit', async () => {
  const running = await start(100n)
  const key = await rich()
  const first = await running.admit(key, 70n * CENT, CENT)
  const second = await running.admit(key, 70n * CENT, CENT)
  expect([isLease(first) && first.granted, isLease(second) && second.granted]).toEqual([undefined, 30n * CENT])
  expect(await running.admit(key, 70n * CENT, CENT)).toBe('too_much_held')
})

test('a call’s hold is free for the next one when it is settled, released, given back, or found no money', async () => {
  const running = await start(100n)
  const key = await rich()
  for (let round = 0; round < 3; round++) {
    for (const end of ['settle', 'release', 'give back', 'forgo'] as const) {
      const lease = await running.admit(key, 100n * CENT)
      if (!isLease(lease)) throw new Error(`${end}: ${lease}`)
      expect(await running.admit(key, 1n)).toBe('too_much_held')
      const call = aReservedCall(key, lease, { held: 100n * CENT })
      if (end === 'settle') await running.reserve(call, true).then(() => running.settle(aSettledCall(call, 40n * CENT)))
      else if (end === 'release') await running.reserve(call, true).then(() => running.release(call, 'upstream_failed', 503))
      else if (end === 'give back') running.giveBack(lease.leaseId, 100n * CENT)
      else running.forgo!(lease, 100n * CENT)
    }
  }
  const poor = (await aKey(db, await aFundedUser(db, { purchased: 10n * CENT }))).key
  expect(await running.admit(poor, 90n * CENT)).toBe('insufficient_balance')
  expect(isLease(await running.admit(poor, 5n * CENT))).toBe(true)
})

test('without a limit the balance alone bounds it', async () => {
  const running = await start(undefined)
  expect(isLease(await running.admit(await rich(), 99_000n * CENT))).toBe(true)
})
