import { expect, test } from 'vitest'
import { buildFaceReturnPath, buildPayAgainLink, parseWaitingOrder } from './extra-pay.ts'

test('the order travels through the face check and back to its payment', () => {
  const orderNo = '20261125-ABCDEFGHJKMN'
  expect(buildFaceReturnPath(parseWaitingOrder({ orderNo }))).toBe(`/pay-face-verify-result?orderNo=${orderNo}`)
  expect(buildPayAgainLink(orderNo)).toEqual({ to: '/open-account-payment', search: { orderNo } })
})

test('an invalid order number leads nowhere', () => {
  for (const orderNo of [undefined, 7, '', '../x', '20261125-abc', ['20261125-ABCDEFGHJKMN']]) expect(parseWaitingOrder({ orderNo })).toBeUndefined()
  expect(buildFaceReturnPath(undefined)).toBe('/pay-face-verify-result')
})
