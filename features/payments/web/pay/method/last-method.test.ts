import { expect, test } from 'vitest'
import type { ChannelRow } from '../../../contract-shapes.ts'
import { chooseFirstMethod } from './last-method.ts'

const ROW: Omit<ChannelRow, 'channelType' | 'form'> = {
  ...{ transactionType: 1, tradeFrom: 'QRCODE', name: '', img: '', advantages: [], tipsTop: '', tipsBottom: '', feePercent: '0', fixedFee: '0' },
  ...{ payCurrency: 'CNY', rate: '7', min: '1', max: '100', disabled: false, closedWhy: null, gradualOnly: false },
}
const row = (channelType: number, form: ChannelRow['form'], missing?: string): ChannelRow => ({
  ...{ ...ROW, channelType, form },
  ...(missing === undefined ? {} : { missing }),
})

test('the balance is chosen where it covers the order, for it costs no fee', () => {
  const alipay = row(25, 'qr')
  expect(chooseFirstMethod([alipay, row(5, 'balance', '0')])?.form).toBe('balance')
  expect(chooseFirstMethod([alipay, row(5, 'balance', '3.20')])).toBe(alipay)
})
