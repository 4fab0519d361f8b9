import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aKey, insertPlannedUsage } from '#features/gateway/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { cards } from '../index.ts'
import { freeRequests } from '../settings.ts'
import { extendMember } from './data.ts'
import { refundFreeRequests } from './free-requests.ts'

const USD = 1_000_000_000n
const db = await useTestDb({ max: 12 })
const clock = createRunningClock()
// noon in Shanghai: an hour before and a minute before are the same day there, whenever this runs
const HOUR = 3_600_000
clock.advance(Date.parse(`${toShanghaiDay(Date.now())}T12:00:00+08:00`) - Date.now())
const { deps, callAs } = createTestApp({ features: [cards, account, identity, notices, risk], db, clock })
const set = (perDay: number, most = '1.00') => transact(db, SYSTEM, (tx) => deps.settings.set(tx, freeRequests, { perDay, most }))

/** Builds a user with a key and a balance; `calls` records calls of these costs, one second apart from `at` on. */
async function caller(isMember: boolean) {
  const user = await aUser(deps)
  await aFundedUser(db, { userId: user.userId, purchased: 100n * USD })
  if (isMember)
    await transact(db, SYSTEM, (tx) => extendMember(tx, user.userId, { years: 2, now: clock.now() }).then(async () => tx.audit('member.built', user.userId)))
  const { key } = await aKey(db, user.userId)
  let made = 0
  const calls = async (amounts: readonly bigint[], at = clock.now().getTime() - 60_000) => {
    const ids = amounts.map(() => `call_${user.userId}_${made++}`)
    await insertPlannedUsage(
      db.owner,
      amounts.map((amount, n) => ({ userId: user.userId, callId: ids[n]!, at: new Date(at + n * 1000), amount, key })),
    )
    await db.owner.query(
      `insert into gateway_usage_days (account_id, day, model, key_id, calls, tokens, amount, failed, largest) values ($1, $2, 'gpt-6-luna', $3, 1, 0, 0, 0, 0) on conflict do nothing`,
      [key.accountId, toShanghaiDay(at), key.keyId],
    )
  }
  return { ...user, calls, granted: async () => (await readBalance(db, user.userId)).grantedUnspent }
}

test('the cost of a member’s first calls of a day comes back as credit, once, up to its cap; no other user gets it', async () => {
  const [member, other] = [await caller(true), await caller(false)]
  for (const one of [member, other]) await one.calls([USD / 100n, USD / 50n, USD / 10n])
  await refundFreeRequests(deps)
  expect(await member.granted()).toBe(0n)

  await set(2)
  await Promise.all([refundFreeRequests(deps), refundFreeRequests(deps), refundFreeRequests(deps)])
  expect([await member.granted(), await other.granted()]).toEqual([(USD * 3n) / 100n, 0n])
  const shown = await callAs(member.token)('GET', '/card/opening')
  expect(shown.data.member.freeRequests).toEqual({ perDay: 2, today: '0.03' })

  // an earlier call is settled late: it counts as one of the free calls, and no credit is taken back for it
  await member.calls([USD], clock.now().getTime() - HOUR)
  await set(4)
  await refundFreeRequests(deps)
  expect(await member.granted()).toBe(USD)
  await set(4, '5.00')
  await refundFreeRequests(deps)
  expect(await member.granted()).toBe((USD * 113n) / 100n)
  // yesterday's calls, and a day without calls
  await member.calls([USD / 5n], clock.now().getTime() - 24 * HOUR)
  await refundFreeRequests(deps)
  await refundFreeRequests(deps)
  expect(await member.granted()).toBe((USD * 133n) / 100n)
  // returned sums are granted credit and cannot be withdrawn
  expect((await readBalance(db, member.userId)).withdrawable).toBe(100n * USD)
  expect((await verifyLedger(db)).problems).toEqual([])
})
