import { beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { runOperatorCommand } from '#platform/testing/run-command.ts'
import { account } from '#features/account/server/index.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, postTransaction, systemAccount, userAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { payments } from '../index.ts'
import { withdrawalCommands } from './commands.ts'
import { selectWithdrawalByNo } from '../set-aside/data.ts'
import { withdrawApprovalAbove } from './settings.ts'
import { advanceWithdrawal } from './verbs/advance-withdrawals.ts'

const db = await useTestDb()
const { call, deps } = createTestApp({ features: [payments, wallet, account, notices, risk], db })
const PIN = '271828'

let user: BuiltUser
beforeEach(async () => {
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId })
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, withdrawApprovalAbove, '10'))
})
async function requestWithdrawal(amount = '50'): Promise<string> {
  const payee = { alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X' }
  const { data } = await call(
    'POST',
    '/v1/userWrapperApi/balanceRefund',
    { amount, ...payee, payPassword: PIN },
    { token: user.token, idempotencyKey: createId('key') },
  )
  return data.withdrawalNo
}
const run = (name: string, withdrawalNo: string, more: object = {}) =>
  runOperatorCommand(deps, withdrawalCommands, { name: `withdrawal.${name}`, sent: { withdrawalNo, ...more } })
const stateOf = async (no: string) => (await selectWithdrawalByNo(db, no))!.state
const balance = async () => {
  const { available, held } = await readBalance(db, user.userId)
  return [available / NANO_PER_USD, held / NANO_PER_USD]
}

test('approve is weighed by the amount: nothing leaves before it, all of it once after it', async () => {
  const no = await requestWithdrawal()
  expect([await stateOf(no), await balance()]).toEqual(['approving', [50n, 50n]])
  const { subject, weight, before, did } = await run('approve', no)
  expect([subject, weight]).toEqual([`withdrawal:${no}`, { userId: user.userId, amount: parseUsd('50') }])
  expect([before, did]).toMatchObject([{ state: 'approving', amount: '50', held: '50', debt: '0', onHold: false }, { state: 'approved' }])
  await advanceWithdrawal(deps, no)
  expect([await stateOf(no), await balance()]).toEqual(['paid', [50n, 0n]])
  for (const name of ['approve', 'reject']) await expect(run(name, no)).rejects.toThrow('WITHDRAWAL_DECIDED')
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('reject makes the money available at once, and nothing leaves however often the worker runs', async () => {
  const no = await requestWithdrawal()
  const { did, after } = await run('reject', no)
  expect([did, after]).toMatchObject([{ state: 'rejected' }, { available: '100', held: '0' }])
  await advanceWithdrawal(deps, no)
  expect([await stateOf(no), await balance()]).toEqual(['rejected', [100n, 0n]])
  expect(await db.query('select 1 from payments_sandbox_payouts where payout_no = $1', [no])).toEqual([])
})

test('hold prevents approval and payment until a release, which takes it back', async () => {
  const no = await requestWithdrawal()
  const { after, undo } = await run('hold', no, { holdDays: 3 })
  expect(after).toMatchObject({ state: 'approving', onHold: true, held: '50', holdEnds: expect.any(String) })
  expect(undo).toEqual({ name: 'withdrawal.release', input: { withdrawalNo: no } })
  await expect(run('approve', no)).rejects.toThrow('WITHDRAWAL_HELD')
  expect((await run('release', no)).after).toMatchObject({ onHold: false, holdEnds: null })
  expect((await run('approve', no)).did).toEqual({ state: 'approved' })
})

test('a decision shows what the customer owes before and after it', async () => {
  const no = await requestWithdrawal()
  await transact(db, SYSTEM, async (tx) => {
    const legs = [{ from: userAccount(user.userId), to: systemAccount('revenue'), amount: parseUsd('57.5'), owe: true }]
    await postTransaction(tx, { kind: 'test.owed', ref: createId('owed'), legs })
    await tx.audit('test.owed', `user:${user.userId}`)
  })
  const { before, after } = await run('reject', no)
  expect([before, after]).toMatchObject([
    { available: '0', held: '50', debt: '7.5' },
    { available: '42.5', held: '0', debt: '0' },
  ])
  expect((await selectWithdrawalByNo(db, no))!.takenNano).toBe(parseUsd('7.5'))
})

test('recheck takes only a withdrawal that has left, and moves nothing by itself', async () => {
  const no = await requestWithdrawal()
  await expect(run('recheck', no)).rejects.toThrow('WITHDRAWAL_DECIDED')
  expect([await stateOf(no), await balance()]).toEqual(['approving', [50n, 50n]])
})

test('an operator cannot decide their own withdrawal, and an unknown number is not found', async () => {
  const no = await requestWithdrawal()
  const own = { kind: 'operator', id: user.userId } as const
  await expect(runOperatorCommand(deps, withdrawalCommands, { name: 'withdrawal.approve', sent: { withdrawalNo: no }, by: own })).rejects.toThrow(
    'WITHDRAWAL_OWN',
  )
  for (const { name } of withdrawalCommands) await expect(run(name.replace('withdrawal.', ''), 'W20260101-NOBODY')).rejects.toThrow('WITHDRAWAL_NOT_FOUND')
})

describe('withdrawalList', () => {
  const page = async (query: object = {}, { token } = user) => (await call('GET', '/v1/userWrapperApi/withdrawalList', query, { token })).data
  const numbers = (data: { rowList: { withdrawalNo: string }[] }) => data.rowList.map(({ withdrawalNo }) => withdrawalNo)

  test('lists the user’s own withdrawals, newest first, a page at a time, each once', async () => {
    await transact(db, SYSTEM, (tx) => deps.settings.set(tx, withdrawApprovalAbove, '1000'))
    const made: string[] = []
    for (let n = 0; n < 3; n++) {
      const no = await requestWithdrawal(`${10 + n}`)
      await advanceWithdrawal(deps, no)
      made.unshift(no)
    }
    expect(numbers(await page())).toEqual(made)
    const first = await page({ pageSize: 2 })
    expect(numbers(first)).toEqual(made.slice(0, 2))
    const rest = await page({ pageSize: 2, cursor: first.nextCursor })
    expect([numbers(rest), rest.nextCursor]).toEqual([made.slice(2), null])
    expect((await page({ pageSize: 3 })).nextCursor).toBeNull()
    const stranger = await aUser(deps)
    expect(await page({}, stranger)).toEqual({ rowList: [], nextCursor: null })
  })
})
