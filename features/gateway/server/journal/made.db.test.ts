import { beforeAll, expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../builders.ts'
import { selectFailedTries, deleteOldFailedTries } from './writing/data-failed.ts'
import { deleteOldVendorIds, selectKnownVendorIds } from './data-made.ts'
import { createJournal } from './journal.ts'
import type { FailedTry } from '../hot/deps.ts'
import { seedPrices } from '../catalogue/seed.ts'

let db: Db & { owner: Db }
beforeAll(async () => {
  db = await useTestDb()
  await seedPrices({ db })
})

async function settled(madeIds: readonly string[], failed?: readonly FailedTry[]) {
  const { key } = await aKey(db, await aFundedUser(db, { purchased: parseUsd('10') }))
  const journal = await createJournal(db, createLog('silent'), { deadMs: 60_000 })
  const lease = await journal.admit(key, parseUsd('1'))
  if (!isLease(lease)) throw new Error(lease)
  const call = aReservedCall(key, lease, { held: parseUsd('1') })
  await journal.reserve(call, true)
  await journal.settle(aSettledCall(call, 1000n, { madeIds, failed }))
  return { key, journal, call }
}

test('a response is good for the account that it was made for, as soon as its call is settled', async () => {
  const mine = await settled(['resp_mine', 'msg_mine'])
  const theirs = await settled(['resp_theirs'])
  // Another process reads a moment later.
  expect(await selectKnownVendorIds(db, mine.key.accountId, ['msg_mine', 'resp_theirs', 'resp_mine', 'unknown'])).toEqual(new Set(['msg_mine', 'resp_mine']))
  expect(await selectKnownVendorIds(db, theirs.key.accountId, ['resp_mine'])).toEqual(new Set())
  await mine.journal.stop()
  await theirs.journal.stop()
})

test('an id that a vendor gives twice does not stop a flush, and a call settled twice is one row', async () => {
  const { journal, key, call } = await settled(['resp_twice', 'resp_twice'])
  await journal.settle(aSettledCall(call, 1000n, { madeIds: ['resp_twice'] }))
  const other = await settled(['resp_twice'])
  expect((await selectKnownVendorIds(db, key.accountId, ['resp_twice'])).size).toBe(1)
  expect((await selectKnownVendorIds(db, other.key.accountId, ['resp_twice'])).size).toBe(1)
  expect(await db.query('select count(*)::int as n from gateway_dead_letters')).toEqual([{ n: 0 }])
  await journal.stop()
  await other.journal.stop()
})

test('ids that vendors no longer keep are deleted', async () => {
  const { journal, key } = await settled(['resp_old'])
  await db.owner.query(`update gateway_made_ids set made_at = now() - interval '32 days' where account_id = $1`, [key.accountId])
  await deleteOldVendorIds(db)
  expect((await selectKnownVendorIds(db, key.accountId, ['resp_old'])).size).toBe(0)
  await journal.stop()
})

test('failed upstreams are kept with their call, in order, for a month, also for a call that no upstream answered', async () => {
  const tries: FailedTry[] = [
    { upstream: 'one', status: 503, cause: 'refused', from: 2, ms: 230 },
    { upstream: 'two', status: 0, cause: 'timeout', from: 233, ms: 30_000 },
  ]
  const { journal, key, call } = await settled([], tries)
  const wanted = tries.map(({ status, cause, from, ms }) => ({ status, cause, fromMs: from, ms }))
  expect(await selectFailedTries(db, key.accountId, call.callId)).toEqual(wanted)
  const lease = await journal.admit(key, parseUsd('1'))
  if (!isLease(lease)) throw new Error(lease)
  const unanswered = aReservedCall(key, lease, { held: parseUsd('1') })
  await journal.reserve(unanswered, true)
  await journal.release({ ...unanswered, failed: tries.slice(0, 1) }, 'upstream_failed', 503)
  expect(await selectFailedTries(db, key.accountId, unanswered.callId)).toEqual(wanted.slice(0, 1))
  // no account can read another's, and most calls have none
  const other = await settled(['resp_plain'])
  expect(await selectFailedTries(db, other.key.accountId, call.callId)).toEqual([])
  expect(await selectFailedTries(db, other.key.accountId, other.call.callId)).toEqual([])
  await db.owner.query(`update gateway_failed_tries set at = now() - interval '32 days' where call_id = $1`, [call.callId])
  await deleteOldFailedTries(db)
  expect(await selectFailedTries(db, key.accountId, call.callId)).toEqual([])
  await Promise.all([journal.stop(), other.journal.stop()])
})
