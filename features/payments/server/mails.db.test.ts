import { expect, test } from 'vitest'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { transact } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { pressCashier } from './builders.ts'
import { orderMails } from './mails.ts'
import { createPayingApp } from './testing/paying.ts'
import { workRefunds } from './reconciling/reconcile.ts'
import { refundOrder } from './orders/repair-order.ts'
import type { WithdrawalRow } from './set-aside/data.ts'
import { mailWithdrawalEvent } from './withdrawals/mails.ts'

const app = await createPayingApp([account, notices, risk])
const { db, deps, paid, open, check, settle, dueNow, operator, call } = app

test('the user gets one mail for each thing that happened to the money, in their own language', async () => {
  const user = await aUser(deps)
  const subjects = async () => (await listSandboxMails(db, user.email)).map(({ subject }) => subject).toReversed()
  const { orderNo } = await paid({ userId: user.userId })
  await settle()
  await settle()
  expect(await subjects()).toEqual([`已收到付款 $20.70，订单 ${orderNo}`])
  await refundOrder(deps, operator, { orderNo, amount: parseUsd('5'), reason: 'test' })
  await dueNow()
  await workRefunds(deps)
  const late = await open({ userId: user.userId })
  await call('POST', '/v1/pay/cancel', { orderNo: late.orderNo }, { token: user.userId })
  await pressCashier(late.params, 'silent')
  await check(late.orderNo)
  await settle()
  expect((await subjects()).slice(1)).toEqual([`已退款 $5.00，订单 ${orderNo}`, `订单 ${late.orderNo} 的付款已补入账`])
  const [newest] = await listSandboxMails(db, user.email)
  expect(newest!.text).toContain('147.45 CNY')
  expect(newest!.text).toContain('API 余额充值 $20.00')
  expect(newest!.text).toContain('资金：支付宝充值（支付宝 → 余额）')
  expect(newest!.text).not.toMatch(/\{\w+\}/)
})

test.each([
  [{ goesTo: 'channel', refundSource: 'balance' }, '资金：充值退回支付宝（余额 → 支付宝）', '个工作日到账'],
  [{ goesTo: 'channel', refundSource: 'revenue' }, '资金：退款，开户（服务 → 支付宝）', '个工作日到账'],
  [{ goesTo: 'balance', refundSource: 'revenue' }, '资金：退款，开户（服务 → 余额）', '$12.41 已退到余额'],
  [{ goesTo: 'balance', refundSource: 'held' }, undefined, '$12.41 已退到余额'],
] as const)('a refund’s mail says where the money went: %o', async (how, line, text) => {
  const user = await aUser(deps)
  const news = { eventId: `${user.userId}:1`, orderNo: '20261128-0123456789AB', userId: user.userId, orderType: 1, transactionType: 1 }
  const told = orderMails.find(({ event }) => event === 'order.refunded')!
  await told.handle(deps, { ...news, ...how, refundState: 'succeeded', amount: '11.99', feeRefunded: '0.42', payAmount: '88.40', payCurrency: 'CNY' })
  await settle()
  const [mail] = await listSandboxMails(db, user.email)
  expect(mail!.text).toContain(text)
  expect(mail!.text.includes('个工作日')).toBe(how.goesTo === 'channel')
  if (line) expect(mail!.text).toContain(line)
  else expect(mail!.text).not.toContain('资金：')
})

test('a failed refund of income is in no balance, and the mail does not say so', async () => {
  const user = await aUser(deps)
  const news = { eventId: `${user.userId}:2`, orderNo: '20261128-0123456789AB', userId: user.userId, orderType: 1, transactionType: 1, amount: '11.99' }
  const told = orderMails.find(({ event }) => event === 'order.refund_failed')!
  await told.handle(deps, { ...news, goesTo: 'channel', refundSource: 'revenue', refundState: 'failed', feeRefunded: '0' })
  await settle()
  expect((await listSandboxMails(db, user.email))[0]!.text).not.toContain('已退回余额')
  await told.handle(deps, { ...news, eventId: `${user.userId}:3`, goesTo: 'channel', refundSource: 'revenue', refundState: 'reversed', feeRefunded: '0' })
  await settle()
  expect((await listSandboxMails(db, user.email))[0]!.text).toContain('资金：退款，开户（服务 → 余额）')
})

test.each([
  ['paid', 'balance', 4_000_000_000n, '资金：提现到支付宝（余额 → 支付宝 138****6021）'],
  ['failed', 'balance', 4_000_000_000n, '资金：提现退回（支付宝 138****6021 → 余额）'],
  ['failed', 'reward', 4_000_000_000n, '资金：邀请奖励提现退回（支付宝 138****6021 → 邀请奖励）'],
  ['failed', 'balance', null, undefined],
] as const)('a withdrawal’s mail (%s, %s, %s) names the movement that was posted', async (event, source, sent, line) => {
  const user = await aUser(deps)
  const row = {
    ...{
      userId: user.userId,
      withdrawalNo: `W-${user.userId}`,
      source,
      sentNano: sent,
      amountNano: 4_000_000_000n,
      takenNano: 0n,
      channelNano: 0n,
    },
    ...{ sentMinor: 2849n, payMinor: 2849n, shown: { alipay: '138****6021', name: '王*' }, payAfter: null },
  } as unknown as WithdrawalRow
  await transact(db, operator, async (tx) => {
    await tx.audit('test', 'test:1', {})
    await mailWithdrawalEvent(deps, tx, { row, event })
  })
  await settle()
  const { text } = (await listSandboxMails(db, user.email))[0]!
  if (line) expect(text).toContain(line)
  else expect(text).not.toContain('资金：')
})
