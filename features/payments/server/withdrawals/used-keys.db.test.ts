import { beforeEach, expect, test } from 'vitest'
import { transact, SYSTEM } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { payments } from '../index.ts'

// A used idempotency key does not authenticate the caller: only an identical request is answered without the payment password.
const db = await useTestDb()
const { call, deps } = createTestApp({ features: [payments, wallet, account, notices, risk], db })
const PIN = '271828'
const WRONG = '314159'
const WRONG_PASSWORD = 1031

let user: BuiltUser
let key: string
beforeEach(async () => {
  user = await aUser(deps)
  key = createId('key')
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId })
})

const form = { alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X', amount: '50' }
const withdraw = (payPassword: string, amount = '50') =>
  call('POST', '/v1/userWrapperApi/balanceRefund', { ...form, amount, payPassword }, { token: user.token, idempotencyKey: key })
const useElsewhere = () => call('POST', '/api/go/v1/payOrder', { orderType: 10, amount: '20' }, { token: user.token, idempotencyKey: key })
const withdrawals = async () => (await db.query('select 1 from payments_withdrawals where user_id = $1', [user.userId])).length

test('a key used at another route, or for another amount, does not replace the payment password', async () => {
  await useElsewhere()
  expect(await db.query('select 1 from idempotency_keys where key = $1', [key])).toHaveLength(1)
  expect((await withdraw(WRONG)).code).toBe(WRONG_PASSWORD)
  expect(await withdrawals()).toBe(0)

  key = createId('key')
  const first = await withdraw(PIN)
  expect(first.code).toBe(200)
  expect((await withdraw(WRONG, '60')).code).toBe(WRONG_PASSWORD)
  expect((await withdraw(PIN, '60')).status).toBe(409)
  // An identical request gets the stored answer, without counting an attempt.
  expect((await withdraw(PIN)).data).toEqual(first.data)
  expect(await withdrawals()).toBe(1)
})

test('a key that the sweep deletes at the same moment opens nothing', async () => {
  await useElsewhere()
  let asked: ReturnType<typeof withdraw> | undefined
  await transact(db, SYSTEM, async (tx) => {
    await tx.query('delete from idempotency_keys where key = $1', [key])
    asked = withdraw(WRONG)
    // Wait until the request blocks on this deletion, or has a response.
    await Promise.race([asked, untilSessionBlocked()])
  })
  expect((await asked!).code).toBe(WRONG_PASSWORD)
  expect(await withdrawals()).toBe(0)
})

async function untilSessionBlocked(): Promise<void> {
  for (;;) {
    const waiting = await db.owner.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into idempotency_keys%'`)
    if (waiting.length) return
    await new Promise((done) => setTimeout(done, 10))
  }
}
