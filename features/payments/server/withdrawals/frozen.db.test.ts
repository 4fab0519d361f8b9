import { expect, test } from 'vitest'
import { SYSTEM } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser, freezeAccount, thawAccount } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { payments } from '../index.ts'
import { selectWithdrawalByNo } from '../set-aside/data.ts'
import { advanceWithdrawal } from './verbs/advance-withdrawals.ts'
import { decideWithdrawal } from './verbs/decide-withdrawal.ts'

const db = await useTestDb()
const { call, deps } = createTestApp({ features: [payments, wallet, account, notices, risk], db })
const PIN = '271828'
const FORM = { alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X', amount: '50', payPassword: PIN }

test('a withdrawal of a frozen user waits with its money, and continues once the user is thawed', async () => {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId })
  const withdraw = () => call('POST', '/v1/userWrapperApi/balanceRefund', FORM, { token: user.token, idempotencyKey: createId('key') })
  const { data } = await withdraw()
  const state = async () => (await selectWithdrawalByNo(db, data.withdrawalNo))!.state
  await freezeAccount(deps, SYSTEM, { userId: user.userId, reason: 'test' })
  await advanceWithdrawal(deps, data.withdrawalNo)
  expect(await state()).toBe('requested')
  expect(await readBalance(db, user.userId)).toMatchObject({ posted: 100n * NANO_PER_USD, held: 50n * NANO_PER_USD })
  expect((await withdraw()).status).toBe(401)
  await thawAccount(deps, SYSTEM, { userId: user.userId, reason: 'test' })
  await advanceWithdrawal(deps, data.withdrawalNo)
  expect(await state()).toBe('paid')
})

test('a request whose user is frozen between its sign-in and its transaction holds nothing', async () => {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId })
  // The payment password is checked after the session and before the transaction.
  const locked = await db.pool.connect()
  await locked.query('begin')
  await locked.query('select 1 from account_pay_passwords where user_id = $1 for update', [user.userId])
  const asked = call('POST', '/v1/userWrapperApi/balanceRefund', FORM, { token: user.token, idempotencyKey: createId('key') })
  for (;;) {
    const waiting = await db.owner.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%account_pay_passwords%'`)
    if (waiting.length) break
    await new Promise((done) => setTimeout(done, 10))
  }
  await freezeAccount(deps, SYSTEM, { userId: user.userId, reason: 'test' })
  await locked.query('commit')
  locked.release()
  expect((await asked).status).toBe(401)
  expect(await db.query('select 1 from payments_withdrawals where user_id = $1', [user.userId])).toEqual([])
})

test('frozen payouts refuse requests with the reason and send nothing, while spending continues', async () => {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 900n * NANO_PER_USD })
  const withdraw = (amount = '50') =>
    call('POST', '/v1/userWrapperApi/balanceRefund', { ...FORM, amount }, { token: user.token, idempotencyKey: createId('key') })
  const quote = async () => (await call('GET', '/v1/userWrapperApi/withdrawQuote', {}, { token: user.token })).data.blocked
  const { withdrawalNo } = (await withdraw()).data
  const state = async () => (await selectWithdrawalByNo(db, withdrawalNo))!.state
  await freezeAccount(deps, SYSTEM, { userId: user.userId, reason: 'test', scopes: ['money_out'] })
  await advanceWithdrawal(deps, withdrawalNo)
  const refused = await withdraw()
  expect([await state(), refused.status, refused.code, refused.msg, await quote()]).toEqual([
    'requested',
    200,
    1038,
    '你的账户暂停提现和退款，请联系客服',
    'MONEY_OUT_FROZEN',
  ])
  const order = { orderType: 10, amount: '20', channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }
  expect((await call('POST', '/api/go/v1/payOrder', order, { token: user.token, idempotencyKey: createId('key') })).code).toBe(200)
  await thawAccount(deps, SYSTEM, { userId: user.userId, reason: 'test', scopes: ['money_out'] })
  await advanceWithdrawal(deps, withdrawalNo)
  expect([await state(), await quote()]).toEqual(['paid', null])
})

test('a withdrawal of a frozen customer can be refused and not approved', async () => {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 900n * NANO_PER_USD })
  const asked = await call('POST', '/v1/userWrapperApi/balanceRefund', { ...FORM, amount: '300' }, { token: user.token, idempotencyKey: createId('key') })
  const { withdrawalNo } = asked.data
  const decide = (verdict: 'approve' | 'reject') => decideWithdrawal(deps, { kind: 'operator', id: 'op-1' }, { withdrawalNo, decision: verdict, why: 'test' })
  await freezeAccount(deps, SYSTEM, { userId: user.userId, reason: 'test', scopes: ['money_out'] })
  await expect(decide('approve')).rejects.toMatchObject({ errorName: 'MONEY_OUT_FROZEN' })
  expect((await decide('reject')).state).toBe('rejected')
})
