import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { aWithdrawal } from '../builders.ts'
import { payments } from '../index.ts'
import { selectWithdrawalByNo } from '../set-aside/data.ts'
import { withdrawCoolOffHours, withdrawHolidays, withdrawLimits, withdrawOpen, withdrawPause } from './settings.ts'
import { computeNextWorkingNoon } from './eligibility.ts'
import { advanceWithdrawal } from './verbs/advance-withdrawals.ts'
import { decideWithdrawal } from './verbs/decide-withdrawal.ts'
import { turnPayout } from './vendors/sandbox/data.ts'

const db = await useTestDb({ max: 30 })
const { call, deps } = createTestApp({ features: [payments, wallet, account, notices, risk], db })
const PIN = '271828'
const OPERATOR = { kind: 'operator', id: 'op-1' } as const
const ID = '11010519491231002X'
const PATH = '/v1/userWrapperApi/balanceRefund'

let user: BuiltUser
beforeEach(async () => {
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId })
})

const form = (alipayIdentity = 'wang@example.com', alipayRealName = '王小明') => ({ alipayIdentity, alipayRealName, identityNumber: ID, payPassword: PIN })
const ask = (body: Record<string, unknown> = {}, key = createId('key')) =>
  call('POST', PATH, { ...form(), ...body }, { token: user.token, idempotencyKey: key })
const advance = (no: string) => advanceWithdrawal(deps, no)
const stateOf = async (no: string) => (await selectWithdrawalByNo(db, no))!.state
const balance = async (userId = user.userId) => {
  const { posted, available, held } = await readBalance(db, userId)
  return [posted, available, held].map((each) => Number(each / (NANO_PER_USD / 100n)) / 100)
}
const book = (no: string) => db.query<{ minor: bigint; state: string }>('select minor, state from payments_sandbox_payouts where payout_no = $1', [no])
const change = async <T>(entry: Parameters<typeof deps.settings.get<T>>[0], value: T) => transact(db, SYSTEM, (tx) => deps.settings.set(tx, entry, value))

describe('a withdrawal from request to arrival', () => {
  test('the money is held, sent and arrives: book, journal and timeline say the same', async () => {
    const { data, code } = await ask({ amount: '50' })
    expect(code).toBe(200)
    expect(data).toMatchObject({ amount: '50', payAmount: '356.15', state: 'requested', withdrawStatus: 0, cancellable: true, payAfterTime: null })
    expect(data.account).toEqual({ alipay: 'w***g@example.com', name: '**明' })
    expect(await balance()).toEqual([100, 50, 50])
    await advance(data.withdrawalNo)
    expect(await stateOf(data.withdrawalNo)).toBe('paid')
    expect(await balance()).toEqual([50, 50, 0])
    expect(await book(data.withdrawalNo)).toEqual([{ minor: 35615n, state: 'paid' }])
    const detail = (await call('GET', '/v1/userWrapperApi/withdrawalDetail', { withdrawalNo: data.withdrawalNo }, { token: user.token })).data
    expect(detail.timeline.map((row: { state: string; by: string }) => `${row.state} ${row.by}`)).toEqual([
      'requested user',
      'in_transit system',
      'paid system',
    ])
    expect((await verifyLedger(db)).problems).toEqual([])
  })
  test('the identity number and the account are stored nowhere in plain', async () => {
    const { data } = await ask()
    await advance(data.withdrawalNo)
    for (const table of ['payments_payout_accounts', 'payments_withdrawals', 'payments_withdrawal_steps', 'audit_rows', 'outbox', 'idempotency_keys']) {
      const text = (await db.owner.query<{ t: string }>(`select t::text as t from ${table} t`)).map((row) => row.t).join('\n')
      expect(text).not.toContain(ID)
      expect(text).not.toContain('wang@example.com')
      expect(text).not.toContain(Buffer.from(ID).toString('hex'))
    }
  })
  test('a withdrawal of everything leaves one dollar and sends no part of a cent', async () => {
    expect((await ask({ amount: '99.01' })).msg).toBe('可提现余额不足，当前最多可提 $99.00')
    const { data } = await ask()
    expect(data.amount).toBe('99')
    expect(await balance()).toEqual([100, 1, 99])
  })
  test('a second withdrawal uses the kept account', async () => {
    const first = await ask({ amount: '20' })
    await advance(first.data.withdrawalNo)
    const again = await call('POST', PATH, { amount: '20', payPassword: PIN }, { token: user.token, idempotencyKey: createId('key') })
    expect(again.data).toMatchObject({ state: 'requested', payAfterTime: null })
  })
  test('wrong payment passwords are counted, and nothing is held', async () => {
    const answer = await ask({ payPassword: '000001' })
    expect(answer.code).toBe(1031)
    expect(answer.data).toMatchObject({ failCount: 1, triesLeft: 4 })
    expect(await balance()).toEqual([100, 100, 0])
  })
  test.each([
    ['11010519491231002X', true],
    ['110105194912310021', false],
    ['11010519490231002X', false],
    ['00010519491231002X', false],
    ['11010519491231002', false],
  ])('identity number %s: %s', async (identityNumber, good) => {
    expect((await ask({ amount: '10', identityNumber })).code).toBe(good ? 200 : 400)
  })
  test.each([
    ['王', false],
    ['王小明', true],
    ['买买提·吐尔逊', true],
    ['Wang Xiaoming', true],
    ['<b>王</b>', false],
    ['王小明1', false],
    ['=cmd', false],
  ])('name %s: %s', async (alipayRealName, good) => {
    expect((await ask({ amount: '10', alipayRealName })).code).toBe(good ? 200 : 400)
  })
})

describe('limits and pauses', () => {
  test('a user’s limit of the day and the limit of all users refuse with their texts', async () => {
    await change(withdrawLimits, { day: '30', month: '5000', everybodyDay: '1000000' })
    expect((await ask({ amount: '30.01' })).msg).toBe('超出提现限额，还可提现 $30.00')
    expect((await ask({ amount: '30' })).code).toBe(200)
    await change(withdrawLimits, { day: '1000', month: '5000', everybodyDay: '0.5' })
    expect((await ask()).msg).toMatch(/^今日提现通道额度已满，\d{4}-\d\d-\d\d 12:00 恢复$/)
    await change(withdrawLimits, { day: '1000', month: '5000', everybodyDay: '50000' })
  })
  test('the Spring Festival pause and closed withdrawals refuse with their texts', async () => {
    await change(withdrawPause, { from: '2020-01-01', to: '2099-02-09' })
    expect((await ask()).msg).toBe('春节期间暂停提现，2099-02-10 恢复')
    await change(withdrawPause, null)
    await change(withdrawOpen, false)
    expect((await ask()).msg).toBe('提现暂时关闭，请稍后再试')
    await change(withdrawOpen, true)
    await change(withdrawHolidays, [])
  })
  test('the next working day skips weekends and holidays', () => {
    expect(computeNextWorkingNoon('2026-11-20', [])).toBe('2026-11-23 12:00')
    expect(computeNextWorkingNoon('2026-09-30', ['2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07'])).toBe('2026-10-08 12:00')
  })
})

describe('X1: one payout', () => {
  test('of fifty requests at once for most of the balance, one is accepted', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask({ amount: '60' })))
    expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
    expect(await balance()).toEqual([100, 40, 60])
  })
  test('an approval by two people and many advances at once pay once', async () => {
    await aFundedUser(db, { userId: user.userId, purchased: 400n * NANO_PER_USD })
    const { data } = await ask({ amount: '300' })
    expect(data.state).toBe('approving')
    const both = await Promise.allSettled(
      ['op-1', 'op-2'].map((id) =>
        decideWithdrawal(deps, { kind: 'operator', id }, { withdrawalNo: data.withdrawalNo, decision: 'approve', why: 'looked at it' }),
      ),
    )
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    await Promise.all(Array.from({ length: 10 }, () => advance(data.withdrawalNo)))
    await advance(data.withdrawalNo)
    expect(await stateOf(data.withdrawalNo)).toBe('paid')
    expect(await book(data.withdrawalNo)).toHaveLength(1)
    expect(await balance()).toEqual([200, 200, 0])
  })
  test('the requester cannot approve, and the database says so too', async () => {
    await aFundedUser(db, { userId: user.userId, purchased: 400n * NANO_PER_USD })
    const { data } = await ask({ amount: '300' })
    await expect(
      decideWithdrawal(deps, { kind: 'operator', id: user.userId }, { withdrawalNo: data.withdrawalNo, decision: 'approve', why: '' }),
    ).rejects.toThrow('WITHDRAWAL_OWN')
    await expect(
      db.query(`update payments_withdrawals set state = 'approved', decided_by = user_id where withdrawal_no = $1`, [data.withdrawalNo]),
    ).rejects.toThrow('four_eyes')
    await expect(db.query(`update payments_withdrawals set state = 'paid' where withdrawal_no = $1`, [data.withdrawalNo])).rejects.toThrow(
      'cannot go from approving to paid',
    )
  })
  test('approve against cancel, five hundred times: one of them, and the money follows', async () => {
    await aFundedUser(db, { userId: user.userId, purchased: 400n * NANO_PER_USD })
    await change(withdrawLimits, { day: '9999999', month: '9999999', everybodyDay: '9999999' })
    let approved = 0
    for (let round = 0; round < 500; round++) {
      // Inserted directly: running argon2 five hundred times would add nothing.
      const made = round === 0 ? (await ask({ amount: '300' })).data.withdrawalNo : await requestDirectly(round)
      const [yes, no] = await Promise.allSettled([
        decideWithdrawal(deps, OPERATOR, { withdrawalNo: made, decision: 'approve', why: '' }),
        call('POST', '/v1/userWrapperApi/cancelWithdrawal', { withdrawalNo: made }, { token: user.token }),
      ])
      const state = await stateOf(made)
      if (yes.status === 'fulfilled') approved++
      expect(no.status).toBe('fulfilled')
      if (state !== 'cancelled') await call('POST', '/v1/userWrapperApi/cancelWithdrawal', { withdrawalNo: made }, { token: user.token })
      expect(await stateOf(made)).toBe('cancelled')
    }
    expect(approved).toBeGreaterThan(0)
    expect(await balance()).toEqual([500, 500, 0])
    await change(withdrawLimits, { day: '1000', month: '5000', everybodyDay: '50000' })
  })
})

/** Requests a withdrawal without the password step: the handler's body in a transaction. */
async function requestDirectly(_round: number): Promise<string> {
  const { balanceRefund } = await import('./verbs/balance-refund.ts')
  const actor = { kind: 'user', id: user.userId } as const
  return transact(db, actor, async (tx) => {
    const ctx = {
      ...deps,
      actor,
      userId: user.userId,
      sessionId: '',
      lang: 'zh',
      clientType: 1,
      requestId: createId('req'),
      ip: '127.0.0.1',
      userAgent: 'test',
      tx,
    } as const
    return (await balanceRefund(ctx, { amount: '300', payPassword: PIN })).withdrawalNo
  })
}

describe('X2: an unknown outcome', () => {
  // One user has several accounts here.
  beforeAll(() => change(withdrawCoolOffHours, 0))
  afterAll(() => change(withdrawCoolOffHours, 24))
  test('two hundred payouts whose answer was lost, before or after, are queried and paid once', async () => {
    for (let n = 0; n < 200; n++) {
      const userId = await aFundedUser(db)
      const no = await aWithdrawal(deps, { userId, alipay: n % 2 ? 'lost-after@sandbox.example' : 'lost-before@sandbox.example' })
      await advance(no)
      expect(await stateOf(no)).toBe('in_transit')
      expect((await balance(userId))[0]).toBe(50)
      await advance(no)
      expect(await stateOf(no)).toBe('paid')
    }
    const rows = await db.query<{ n: bigint }>(`select count(*) as n from payments_sandbox_payouts where account like 'lost%'`)
    expect(rows[0]!.n).toBe(200n)
    expect((await verifyLedger(db)).problems).toEqual([])
  })
  test('pending stays in transit; refused comes back; returned comes back after it had arrived; held is sent again', async () => {
    const userId = await aFundedUser(db)
    const pending = await aWithdrawal(deps, { userId, alipay: 'pending@sandbox.example' })
    await advance(pending)
    await advance(pending)
    expect(await stateOf(pending)).toBe('in_transit')
    await turnPayout(createSupplierTools(deps), pending, 'refused')
    await advance(pending)
    expect(await stateOf(pending)).toBe('failed')
    expect(await balance(userId)).toEqual([100, 100, 0])
    for (const reason of ['account', 'name', 'limit']) {
      const no = await aWithdrawal(deps, { userId, alipay: `${reason}@sandbox.example` })
      await advance(no)
      expect(await selectWithdrawalByNo(db, no)).toMatchObject({ state: 'failed', reason, sealed: null })
    }
    const returned = await aWithdrawal(deps, { userId, alipay: 'returned@sandbox.example' })
    await advance(returned)
    expect(await stateOf(returned)).toBe('paid')
    expect((await balance(userId))[0]).toBe(50)
    await advance(returned)
    expect(await stateOf(returned)).toBe('returned')
    expect(await balance(userId)).toEqual([100, 100, 0])
    const held = await aWithdrawal(deps, { userId, alipay: 'held@sandbox.example' })
    for (const state of ['in_transit', 'in_transit', 'paid']) {
      await advance(held)
      expect(await stateOf(held)).toBe(state)
    }
    expect((await verifyLedger(db)).problems).toEqual([])
  })
})

test('X3: granted credit cannot be withdrawn', async () => {
  await aFundedUser(db, { userId: user.userId, purchased: 0n, granted: 500n * NANO_PER_USD })
  const quote = await call('GET', '/v1/userWrapperApi/withdrawQuote', {}, { token: user.token })
  expect(quote.data).toMatchObject({ balance: '600', granted: '500', withdrawable: '100', payAmount: '712.30', blocked: null })
  expect((await ask({ amount: '100.01' })).code).toBe(3130)
  const { data } = await ask()
  await advance(data.withdrawalNo)
  expect(await balance()).toEqual([500, 500, 0])
})

test('X4: a changed account gets nothing for a day, however often it is tried', async () => {
  const first = await ask({ amount: '10' })
  await advance(first.data.withdrawalNo)
  const second = await ask({ amount: '10', alipayIdentity: '13800138000' })
  expect(second.data.account).toEqual({ alipay: '138****8000', name: '**明' })
  const until = Date.parse(second.data.payAfterTime)
  expect(until - Date.now()).toBeGreaterThan(23 * 3_600_000)
  await advance(second.data.withdrawalNo)
  expect(await stateOf(second.data.withdrawalNo)).toBe('requested')
  expect(await book(second.data.withdrawalNo)).toEqual([])
  // Cancelled and requested again: the one-day wait continues from the account change.
  await call('POST', '/v1/userWrapperApi/cancelWithdrawal', { withdrawalNo: second.data.withdrawalNo }, { token: user.token })
  const third = await call('POST', PATH, { amount: '10', payPassword: PIN }, { token: user.token, idempotencyKey: createId('key') })
  expect(Date.parse(third.data.payAfterTime)).toBe(until)
  await db.owner.query(`update payments_withdrawals set pay_after = now() - interval '1 second' where withdrawal_no = $1`, [third.data.withdrawalNo])
  await advance(third.data.withdrawalNo)
  expect(await stateOf(third.data.withdrawalNo)).toBe('paid')
})
