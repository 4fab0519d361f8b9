import { expect, test } from 'vitest'
import { resolveSignInTarget } from './target-after.ts'

test('the target is the pending path, the parameter, /api from landing, invitation and sign-in pages, or the current page', () => {
  expect(resolveSignInTarget('/pricing', '/pricing', '/account', '/api?tab=pricing')).toBe('/account')
  expect(resolveSignInTarget('/login?redirect=x', '/login', undefined, '/api?tab=billingDetails')).toBe('/api?tab=billingDetails')
  for (const page of ['/', '/en', '/en/', '/login', '/embed-login', '/i/ABCDEFGH']) expect(resolveSignInTarget(page, page, undefined, undefined)).toBe('/api')
  expect(resolveSignInTarget('/pricing?vendor=openai', '/pricing', undefined, undefined)).toBe('/pricing?vendor=openai')
})

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])('%s is not followed', (elsewhere) => {
  expect(resolveSignInTarget('/login', '/login', elsewhere, elsewhere)).toBe('/api')
})
