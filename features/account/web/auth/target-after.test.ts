import { expect, test } from 'vitest'
import { resolveSignInTarget } from './use-signed-in.ts'

test('the target is the pending path, the parameter, /api from landing, invitation and sign-in pages, or the current page', () => {
  expect(resolveSignInTarget('/pricing', '/pricing', { pending: '/account', redirect: '/api?tab=pricing' })).toBe('/account')
  expect(resolveSignInTarget('/login?redirect=x', '/login', { pending: undefined, redirect: '/api?tab=billingDetails' })).toBe('/api?tab=billingDetails')
  for (const page of ['/', '/en', '/en/', '/login', '/embed-login', '/i/ABCDEFGH'])
    expect(resolveSignInTarget(page, page, { pending: undefined, redirect: undefined })).toBe('/api')
  expect(resolveSignInTarget('/pricing?vendor=openai', '/pricing', { pending: undefined, redirect: undefined })).toBe('/pricing?vendor=openai')
})

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])('%s is not followed', (elsewhere) => {
  expect(resolveSignInTarget('/login', '/login', { pending: elsewhere, redirect: elsewhere })).toBe('/api')
})
