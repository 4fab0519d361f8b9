import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { payments } from './index.ts'

const db = await useTestDb()
const { deps } = createTestApp({ features: [payments], db })

const anOrder = (userId: string, orderNo: string, state: string) =>
  db.query(
    `insert into payments_orders (order_no, user_id, order_type, state, amount_nano, fee_percent, fee_nano, total_nano, rate, currency, pay_minor, channel_type, transaction_type, trade_from, expires_at, next_check_at)
     values ($1,$2,4,$3,20000000000,'3.5',700000000,20700000000,'7.123','CNY',14745,25,1,'QRCODE', now() + interval '1 hour', now())`,
    [orderNo, userId, state],
  )

test('an order with money under way blocks closing the account; an unpaid or finished one does not', async () => {
  await anOrder('usr_close', '20261121-AAAAAAAAAAA1', 'created')
  expect(await payments.personal!.blockersOf!(deps, 'usr_close', 'zh')).toEqual([])
  await anOrder('usr_close', '20261121-AAAAAAAAAAA2', 'unknown')
  await anOrder('usr_other', '20261121-AAAAAAAAAAA3', 'unknown')
  const found = await payments.personal!.blockersOf!(deps, 'usr_close', 'en')
  expect(found).toMatchObject([{ code: 'order', path: '/orders/20261121-AAAAAAAAAAA2' }])
  expect(found[0]!.text).toContain('20261121-AAAAAAAAAAA2')
})

test('the export has every order of the user alone, amounts as decimal text', async () => {
  await anOrder('usr_export', '20261121-AAAAAAAAAAA4', 'created')
  const part = (await payments.personal!.exportOf!(deps, 'usr_export')) as { orders: object[] }
  expect(part.orders).toMatchObject([{ orderNo: '20261121-AAAAAAAAAAA4', amount: '20', total: '20.7', refunded: '0' }])
  expect(() => JSON.stringify(part)).not.toThrow()
})
