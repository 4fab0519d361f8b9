import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, readDebt, postTransaction, systemAccount, userAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { aWithdrawal } from '../../builders.ts'
import { workRefunds } from '../../reconciling/reconcile.ts'
import { createPayingApp } from '../../testing/paying.ts'
import { selectWithdrawalByNo } from '../../set-aside/data.ts'
import { selectWithdrawalParts } from '../../set-aside/data-parts.ts'
import { payoutRegistry } from '../vendors/index.ts'
import { advanceWithdrawal, startChannelRefunds, prepareTransfer } from './advance-withdrawals.ts'

// A debt that arises while money is being paid out stops the part not yet passed to a vendor.
const { db, deps, paid, dueNow, operator } = await createPayingApp()
const usd = parseUsd
const row = async (no: string) => (await selectWithdrawalByNo(db, no))!
const payouts = (no: string) => db.query('select state from payments_sandbox_payouts where payout_no = $1', [no])
const advance = (no: string) => advanceWithdrawal(deps, no)
const ageCall = (no: string) => db.owner.query(`update payments_withdrawals set called_at = called_at - interval '10 minutes' where withdrawal_no = $1`, [no])
const readMoney = async (userId: string) => [(await readBalance(db, userId)).available, await readDebt(db, userId)]
/** A payment is charged back: the amount missing from the balance is owed. */
const isCharged = (userId: string, amount: string) =>
  transact(db, operator, (tx) =>
    postTransaction(tx, {
      kind: 'dispute',
      ref: createId('dsp'),
      legs: [{ from: userAccount(userId), to: systemAccount('wash'), amount: usd(amount), owe: true }],
    }),
  )

test('a transfer that its vendor holds back is taken back, and pays the debt; not while a call may be on its way', async () => {
  const userId = await aFundedUser(db)
  const no = await aWithdrawal(deps, { userId, amount: '50', alipay: 'held@sandbox.example' })
  await advance(no)
  expect(await row(no)).toMatchObject({ state: 'in_transit', sentNano: usd('50') })
  await isCharged(userId, '60')
  await advance(no)
  expect([(await row(no)).state, await readMoney(userId)]).toEqual(['in_transit', [0n, usd('10')]])
  await ageCall(no)
  await advance(no)
  expect(await row(no)).toMatchObject({ state: 'failed', reason: 'debt', nextCheckAt: null })
  expect([await readMoney(userId), await payouts(no)]).toEqual([[usd('40'), 0n], []])
})

test('a transfer captured but not sent when the process died is taken back for a debt', async () => {
  const userId = await aFundedUser(db)
  const no = await aWithdrawal(deps, { userId, amount: '50' })
  const payout = payoutRegistry.first(deps)!
  const left = await startChannelRefunds(deps, await row(no), payout)
  expect(await prepareTransfer(deps, left!, payout)).toMatchObject({ sentNano: usd('50'), calledAt: null })
  await isCharged(userId, '100')
  await Promise.all([advance(no), advance(no), advance(no)])
  expect([(await row(no)).state, await readMoney(userId), await payouts(no)]).toEqual(['failed', [0n, 0n], []])
})

test('without a debt, a transfer that was held back is sent again under its number, once', async () => {
  const userId = await aFundedUser(db)
  const no = await aWithdrawal(deps, { userId, amount: '50', alipay: 'held@sandbox.example' })
  for (let n = 0; n < 4; n++) await advance(no)
  expect([(await row(no)).state, await payouts(no)]).toEqual(['paid', [{ state: 'paid' }]])
})

test('a debt smaller than a part that goes back over its channel is taken out of it, and the rest goes the same way', async () => {
  const { userId, orderNo } = await paid()
  const no = await aWithdrawal(deps, { userId, amount: '19' })
  await advance(no)
  await isCharged(userId, '5')
  await dueNow()
  await workRefunds(deps)
  await dueNow()
  await workRefunds(deps)
  await advance(no)
  const parts = (await selectWithdrawalParts(db, [(await row(no)).id])).map(({ orderNo, amountNano, state }) => [orderNo, amountNano, state])
  expect(parts).toEqual([
    [orderNo, usd('19'), 'failed'],
    [orderNo, usd('15'), 'succeeded'],
  ])
  expect([await row(no), await readMoney(userId), await payouts(no)]).toMatchObject([
    { state: 'paid', channelNano: usd('15'), takenNano: usd('4') },
    [0n, 0n],
    [],
  ])
})

test('afterwards the ledger adds up', async () => {
  await transact(db, SYSTEM, (tx) => tx.audit('test.over', 'test'))
  expect((await verifyLedger(db)).problems).toEqual([])
})
