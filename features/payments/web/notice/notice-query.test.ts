import { expect, test } from 'vitest'
import { parseNoticeQuery } from './pay-notice.tsx'

const ORDER = 'orderNo=20261120-8F31A0B2C4D6'

test('reads the order, the way to pay and the way back', () => {
  expect(parseNoticeQuery(`?${ORDER}&channelType=4&transactionType=2&tradeFrom=QRCODE&redirect=%2Fapi%3Ftab%3Dview`)).toEqual({
    orderNo: '20261120-8F31A0B2C4D6',
    method: { channelType: 4, transactionType: 2, tradeFrom: 'QRCODE' },
    redirect: '/api?tab=view',
  })
  expect(parseNoticeQuery(`?${ORDER}`)).toEqual({ orderNo: '20261120-8F31A0B2C4D6' })
})

test('leaves out an invalid order, an invalid way to pay and a path off this site', () => {
  for (const search of ['', '?orderNo=', '?orderNo=../x', '?orderNo=20261120-8f31a0b2c4d6']) expect(parseNoticeQuery(search)).toBeUndefined()
  for (const more of [
    'channelType=0&transactionType=1&tradeFrom=H5',
    'channelType=4&transactionType=x&tradeFrom=H5',
    'channelType=4&transactionType=2&tradeFrom=APP',
  ])
    expect(parseNoticeQuery(`?${ORDER}&${more}`)).toEqual({ orderNo: '20261120-8F31A0B2C4D6' })
  for (const away of ['https://evil.example', '//evil.example', '/\\evil.example'])
    expect(parseNoticeQuery(`?${ORDER}&redirect=${encodeURIComponent(away)}`)).toEqual({ orderNo: '20261120-8F31A0B2C4D6' })
})
