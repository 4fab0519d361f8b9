import { beforeEach, expect, test } from 'vitest'
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
import { payments } from '../../index.ts'
import { selectWithdrawalByNo } from '../../set-aside/data.ts'
import { withdrawApprovalAbove } from '../settings.ts'
import { advanceWithdrawal } from '../verbs/advance-withdrawals.ts'
import { decideWithdrawal } from '../verbs/decide-withdrawal.ts'
import { holdWithdrawal, releaseHold } from './hold.ts'

const db = await useTestDb()
const { call, deps } = createTestApp({ features: [payments, wallet, account, notices, risk], db })
const LIN = { kind: 'operator', id: 'op-lin' } as const
const CHEN = { kind: 'operator', id: 'op-chen' } as const
const PIN = '271828'

let user: BuiltUser
let no: string
beforeEach(async () => {
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId })
})
async function asks(above: string): Promise<void> {
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, withdrawApprovalAbove, above))
  const body = { amount: '50', alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X', payPassword: PIN }
  const { data } = await call('POST', '/v1/userWrapperApi/balanceRefund', body, { token: user.token, idempotencyKey: createId('key') })
  no = data.withdrawalNo
}
const hold = (days?: number, why = 'the payee looks wrong') => transact(db, LIN, (tx) => holdWithdrawal(tx, LIN, { withdrawalNo: no, days, why }))
const release = () => transact(db, CHEN, (tx) => releaseHold(tx, CHEN, { withdrawalNo: no, why: 'called the customer' }))
const advance = () => advanceWithdrawal(deps, no)
const row = async () => (await selectWithdrawalByNo(db, no))!
const detail = async () => (await call('GET', '/v1/userWrapperApi/withdrawalDetail', { withdrawalNo: no }, { token: user.token })).data
const steps = async () =>
  (
    await db.query<{ s: string }>(
      'select s.state as s from payments_withdrawal_steps s join payments_withdrawals w on w.id = s.withdrawal_id where w.withdrawal_no = $1 order by s.id',
      [no],
    )
  ).map(({ s }) => s)
const held = async () => (await readBalance(db, user.userId)).held / NANO_PER_USD
const endNow = () =>
  db.owner.query(`update payments_withdrawals set held_at = now() - interval '2 days', held_until = now() - interval '1 second' where withdrawal_no = $1`, [no])

test('a withdrawal on hold is not paid, however often the worker runs, and continues once released', async () => {
  await asks('1000')
  await hold()
  for (let at = 0; at < 3; at++) await advance()
  expect(await row()).toMatchObject({ state: 'requested', heldBy: 'op-lin', heldUntil: null, heldWhy: 'the payee looks wrong', sentTx: null })
  expect(await held()).toBe(50n)
  await release()
  expect(await row()).toMatchObject({ state: 'requested', heldAt: null, heldBy: null, heldWhy: '' })
  await advance()
  expect((await row()).state).toBe('paid')
  expect(await steps()).toEqual(['requested', 'held', 'released', 'in_transit', 'paid'])
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('the customer reads that a held withdrawal is being checked, and neither who holds it nor why', async () => {
  await asks('1000')
  expect((await detail()).held).toBe(false)
  await hold()
  const seen = await detail()
  expect(seen).toMatchObject({ held: true, state: 'requested', cancellable: true })
  expect(seen.timeline.map(({ state }: { state: string }) => state)).toEqual(['requested'])
  expect(JSON.stringify(seen)).not.toMatch(/payee looks wrong|op-lin/)
})

test('a withdrawal on hold can be rejected and not approved; its 14 days begin again on release', async () => {
  await asks('10')
  await hold()
  await expect(decideWithdrawal(deps, CHEN, { withdrawalNo: no, decision: 'approve', why: 'looks fine to me' })).rejects.toThrow('WITHDRAWAL_HELD')
  await db.owner.query(`update payments_withdrawals set next_check_at = now() where withdrawal_no = $1`, [no])
  await advance()
  expect((await row()).state).toBe('approving')
  await release()
  await expect(release()).rejects.toThrow('WITHDRAWAL_NOT_HELD')
  const [due] = await db.query<{ days: number }>(
    'select round(extract(epoch from next_check_at - now()) / 86400)::int as days from payments_withdrawals where withdrawal_no = $1',
    [no],
  )
  expect(due!.days).toBe(14)
  await hold()
  await decideWithdrawal(deps, CHEN, { withdrawalNo: no, decision: 'reject', why: 'an account that is not theirs' })
  expect(await row()).toMatchObject({ state: 'rejected', heldAt: null, heldBy: null })
  expect(await held()).toBe(0n)
})

test('a hold with an end is over by itself: an unapproved withdrawal waits on, any other continues', async () => {
  await asks('10')
  await hold(3)
  expect((await row()).heldUntil!.getTime() - (await row()).heldAt!.getTime()).toBe(3 * 86_400_000)
  await endNow()
  expect((await detail()).held).toBe(false)
  await advance()
  expect(await row()).toMatchObject({ state: 'approving', heldAt: null })
  await hold(3)
  await endNow()
  // The hold has expired, and the decision works before the worker runs.
  await decideWithdrawal(deps, CHEN, { withdrawalNo: no, decision: 'approve', why: 'looks fine to me' })
  await advance()
  expect((await row()).state).toBe('paid')
})

test('the database refuses a payment and an approval of what is on hold, and a hold of what has left', async () => {
  await asks('10')
  await hold()
  await expect(db.owner.query(`update payments_withdrawals set state = 'approved' where withdrawal_no = $1`, [no])).rejects.toThrow('is on hold')
  await expect(
    db.owner.query(`update payments_withdrawals set state = 'approved', held_at = null, held_by = null, held_why = '' where withdrawal_no = $1`, [no]),
  ).rejects.toThrow('is on hold')
  await release()
  await decideWithdrawal(deps, CHEN, { withdrawalNo: no, decision: 'approve', why: 'looks fine to me' })
  await advance()
  await expect(hold()).rejects.toThrow('WITHDRAWAL_DECIDED')
})

test('a hold that races the worker’s payment is one of both, never half', async () => {
  for (let at = 0; at < 8; at++) {
    user = await aUser(deps)
    await aPayPassword(deps, user.userId, PIN)
    await aFundedUser(db, { userId: user.userId })
    await asks('1000')
    const [tried] = await Promise.allSettled([hold(), advance()])
    const { state, heldAt, sentTx } = await row()
    if (tried.status === 'fulfilled') expect([heldAt !== null, sentTx, ['requested', 'in_transit'].includes(state)]).toEqual([true, null, true])
    else expect([state, heldAt]).toEqual(['paid', null])
  }
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('the customer can cancel a withdrawal on hold', async () => {
  await asks('10')
  await hold()
  expect((await call('POST', '/v1/userWrapperApi/cancelWithdrawal', { withdrawalNo: no }, { token: user.token })).data.state).toBe('cancelled')
  expect(await held()).toBe(0n)
})
