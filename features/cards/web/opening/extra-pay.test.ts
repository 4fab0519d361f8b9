import { expect, test } from 'vitest'
import { faceReturn, payAgain, waitingOrder } from './extra-pay.ts'

test('the order travels through the face check and back to its payment', () => {
  const orderNo = '20261125-ABCDEFGHJKMN'
  expect(faceReturn(waitingOrder({ orderNo }))).toBe(`/pay-face-verify-result?orderNo=${orderNo}`)
  expect(payAgain(orderNo)).toEqual({ to: '/open-account-payment', search: { orderNo } })
})

test('an invalid order number leads nowhere', () => {
  for (const orderNo of [undefined, 7, '', '../x', '20261125-abc', ['20261125-ABCDEFGHJKMN']]) expect(waitingOrder({ orderNo })).toBeUndefined()
  expect(faceReturn(undefined)).toBe('/pay-face-verify-result')
})
