import { expect, it } from 'vitest'
import { textFor } from './pattern.ts'

it.each([
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^[A-Z]{3}-[0-9]+$',
  '^(?:red|green|blue)$',
  '^#[0-9a-f]{6}$',
  '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
  '^\\+?[1-9]\\d{1,14}$',
  '^(?<year>\\d{4})(-\\d\\d)?$',
  '^\\p{L}+$',
  '^[\\w.-]+$',
  '^\\u4e2d.\\x41$',
  'a|b',
  '^[^a-zA]$',
  '^$',
])('makes a text of the shape %s', (pattern) => {
  const text = textFor(pattern)
  expect(text).toBeDefined()
  expect(new RegExp(pattern, 'u').test(text!)).toBe(true)
})

it('never runs a pattern: one that would take for ever is read like any other', () => {
  expect(textFor('^((((.*)*)*)*)*!$')).toBe('!')
  expect(textFor('^(a+)+(a+)+(a+)+(a+)+$')).toBe('aaaa')
})

it.each([
  '(?=a)b',
  '(?!a)b',
  '(?<=a)b',
  '(a)\\1',
  '\\bword',
  'a{',
  '*',
  '(',
  '[a',
  ')',
  'a{500}',
  '('.repeat(30) + ')'.repeat(30),
  'a'.repeat(1_001),
  '(a{99}){99}',
  '\\P{L}',
])('leaves what it does not make, or what is too long: %s', (pattern) => {
  expect(textFor(pattern)).toBeUndefined()
})
