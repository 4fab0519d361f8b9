import { expect, test } from 'vitest'
import { transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, postTransaction, systemAccount, userAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { aWithdrawal, pressCashier } from '../builders.ts'
import { createPayingApp } from '../testing/paying.ts'
import { MAGIC } from '../vendors/sandbox/magic-inputs.ts'
import { workRefunds } from '../reconciling/reconcile.ts'
import { planParts } from './channel-first.ts'
import { selectWithdrawalByNo } from '../set-aside/data.ts'
import { selectWithdrawalParts } from '../set-aside/data-parts.ts'
import { withdrawChannelFirst } from './settings.ts'
import { advanceWithdrawal } from './verbs/advance-withdrawals.ts'

const app = await createPayingApp()
const { db, deps, open, paid, call, dueNow, hurry, deliver, operator, stateOf } = app
const cents = (magic: string) => `20.${Object.entries(MAGIC).find(([, name]) => name === magic)![0]}`
const work = async () => {
  await dueNow()
  await workRefunds(deps)
}
const advance = (no: string) => advanceWithdrawal(deps, no)
const row = async (no: string) => (await selectWithdrawalByNo(db, no))!
const parts = async (no: string) => (await selectWithdrawalParts(db, [(await row(no)).id])).map((part) => [part.orderNo, part.amountNano, part.state])
const payout = async (no: string) => (await db.query<{ minor: bigint }>('select minor from payments_sandbox_payouts where payout_no = $1', [no]))[0]?.minor
const money = async (userId: string) => {
  const { available, held } = await readBalance(db, userId)
  return [available, held]
}
const spend = (userId: string, amount: string) =>
  transact(db, operator, (tx) =>
    postTransaction(tx, {
      kind: 'test.spend',
      ref: createId('spend'),
      legs: [{ from: userAccount(userId), to: systemAccount('revenue'), amount: parseUsd(amount) }],
    }),
  )
const usd = parseUsd

test('all of it goes back over the channels, newest payment first, each up to what is left of it; nothing is transferred', async () => {
  const older = await paid()
  const newer = await paid({ userId: older.userId })
  const { userId } = older
  await spend(userId, '3.005')
  const quote = (await call('GET', '/v1/userWrapperApi/withdrawQuote', {}, { token: userId })).data
  expect(quote).toMatchObject({
    withdrawable: '35.99',
    fullWithdraw: true,
    transfer: null,
    parts: [
      { orderNo: newer.orderNo, transactionType: 1, amount: '20', payAmount: '142.46', payCurrency: 'CNY' },
      { orderNo: older.orderNo, amount: '15.99' },
    ],
  })
  const no = await aWithdrawal(deps, { userId, amount: '35.99' })
  // Before it leaves, the detail shows the quote's split: its own hold does not count as spent.
  const { parts: quoted, transfer } = quote
  const seen = async () => (await call('GET', '/v1/userWrapperApi/withdrawalDetail', { withdrawalNo: no }, { token: userId })).data
  expect(await seen()).toMatchObject({ state: 'requested', parts: [], plan: { parts: quoted, transfer } })
  expect((await call('GET', '/v1/userWrapperApi/withdrawQuote', {}, { token: userId })).data.open).toMatchObject({ plan: { parts: quoted, transfer } })
  await advance(no)
  expect((await seen()).plan).toBeUndefined()
  expect(await parts(no)).toEqual([
    [newer.orderNo, usd('20'), 'approved'],
    [older.orderNo, usd('15.99'), 'approved'],
  ])
  expect([(await row(no)).state, await money(userId)]).toEqual(['in_transit', [usd('1.005'), 0n]])
  await work()
  await advance(no)
  expect([(await row(no)).state, await payout(no), await stateOf(newer.orderNo)]).toEqual(['paid', undefined, 'refunded'])
  const detail = (await call('GET', '/v1/userWrapperApi/withdrawalDetail', { withdrawalNo: no }, { token: userId })).data
  expect(detail).toMatchObject({ withdrawStatus: 1, transfer: null, parts: [{ orderNo: newer.orderNo, state: 'succeeded' }, { state: 'succeeded' }] })
  expect(await money(userId)).toEqual([usd('1.005'), 0n])
  const page = async (input: object) => (await call('GET', '/user/orderRecords', { pageNum: 1, pageSize: 10, ...input }, { token: userId })).data
  expect(await page({})).toMatchObject({
    totalRecord: 3,
    totalPage: 1,
    rowList: [
      { orderNo: no, orderType: 2, payType: 1, orderAmount: '-35.99', payAmount: '256.35', payStatus: 1, withdrawState: 'paid', payable: false },
      { orderNo: newer.orderNo, orderType: 1, orderAmount: '20', state: 'refunded' },
      { orderNo: older.orderNo, orderType: 1, payStatus: 1 },
    ],
  })
  expect((await page({ orderType: 2 })).rowList).toMatchObject([{ orderNo: no }])
  expect(await page({ pageNum: 2, pageSize: 1, orderType: 1 })).toMatchObject({ totalRecord: 2, totalPage: 2, rowList: [{ orderNo: older.orderNo }] })
  expect(await page({ pageNum: 9 })).toMatchObject({ totalRecord: 3, rowList: [] })
  expect((await call('GET', '/user/orderRecords', { pageNum: 1, pageSize: 10 }, { token: 'stranger' })).data).toMatchObject({ totalRecord: 0, rowList: [] })
})

test('an order that was paid twice gives back both payments', async () => {
  const { userId, orderNo, params } = await open()
  await pressCashier(params, 'twice')
  await deliver()
  expect(await money(userId)).toEqual([usd('40'), 0n])
  const no = await aWithdrawal(deps, { userId, amount: '39' })
  await advance(no)
  expect(await parts(no)).toEqual([
    [orderNo, usd('20'), 'approved'],
    [orderNo, usd('19'), 'approved'],
  ])
  await work()
  await advance(no)
  expect([(await row(no)).state, await payout(no)]).toEqual(['paid', undefined])
})

test('money that no channel brought goes by transfer, once the refunds are over', async () => {
  const { userId, orderNo } = await paid()
  await aFundedUser(db, { userId, purchased: usd('30') })
  const no = await aWithdrawal(deps, { userId, amount: '49' })
  const { plan } = (await call('GET', '/v1/userWrapperApi/withdrawalDetail', { withdrawalNo: no }, { token: userId })).data
  expect(plan).toMatchObject({ parts: [{ orderNo, amount: '20' }], transfer: { amount: '29', payAmount: '206.56' } })
  await advance(no)
  await advance(no)
  // Nothing is transferred while a refund is in progress: a failed refund goes with the same transfer.
  expect([(await row(no)).state, await payout(no), await money(userId)]).toEqual(['in_transit', undefined, [usd('1'), usd('29')]])
  await work()
  await advance(no)
  expect([(await row(no)).state, await payout(no), await parts(no)]).toEqual(['paid', 20_656n, [[orderNo, usd('20'), 'succeeded']]])
  expect(await row(no)).toMatchObject({ channelNano: usd('20'), sentNano: usd('29'), sentMinor: 20_656n })
  expect(await money(userId)).toEqual([usd('1'), 0n])
})

test('a withdrawal that goes back entirely over channels names no account; with a rest to transfer it is needed', async () => {
  const { userId, orderNo } = await paid()
  await aFundedUser(db, { userId, purchased: usd('5') })
  await expect(aWithdrawal(deps, { userId, amount: '24', alipay: null })).rejects.toThrow('PAYOUT_ACCOUNT_NEEDED')
  const no = await aWithdrawal(deps, { userId, amount: '20', alipay: null })
  expect(await row(no)).toMatchObject({ sealed: null, shown: { alipay: '', name: '', identityNumber: '' } })
  await advance(no)
  await work()
  await advance(no)
  expect([(await row(no)).state, await payout(no), await parts(no), await money(userId)]).toEqual([
    'paid',
    undefined,
    [[orderNo, usd('20'), 'succeeded']],
    [usd('5'), 0n],
  ])
})

test('without an account, a part that its channel refuses is in the balance again, and the user reads what it needs', async () => {
  const { userId } = await paid({ amount: cents('refund-refused') })
  const no = await aWithdrawal(deps, { userId, amount: '19', alipay: null })
  await advance(no)
  await work()
  await advance(no)
  expect(await row(no)).toMatchObject({ state: 'failed', reason: 'payee', channelNano: 0n, sentNano: null })
  expect([await payout(no), await money(userId)]).toEqual([undefined, [usd(cents('refund-refused')), 0n]])
})

test('a rest that is too little for a transfer stays in the balance', async () => {
  const { userId } = await paid()
  await aFundedUser(db, { userId, purchased: usd('5') })
  const no = await aWithdrawal(deps, { userId, amount: '20.01' })
  await advance(no)
  await work()
  await advance(no)
  expect([(await row(no)).state, await payout(no), await money(userId)]).toEqual(['paid', undefined, [usd('5'), 0n]])
})

test('a refund that is refused, at once or after days, goes with the transfer; nothing can spend it between', async () => {
  for (const magic of ['refund-refused', 'refund-stuck'] as const) {
    const { userId } = await paid({ amount: cents(magic) })
    const no = await aWithdrawal(deps, { userId, amount: '19' })
    await advance(no)
    const spent: unknown[] = []
    const thief = async () => {
      for (let n = 0; n < 20; n++) spent.push(await spend(userId, '5').catch((error: Error) => error.message))
    }
    await Promise.all([thief(), work()])
    await advance(no)
    if (magic === 'refund-stuck') {
      expect([(await row(no)).state, await payout(no)]).toEqual(['in_transit', undefined])
      await db.query(`update payments_sandbox_refunds set state = 'failed' where state = 'stuck'`)
      await Promise.all([thief(), work()])
      await advance(no)
    }
    expect([(await row(no)).state, await payout(no)]).toEqual(['paid', 13_533n])
    expect(await row(no)).toMatchObject({ channelNano: 0n, sentNano: usd('19') })
    expect(new Set(spent)).toEqual(new Set(['INSUFFICIENT_FUNDS']))
    expect(await money(userId)).toEqual([usd(cents(magic)) - usd('19'), 0n])
  }
})

test('a refund that comes back goes with a waiting transfer, into the balance when that has left', async () => {
  const waiting = await paid({ amount: cents('refund-reversed') })
  const slow = await paid({ userId: waiting.userId, amount: cents('refund-slow') })
  const first = await aWithdrawal(deps, { userId: waiting.userId, amount: '39' })
  await advance(first)
  await work()
  await advance(first)
  expect((await parts(first)).map(([, , state]) => state).toSorted()).toEqual(['dispatched', 'succeeded'])
  // The reversal arrives first, the slow refund after it.
  await db.query(`update payments_sandbox_refunds set turns_at = now() where state = 'succeeded' and turns_at is not null`)
  await deliver()
  await deliver()
  await work()
  expect((await parts(first)).map(([, , state]) => state).toSorted()).toEqual(['dispatched', 'reversed'])
  await hurry()
  await deliver()
  await deliver()
  await work()
  await advance(first)
  const end = await row(first)
  expect([end.state, end.channelNano, end.sentNano, await stateOf(slow.orderNo)]).toEqual([
    'paid',
    usd(cents('refund-slow')),
    usd('39') - usd(cents('refund-slow')),
    'refunded',
  ])

  const late = await paid({ amount: cents('refund-reversed') })
  const second = await aWithdrawal(deps, { userId: late.userId, amount: '19' })
  await advance(second)
  await work()
  await advance(second)
  expect((await row(second)).state).toBe('paid')
  await hurry()
  await deliver()
  await deliver()
  await work()
  await advance(second)
  expect([(await row(second)).state, await payout(second), await money(late.userId)]).toEqual(['paid', undefined, [usd(cents('refund-reversed')), 0n]])
})

test('ten workers at once, over and over, send each part once, and one transfer', async () => {
  for (let round = 0; round < 5; round++) {
    const { userId } = await paid({ amount: round % 2 ? cents('refund-refused') : '20' })
    await aFundedUser(db, { userId, purchased: usd('30') })
    const no = await aWithdrawal(deps, { userId, amount: '45' })
    for (let n = 0; n < 3; n++) await Promise.all([...Array.from({ length: 6 }, () => advance(no)), ...Array.from({ length: 4 }, work)])
    await advance(no)
    const end = await row(no)
    expect([end.state, (await parts(no)).length, end.channelNano + (end.sentNano ?? 0n)]).toEqual(['paid', 1, usd('45')])
    expect((await money(userId))[1]).toBe(0n)
  }
})

test('all of it goes by transfer when channel first is off or the payments are too old', async () => {
  await app.set(withdrawChannelFirst, false)
  const { userId } = await paid()
  expect((await planParts(deps, db, { userId, amount: usd('19') })).rest).toBe(usd('19'))
  const no = await aWithdrawal(deps, { userId, amount: '10' })
  await advance(no)
  expect([(await row(no)).state, await payout(no), await parts(no)]).toEqual(['paid', 7_123n, []])
  await app.set(withdrawChannelFirst, true)
  const old = await paid()
  await db.owner.query('alter table payments_receipts disable trigger all')
  await db.owner.query(
    `update payments_receipts set paid_at = now() - interval '400 days' where order_id = (select id from payments_orders where order_no = $1)`,
    [old.orderNo],
  )
  await db.owner.query('alter table payments_receipts enable trigger all')
  expect((await planParts(deps, db, { userId: old.userId, amount: usd('19') })).parts).toEqual([])
})

test("afterwards the sandbox's own books equal ours, and the ledger adds up", async () => {
  const { theirs, ours } = await app.books()
  expect(ours).toEqual(theirs)
  const payouts = await db.query('select payout_no, minor from payments_sandbox_payouts order by payout_no')
  expect(
    await db.query('select withdrawal_no as payout_no, sent_minor as minor from payments_withdrawals where sent_tx is not null order by withdrawal_no'),
  ).toEqual(payouts)
  expect((await verifyLedger(db)).problems).toEqual([])
  expect(await db.query(`select posted from wallet_accounts where kind = 'in_transit' and posted <> 0`)).toEqual([])
})
