import { expect, test } from 'vitest'
import { formatCallCost, formatSumTokens } from './figures.ts'

test('a sum billed by characters, seconds or searches shows a dash for its tokens; one that cost nothing shows 0', () => {
  expect(formatSumTokens({ totalTokens: 1234, consumeAmount: '0.5' })).toBe('1,234')
  expect(formatSumTokens({ totalTokens: 0, consumeAmount: '0.000000001' })).toBe('–')
  expect(formatSumTokens({ totalTokens: 0, consumeAmount: '0' })).toBe('0')
})

test('a cost is shown whole', () => {
  expect(['0', '0.0027', '0.000812345', '2.82'].map((amount) => formatCallCost(amount))).toEqual(['$0.0000', '$0.0027', '$0.000812345', '$2.8200'])
})
