import { expect, test } from 'vitest'
import { sumPlaces, tokensText } from './figures.ts'

test('a sum billed by characters, seconds or searches has no tokens to show; one that cost nothing has none', () => {
  expect(tokensText({ totalTokens: 1234, consumeAmount: '0.5' })).toBe('1,234')
  expect(tokensText({ totalTokens: 0, consumeAmount: '0.000000001' })).toBe('–')
  expect(tokensText({ totalTokens: 0, consumeAmount: '0' })).toBe('0')
})

test('below a dollar a sum has four places', () => {
  expect(['0', '0.0027', '0.99', '1', '2.82'].map(sumPlaces)).toEqual([2, 4, 4, 2, 2])
})
