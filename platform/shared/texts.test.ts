import { expect, test } from 'vitest'
import { fill, listPlaceholders } from './texts.ts'

test('placeholders are filled; singular and plural have their own word; a missing value stays visible', () => {
  expect(fill('{a} of {b}', { a: 1 })).toBe('1 of {b}')
  expect(fill('{count|request|requests}/min', { count: 1 })).toBe('1 request/min')
  expect(fill('{count|request|requests}/min', { count: '1,200' })).toBe('1,200 requests/min')
  expect(fill('{count|search|searches}', { count: 0n })).toBe('0 searches')
  expect(fill('${amount} or ¥{more}, {plain}', { amount: '20.7', more: '1234.5', plain: '20.7' })).toBe('$20.70 or ¥1,234.50, 20.7')
  expect(fill('${amount}', { amount: '0.0008' })).toBe('$0.0008')
  expect(fill('${amount}', { amount: '1,234.50' })).toBe('$1,234.50')
  expect(fill('{count|a|b}', {})).toBe('{count|a|b}')
  expect(fill('{count|a|b}')).toBe('{count|a|b}')
  expect(listPlaceholders('{a} {b|x|y} {c d}')).toEqual(['a', 'b'])
})
