import { expect, test } from 'vitest'
import type { ChannelRow } from '../../../contract-shapes.ts'
import { firstMethod } from './last-method.ts'

const row = (channelType: number, form: string, missing?: string): ChannelRow => ({ channelType, transactionType: 1, form, missing, disabled: false }) as never

test('the balance is chosen where it covers the order, for it costs no fee', () => {
  const alipay = row(25, 'qr')
  expect(firstMethod([alipay, row(5, 'balance', '0')])?.form).toBe('balance')
  expect(firstMethod([alipay, row(5, 'balance', '3.20')])).toBe(alipay)
})
