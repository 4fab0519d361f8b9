import { expect, test } from 'vitest'
import { EMPTY, firstOpen } from './words.ts'

test('who comes back goes on at the first step that is not done', () => {
  const plus = { ...EMPTY, plan: 'chatgpt-plus' }
  expect(firstOpen(EMPTY)).toBe('service')
  expect(firstOpen({ ...EMPTY, plan: 'gone' })).toBe('service')
  expect(firstOpen({ ...plus, plan: 'chatgpt-team-month' })).toBe('plan')
  expect(firstOpen(plus)).toBe('account')
  expect(firstOpen({ ...plus, account: 'wang@outlook.com' })).toBe('account')
  expect(firstOpen({ ...plus, account: 'wang@fastmail.com' })).toBe('open')
  expect(firstOpen({ ...plus, account: 'wang@fastmail.com', link: 'https://pay.openai.com/' })).toBe('pay')
})
