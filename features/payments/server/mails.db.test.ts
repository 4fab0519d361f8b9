import { expect, test } from 'vitest'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { pressCashier } from './builders.ts'
import { payingApp } from './testing/paying.ts'
import { workRefunds } from './statements/reconcile.ts'
import { refundOrder } from './orders/repair-order.ts'

const app = await payingApp([account, notices, risk])
const { db, deps, paid, open, check, settle, dueNow, operator, call } = app

test('the user is told once about each thing that happened to the money, in the own language', async () => {
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
  expect(newest!.text).not.toMatch(/\{\w+\}/)
})
