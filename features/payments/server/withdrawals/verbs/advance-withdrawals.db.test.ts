import { beforeEach, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger, voidHold } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { aWithdrawal } from '../../builders.ts'
import { payments } from '../../index.ts'
import { selectWithdrawalByNo } from '../../set-aside/data.ts'
import { withdrawApprovalAbove } from '../settings.ts'
import { turnPayout } from '../vendors/sandbox/data.ts'
import { advanceWithdrawal, advanceWithdrawals } from './advance-withdrawals.ts'
import { decideWithdrawal } from './decide-withdrawal.ts'

// Time-driven transitions of a withdrawal. Each test requests 50 of 100 dollars.
const db = await useTestDb({ max: 30 })
const { deps } = createTestApp({ features: [payments, wallet, account, notices, risk], db })
const OPERATOR = { kind: 'operator', id: 'op-1' } as const
let userId = ''
beforeEach(async () => {
  userId = await aFundedUser(db)
})

const ask = (alipay = 'wang@example.com') => aWithdrawal(deps, { userId, alipay })
const askToDecide = async () => {
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, withdrawApprovalAbove, '10'))
  const no = await ask()
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, withdrawApprovalAbove, '200'))
  return no
}
const row = async (no: string) => (await selectWithdrawalByNo(db, no))!
const advance = (no: string) => advanceWithdrawal(deps, no)
const dueNow = (no: string) => db.owner.query('update payments_withdrawals set next_check_at = now() where withdrawal_no = $1', [no])
/** Seconds until the next check; null for none. */
const waits = async (no: string) =>
  (
    await db.query<{ s: number | null }>(
      'select round(extract(epoch from next_check_at - clock_timestamp()))::int as s from payments_withdrawals where withdrawal_no = $1',
      [no],
    )
  )[0]!.s
const money = async () => {
  const { available, held } = await readBalance(db, userId)
  return [available, held]
}
const [FIFTY, HUNDRED] = [parseUsd('50'), parseUsd('100')]
const payouts = (no: string) => db.query<{ state: string }>('select state from payments_sandbox_payouts where payout_no = $1', [no])
const news = async (no: string) =>
  (await db.query<{ event: string }>(`select event from outbox where payload->>'withdrawalNo' = $1 order by id`, [no])).map(({ event }) => event)
const DAY = 86_400

test('a withdrawal undecided for two weeks is rejected, all of it is available, and a late approval pays nothing', async () => {
  const no = await askToDecide()
  expect(Math.abs((await waits(no))! - 14 * DAY)).toBeLessThan(1800)
  await advanceWithdrawals(deps)
  expect([(await row(no)).state, await money()]).toEqual(['approving', [FIFTY, FIFTY]])
  await dueNow(no)
  await advanceWithdrawals(deps)
  expect(await row(no)).toMatchObject({ state: 'rejected', reason: 'rejected', sealed: null, decidedBy: null, nextCheckAt: null })
  await expect(decideWithdrawal(deps, OPERATOR, { withdrawalNo: no, decision: 'approve', why: 'late' })).rejects.toThrow('WITHDRAWAL_DECIDED')
  await advance(no)
  expect([await money(), await payouts(no)]).toEqual([[HUNDRED, 0n], []])
})

test('an approval that races a cancellation ends in one of both, and the money goes with it', async () => {
  for (let round = 0; round < chooseRounds(8, 200); round++) {
    userId = await aFundedUser(db)
    const no = await askToDecide()
    const [yes] = await Promise.allSettled([decideWithdrawal(deps, OPERATOR, { withdrawalNo: no, decision: 'approve', why: 'yes' }), advance(no)])
    await advance(no)
    const isYes = yes.status === 'fulfilled'
    expect([(await row(no)).state, await money(), (await payouts(no)).length]).toEqual(isYes ? ['paid', [FIFTY, 0n], 1] : ['rejected', [HUNDRED, 0n], 0])
  }
})

test('without a clear answer the vendor is asked less and less often, never less than every quarter of an hour', async () => {
  const no = await ask('pending@sandbox.example')
  await advance(no)
  const seen = [await waits(no)]
  for (let look = 0; look < 7; look++) {
    await dueNow(no)
    await advanceWithdrawals(deps)
    seen.push(await waits(no))
  }
  // Allows for delays on a slow machine.
  for (const [at, seconds] of [15, 30, 60, 120, 240, 480, 900, 900].entries()) expect([seen[at]! > seconds / 2, seen[at]! <= seconds]).toEqual([true, true])
  expect([(await row(no)).state, await payouts(no), await money()]).toEqual(['in_transit', [{ state: 'pending' }], [FIFTY, 0n]])
})

test('a paid withdrawal is checked after one, three and seven days and no more; a return on the last is credited back once', async () => {
  const no = await ask()
  await advance(no)
  expect(Math.abs((await waits(no))! - DAY)).toBeLessThan(1800)
  const after = async (days: number) => {
    await db.owner.query(`update payments_withdrawals set finished_at = now() - make_interval(days => $2, mins => 1) where withdrawal_no = $1`, [no, days])
    await advance(no)
    return waits(no)
  }
  expect(Math.abs((await after(1))! - (2 * DAY - 60))).toBeLessThan(1800)
  expect(Math.abs((await after(3))! - (4 * DAY - 60))).toBeLessThan(1800)
  expect([await after(7), await money()]).toEqual([null, [FIFTY, 0n]])
  await turnPayout(createSupplierTools(deps), no, 'returned')
  await Promise.all(Array.from({ length: 8 }, () => advance(no)))
  await advance(no)
  expect([(await row(no)).state, await money(), await waits(no)]).toEqual(['returned', [HUNDRED, 0n], null])
  expect(await news(no)).toEqual(['withdrawal.requested', 'withdrawal.paid', 'withdrawal.returned'])
})

test('a withdrawal whose vendor is no longer connected stays in transit, and no other vendor sends it', async () => {
  const no = await ask('pending@sandbox.example')
  await advance(no)
  await db.owner.query(`update payments_withdrawals set payout_vendor = 'gone' where withdrawal_no = $1`, [no])
  await turnPayout(createSupplierTools(deps), no, 'refused')
  for (let look = 0; look < 3; look++) await advance(no)
  expect([(await row(no)).state, await money(), (await payouts(no)).length]).toEqual(['in_transit', [FIFTY, 0n], 1])
  await db.owner.query(`update payments_withdrawals set payout_vendor = 'sandbox' where withdrawal_no = $1`, [no])
  await advance(no)
  expect([(await row(no)).state, await money()]).toEqual(['failed', [HUNDRED, 0n]])
})

test('a withdrawal whose hold ended before it left sends nothing', async () => {
  const no = await ask()
  await transact(db, SYSTEM, async (tx) => {
    await voidHold(tx, no)
    await tx.audit('test.voided', `withdrawal:${no}`)
  })
  await Promise.all(Array.from({ length: 4 }, () => advance(no)))
  expect(await row(no)).toMatchObject({ state: 'failed', reason: 'refused', sealed: null, sentTx: null })
  expect([await money(), await payouts(no)]).toEqual([[HUNDRED, 0n], []])
})

test('a withdrawal that cannot be moved on does not stop the others', async () => {
  const broken = await ask()
  await db.owner.query(`update payments_withdrawals set sealed = '\\x00' where withdrawal_no = $1`, [broken])
  userId = await aFundedUser(db)
  const good = await ask()
  for (const no of [broken, good]) await dueNow(no)
  await advanceWithdrawals(deps)
  expect([(await row(good)).state, (await payouts(good)).length, await money()]).toEqual(['paid', 1, [FIFTY, 0n]])
  expect([(await row(broken)).state, await payouts(broken)]).toEqual(['in_transit', []])
  expect((await waits(broken))! > 0).toBe(true)
})

test('afterwards the ledger adds up', async () => {
  expect((await verifyLedger(db)).problems).toEqual([])
})
