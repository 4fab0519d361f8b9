import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { pressCashier } from '#features/payments/server/builders.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readPostedBalance, userAccount } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { cards } from '../index.ts'

// An order may be made while its payer's face is not checked yet; it is opened, and paid, afterwards.
const db = await useTestDb({ max: 20 })
let url = ''
const { app, call, deps } = createTestApp({ features: [cards, payments, identity, wallet, account, notices, risk], db, overrides: { publicUrl: () => url } })
url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => {
  app.server.closeAllConnections()
  return app.close()
})
beforeAll(async () => {
  await cards.start?.(deps, new Set())
})

const PIN = '271828'
const WAY = { channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }

test('an order freezes its deposit, so that receipts give it a line of its own', async () => {
  const { post, orderNo } = await anOrder('deposit')
  expect((await post('/v1/pay/tradeStatus', { orderNo })).data).toMatchObject({ amount: '14.99', deposit: '3' })
  const other = await anOrder('face')
  expect((await other.post('/v1/pay/tradeStatus', { orderNo: other.orderNo })).data.deposit).toBeUndefined()
})

/** Builds a user with saved identity data and an order for the first card. */
async function anOrder(method: 'face' | 'deposit', way: object = WAY) {
  const { userId, token } = await aUser(deps)
  await aPayPassword(deps, userId, PIN)
  await aFundedUser(db, { userId })
  await aReadyHolder(deps, userId, { method })
  if (method === 'face') await db.query(`update identity_people set status = 'saved', face_passed_at = null where user_id = $1`, [userId])
  const post = (path: string, body: object = {}) => call('POST', path, body, { token, idempotencyKey: createId('key') })
  const made = await post('/api/go/v1/payOrder', { orderType: 1, service: 'standard', ...way })
  expect(made.code).toBe(200)
  const orderNo = made.data.orderNo as string
  return { userId, token, orderNo, post, open: (path = '/api/go/v1/payParam') => post(path, { order_id: orderNo, ...WAY }) }
}
const cardsOf = async (userId: string) => Number((await db.query<{ n: bigint }>('select count(*) as n from cards_cards where user_id = $1', [userId]))[0]!.n)
const stateOf = async (orderNo: string) => (await db.query<{ state: string }>('select state from payments_orders where order_no = $1', [orderNo]))[0]!.state

test('the order waits for the face check, and is paid by the extra pay URL on the way back', async () => {
  const { post, open, orderNo, userId } = await anOrder('face')
  expect((await post('/v1/pay/rechargeIdentity', { orderNo })).data).toEqual({ isAuth: true, identityStatus: 'NONE', certifyId: null })
  expect((await open()).code).toBe(2112)
  expect((await open('/v1/pay/extraPayParam')).code).toBe(2112)
  const back = `/pay-face-verify-result?orderNo=${orderNo}`
  const check = (await post('/v1/pay/identityVerify', { returnUrl: back })).data
  const camera = (saw: string, at: string) => fetch(at, { method: 'POST', body: new URLSearchParams({ saw }), redirect: 'manual' })
  const pressed = await camera('other', check.url.replace(/^https?:\/\/[^/]+/, url))
  expect(pressed.headers.get('location')).toContain(`${back}&certifyId=${check.certifyId}`)
  // no page has queried the result of the face check: the extra URL does
  expect((await open('/v1/pay/extraPayParam')).code).toBe(2139)
  const again = (await post('/v1/pay/identityVerify', { returnUrl: back })).data
  await camera('passed', again.url.replace(/^https?:\/\/[^/]+/, url))
  expect((await open()).code).toBe(2112)
  const opened = (await open('/v1/pay/extraPayParam')).data
  expect(opened).toMatchObject({ orderNo, form: 'qr' })
  expect((await open()).data.qr).toBe(opened.qr)
  expect((await post('/v1/pay/rechargeIdentity', { orderNo })).data).toMatchObject({ isAuth: false, identityStatus: 'SUCCESS' })
  await pressCashier(opened, 'pay')
  expect((await post('/api/go/v1/payStatus', { order_id: orderNo })).data.payStatus).toBe(1)
  expect(await cardsOf(userId)).toBe(1)
})

test('an order paid from the balance waits for the face check too', async () => {
  const { post, orderNo, userId } = await anOrder('face', { channelType: 5, transactionType: 0, tradeFrom: 'QRCODE' })
  expect((await post('/v1/pay/balancePay', { orderNo, payPassword: PIN })).code).toBe(2112)
  await db.query(`update identity_people set status = 'passed', face_passed_at = now() where user_id = $1`, [userId])
  expect((await post('/v1/pay/balancePay', { orderNo, payPassword: PIN })).code).toBe(200)
  expect(await cardsOf(userId)).toBe(1)
})

test('a user who drops out after ordering cannot open the order, and a payment by a code still open goes back', async () => {
  const { post, open, orderNo, userId } = await anOrder('deposit')
  const opened = (await open()).data
  expect((await post('/account/opening/taxpayer', { isTaxResidentUS: true, declared: true })).data.reason).toBe('us_taxpayer')
  expect((await open()).code).toBe(3652)
  await pressCashier(opened, 'pay')
  await post('/api/go/v1/payStatus', { order_id: orderNo })
  expect(await cardsOf(userId)).toBe(0)
  expect(['refunding', 'refunded']).toContain(await stateOf(orderNo))
})

test('of two orders with a deposit one is paid, and a payment by a code still open for the other goes back', async () => {
  const { post, open, orderNo, userId } = await anOrder('deposit')
  const other = (await post('/api/go/v1/payOrder', { orderType: 1, service: 'standard', ...WAY })).data.orderNo as string
  const late = (await post('/api/go/v1/payParam', { order_id: other, ...WAY })).data
  await pressCashier((await open()).data, 'pay')
  expect((await post('/api/go/v1/payStatus', { order_id: orderNo })).data.payStatus).toBe(1)
  expect((await post('/api/go/v1/payParam', { order_id: other, ...WAY })).code).toBe(3102)
  await pressCashier(late, 'pay')
  await post('/api/go/v1/payStatus', { order_id: other })
  expect([await cardsOf(userId), await readPostedBalance(db, userAccount(userId, 'deposit'))]).toEqual([1, 3n * NANO_PER_USD])
  expect(['refunding', 'refunded']).toContain(await stateOf(other))
})

test('a deposit that the face check has made needless is not paid', async () => {
  const { post, open, userId } = await anOrder('deposit')
  expect((await post('/account/opening/method', { method: 'face' })).code).toBe(200)
  expect((await open()).code).toBe(2112)
  await db.query(`update identity_people set status = 'passed', face_passed_at = now() where user_id = $1`, [userId])
  expect((await open()).code).toBe(3102)
})
