import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { makeRowsDue, useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { createId } from '#platform/shared/ids.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { postTransaction, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { invitations } from '../index.ts'
import { signalWeights } from '../settings.ts'
import { expectRewardSums, createInvitationHelpers, ONE_USD } from '../testing/invitation-helpers.ts'

const db = await useTestDb({ max: 40 })
const { callAs, deps } = createTestApp({ features: [invitations, payments, account, notices, risk, wallet], db })
const { paidBy, ripen, standing, states, set, refund, reconcile } = createInvitationHelpers(db, deps)
await set(signalWeights, { ...signalWeights.fallback, weights: {} })
const PIN = '271828'
const FORM = { alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X', payPassword: PIN }

async function inviterWith(rewards: number) {
  const { userId, token } = await aUser(deps)
  await aPayPassword(deps, userId, PIN)
  const people = []
  for (let n = 0; n < rewards; n++) people.push(await paidBy(userId))
  await ripen()
  const me = callAs(token)
  const withdraw = (more: object = {}) => me('POST', '/invitation/withdrawal', { ...FORM, ...more }, { idempotencyKey: createId('key') })
  return { userId, me, withdraw, people }
}
const work = async () => {
  await makeRowsDue(db.owner, 'payments_withdrawals', { column: 'next_check_at' })
  for (const job of payments.jobs?.filter(({ name }) => name === 'payments.withdrawals') ?? []) await job.handle(deps, {})
}

test('rewards are withdrawn from 100.00 on, with the payment password, to the own Alipay account, once a month', async () => {
  const ann = await inviterWith(49)
  expect(await ann.withdraw()).toMatchObject({ code: 3405, data: { min: '100', missing: '2' } })
  const { inviteeId, orderNo } = await paidBy(ann.userId)
  await ripen()
  expect((await ann.withdraw({ payPassword: '314159' })).code).toBe(1031)
  expect((await ann.withdraw({ amount: '98' })).code).toBe(3406)
  const answers = await Promise.all(Array.from({ length: 10 }, () => ann.withdraw({ amount: '100' })))
  const [made] = answers.filter(({ code }) => code === 200)
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
  expect(made!.data).toMatchObject({ amount: '100', withdrawType: 2, state: 'requested' })
  expect([await standing(ann.userId), new Set(await states(ann.userId))]).toEqual([0n, new Set(['direct 2 paid'])])
  await work()
  await work()
  expect((await ann.me('GET', '/v1/userWrapperApi/withdrawalDetail', { withdrawalNo: made!.data.withdrawalNo })).data.state).toBe('paid')
  for (let n = 0; n < 50; n++) await paidBy(ann.userId)
  await ripen()
  expect((await ann.withdraw()).code).toBe(3408)
  await refund(orderNo, 20n * ONE_USD)
  await reconcile(inviteeId)
  expect(await standing(ann.userId)).toBe(98n * ONE_USD)
  await expectRewardSums(db)
})

test('a user with a debt gets no rewards paid: they are available again, and leave once nothing is owed', async () => {
  const ann = await inviterWith(50)
  const first = await ann.withdraw()
  const pays = (amount: bigint, owe: boolean) =>
    transact(db, SYSTEM, async (tx) => {
      const [own, house] = [userAccount(ann.userId), systemAccount(owe ? 'revenue' : 'wash')]
      await postTransaction(tx, {
        kind: 'test.moved',
        ref: createId('moved'),
        legs: [owe ? { from: own, to: house, amount, owe } : { from: house, to: own, amount }],
      })
      await tx.audit('test.moved', `user:${ann.userId}`)
    })
  const detail = async (no: string) => (await ann.me('GET', '/v1/userWrapperApi/withdrawalDetail', { withdrawalNo: no })).data
  expect((await detail(first.data.withdrawalNo)).owed).toBeUndefined()
  await pays(3n * ONE_USD, true)
  expect(await detail(first.data.withdrawalNo)).toMatchObject({ owed: '3' })
  await work()
  expect(await detail(first.data.withdrawalNo)).toMatchObject({ state: 'failed', reason: 'debt', taken: '0' })
  expect([await standing(ann.userId), new Set(await states(ann.userId))]).toEqual([100n * ONE_USD, new Set(['direct 2 available'])])
  await pays(3n * ONE_USD, false)
  const second = await ann.withdraw()
  await db.owner.query('update payments_withdrawals set pay_after = null')
  await work()
  expect((await detail(second.data.withdrawalNo)).state).toBe('paid')
  await expectRewardSums(db)
})

test('cancelled or refused rewards are available again, and the month is free', async () => {
  const ann = await inviterWith(50)
  const first = await ann.withdraw()
  expect(await standing(ann.userId)).toBe(0n)
  await ann.me('POST', '/v1/userWrapperApi/cancelWithdrawal', { withdrawalNo: first.data.withdrawalNo })
  expect([await standing(ann.userId), new Set(await states(ann.userId))]).toEqual([100n * ONE_USD, new Set(['direct 2 available'])])
  const second = await ann.withdraw({ alipayIdentity: 'name@sandbox.example' })
  expect(second.code).toBe(200)
  await db.owner.query('update payments_withdrawals set pay_after = null')
  await work()
  await work()
  expect((await ann.me('GET', '/v1/userWrapperApi/withdrawalDetail', { withdrawalNo: second.data.withdrawalNo })).data.state).toBe('failed')
  expect(await standing(ann.userId)).toBe(100n * ONE_USD)
  await expectRewardSums(db)
})
