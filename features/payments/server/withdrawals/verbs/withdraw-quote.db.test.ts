import { beforeEach, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Setting } from '#platform/server/settings.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { getNextDay, toShanghaiDay } from '#platform/shared/time.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { aUser, freezeAccount } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser, aHold } from '#features/wallet/server/builders.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { aWithdrawal } from '../../builders.ts'
import { payments } from '../../index.ts'
import { maintenance } from '../../settings.ts'
import { withdrawLimits, withdrawOpen, withdrawPause } from '../settings.ts'
import { advanceWithdrawal } from './advance-withdrawals.ts'

const db = await useTestDb()
const { call, deps } = createTestApp({ features: [payments, wallet, account, notices, risk], db })
const set = <T>(entry: Setting<T>, value: T) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, entry, value))
const LIMITS = { day: '1000', month: '5000', everybodyDay: '50000' }

let user: BuiltUser
beforeEach(async () => {
  user = await aUser(deps)
})
const fund = (amount: string) => aFundedUser(db, { userId: user.userId, purchased: parseUsd(amount) })
const quote = async (amount?: string) =>
  (await call('GET', '/v1/userWrapperApi/withdrawQuote', amount === undefined ? {} : { amount }, { token: user.token })).data
const ask = (amount: string, alipay?: string) => aWithdrawal(deps, { userId: user.userId, amount, ...(alipay ? { alipay } : {}) })
const cancel = (withdrawalNo: string) => call('POST', '/v1/userWrapperApi/cancelWithdrawal', { withdrawalNo }, { token: user.token })

test('an empty balance has no quote, and the reason is given', async () => {
  expect(await quote()).toMatchObject({ balance: '0', withdrawable: '0', payAmount: null, parts: [], transfer: null, fullWithdraw: false })
  expect(await quote()).toMatchObject({ account: null, coolOffUntil: null, approvalAbove: '200', blocked: 'WITHDRAW_TOO_SMALL', open: null })
})

test('a quote is for the smallest amount to all that can go, not for a cent beyond; the payout is rounded down', async () => {
  await fund('100.019')
  expect(await quote()).toMatchObject({ balance: '100.019', withdrawable: '99.01', keep: '1', min: '1', blocked: null })
  const quoted = await Promise.all(['0.99', '1', '1.01', '99.01', '99.02'].map(async (amount) => (await quote(amount)).payAmount))
  // 1.01 x 7.123 = 7.19423, 99.01 x 7.123 = 705.24823
  expect(quoted).toEqual([null, '7.12', '7.19', '705.24', null])
  expect((await quote('99.01')).transfer).toEqual({ amount: '99.01', payAmount: '705.24' })
  await expect(ask('99.02')).rejects.toThrow('WITHDRAW_TOO_LARGE')
  await ask('99.01')
})

test('money held for something else stays in the balance and cannot be withdrawn', async () => {
  await fund('100')
  await aHold(db, user.userId, { amount: parseUsd('30.5') })
  expect(await quote()).toMatchObject({ balance: '100', withdrawable: '68.5' })
  await aHold(db, user.userId, { amount: parseUsd('69') })
  expect(await quote()).toMatchObject({ balance: '100', withdrawable: '0', blocked: 'WITHDRAW_TOO_SMALL' })
})

test('the day’s limit is used up by requests, and given back by those that were cancelled or came back', async () => {
  await fund('200')
  await set(withdrawLimits, { ...LIMITS, day: '50.5' })
  const cancelled = await ask('50', 'returned@sandbox.example')
  expect(await quote()).toMatchObject({ dayLeft: '0.5', monthLeft: '4950', blocked: 'WITHDRAW_OPEN', open: { withdrawalNo: cancelled } })
  await cancel(cancelled)
  expect(await quote()).toMatchObject({ dayLeft: '50.5', monthLeft: '5000', withdrawable: '50.5', blocked: null, open: null })
  const returned = await ask('50', 'returned@sandbox.example')
  await advanceWithdrawal(deps, returned)
  expect(await quote()).toMatchObject({ dayLeft: '0.5', withdrawable: '0.5', payAmount: null, blocked: 'WITHDRAW_LIMIT', open: null })
  await expect(ask('1')).rejects.toThrow('WITHDRAW_LIMIT')
  await advanceWithdrawal(deps, returned)
  expect(await quote()).toMatchObject({ dayLeft: '50.5', withdrawable: '50.5', blocked: null })
  await set(withdrawLimits, LIMITS)
})

test('the month binds where it is less than the day, to the cent', async () => {
  await fund('200')
  await set(withdrawLimits, { ...LIMITS, month: '60' })
  await advanceWithdrawal(deps, await ask('50'))
  expect(await quote('10')).toMatchObject({ dayLeft: '950', monthLeft: '10', withdrawable: '10', payAmount: '71.23' })
  expect((await quote('10.01')).payAmount).toBeNull()
  await expect(ask('10.01')).rejects.toThrow('WITHDRAW_LIMIT')
  await set(withdrawLimits, LIMITS)
})

test('the quote names each obstacle, and a request is refused with the same one', async () => {
  await fund('100')
  const today = toShanghaiDay(deps.clock.now())
  const kept = await deps.settings.get(maintenance)
  const refused = async (why: string, resumes: unknown) => {
    expect(await quote()).toMatchObject({ blocked: why, resumes, withdrawable: '99' })
    await expect(ask('50')).rejects.toThrow(why)
  }
  // Of several causes the quote reports the one that lasts longest; each step adds one on top of the former.
  await set(withdrawLimits, { ...LIMITS, everybodyDay: '0.99' })
  await refused('WITHDRAW_CHANNEL_LIMIT', expect.stringMatching(/^\d{4}-\d\d-\d\d 12:00$/))
  await set(withdrawPause, { from: today, to: today })
  await refused('WITHDRAW_PAUSED', getNextDay(today))
  await set(maintenance, { ...kept, isMaintain: true, closed: ['withdraw'] })
  await refused('WITHDRAW_CLOSED', null)
  await set(maintenance, kept)
  await set(withdrawOpen, false)
  await refused('WITHDRAW_CLOSED', null)
  await freezeAccount(deps, SYSTEM, { userId: user.userId, reason: 'test', scopes: ['money_out'] })
  await refused('MONEY_OUT_FROZEN', null)
  await set(withdrawOpen, true)
  await set(withdrawPause, null)
  await set(withdrawLimits, LIMITS)
  expect(await db.query('select 1 from payments_withdrawals where user_id = $1', [user.userId])).toEqual([])
})

test('a pause covers neither the day after its last nor the day before its first', async () => {
  await fund('100')
  const today = toShanghaiDay(deps.clock.now())
  await set(withdrawPause, { from: '2020-01-01', to: '2020-02-09' })
  expect((await quote()).blocked).toBeNull()
  await set(withdrawPause, { from: getNextDay(today), to: '2099-12-31' })
  expect((await quote()).blocked).toBeNull()
  await set(withdrawPause, null)
})

test('a changed account is shown with the time from which it is paid, and only until then', async () => {
  await fund('100')
  await advanceWithdrawal(deps, await ask('10'))
  expect(await quote()).toMatchObject({ account: { alipay: 'w***g@example.com' }, coolOffUntil: null })
  await cancel(await ask('10', 'other@example.com'))
  const { account: shown, coolOffUntil } = await quote()
  expect([shown.alipay, Date.parse(coolOffUntil) - Date.parse(shown.changedTime)]).toEqual(['o***r@example.com', 24 * 3_600_000])
  await db.owner.query(`update payments_payout_accounts set changed_at = changed_at - interval '24 hours' where user_id = $1`, [user.userId])
  expect((await quote()).coolOffUntil).toBeNull()
})
