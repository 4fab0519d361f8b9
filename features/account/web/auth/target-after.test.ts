import { expect, test } from 'vitest'
import { targetAfter } from './target-after.ts'

test('the target is the pending path, the parameter, /api from landing, invitation and sign-in pages, or the current page', () => {
  expect(targetAfter('/pricing', '/pricing', '/account', '/api?tab=pricing')).toBe('/account')
  expect(targetAfter('/login?redirect=x', '/login', undefined, '/api?tab=billingDetails')).toBe('/api?tab=billingDetails')
  for (const page of ['/', '/en', '/en/', '/login', '/embed-login', '/i/ABCDEFGH']) expect(targetAfter(page, page, undefined, undefined)).toBe('/api')
  expect(targetAfter('/pricing?vendor=openai', '/pricing', undefined, undefined)).toBe('/pricing?vendor=openai')
})

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])('%s is not followed', (elsewhere) => {
  expect(targetAfter('/login', '/login', elsewhere, elsewhere)).toBe('/api')
})
