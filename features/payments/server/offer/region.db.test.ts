import { expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { payments } from '../index.ts'

const db = await useTestDb()
const { call, deps } = createTestApp({ features: [payments, account, notices, risk], db })
const userOf = async (mobile: string) => (await aUser(deps, { mobile })).token
const methods = async (token: string, device: string) =>
  (await call('GET', '/v1/pay/channelList', { orderType: 10, device }, { token })).data.map((row: { transactionType: number; min: string }) => [
    row.transactionType,
    row.min,
  ])
const order = (token: string, more: object) => call('POST', '/api/go/v1/payOrder', { orderType: 10, ...more }, { token, idempotencyKey: createId('key') })

test.each(['85261234567', '85361234567'])('%s: one wallet, its presets and its minimum', async (mobile) => {
  const token = await userOf(mobile)
  for (const device of ['QRCODE', 'H5']) expect(await methods(token, device)).toEqual([[4, '20']])
  expect((await call('GET', '/v1/pay/quote', { orderType: 10 }, { token })).data).toMatchObject({ min: '20', presets: ['20', '40', '60'] })
  expect((await order(token, { amount: '19.99' })).code).toBe(3105)
  expect((await order(token, { amount: '40', channelType: 25, transactionType: 1 })).code).toBe(3107)
  const { data } = await order(token, { amount: '40' })
  expect(data).toMatchObject({ channelType: 25, transactionType: 4 })
  const param = { order_id: data.orderNo, channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }
  expect((await call('POST', '/api/go/v1/payParam', param, { token })).code).toBe(3107)
})

test('a number of the mainland changes nothing', async () => {
  const token = await userOf('13800138000')
  expect((await methods(token, 'QRCODE')).map(([type]: [number]) => type)).toEqual([1, 2, 3, 4, 5])
  expect((await call('GET', '/v1/pay/quote', { orderType: 10 }, { token })).data).toMatchObject({ min: '5', presets: ['5', '10', '20'] })
})
