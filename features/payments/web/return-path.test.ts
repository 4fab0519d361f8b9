import { expect, test, vi } from 'vitest'
import { BALANCE_PATH, resolveReturnPath } from './return-path.ts'

vi.stubGlobal('location', { origin: 'https://site.example' })

test('the address stored before paying is kept whole', () => {
  expect(resolveReturnPath('/orders/20261120-8F31A0B2C4D6?from=a#b')).toBe('/orders/20261120-8F31A0B2C4D6?from=a#b')
  expect(resolveReturnPath('/api?tab=billingDetails')).toBe('/api?tab=billingDetails')
})

test('the console without a tab is its balance, not the tab of the last visit', () => {
  expect(resolveReturnPath('/api')).toBe(BALANCE_PATH)
})

test('without a stored address there is no way on', () => {
  expect(resolveReturnPath(null)).toBeUndefined()
  expect(resolveReturnPath('')).toBeUndefined()
})

test('no way leads off this site', () => {
  const away = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/en//evil.example',
    '/a/..//evil.example',
    '/\t/evil.example',
  ]
  for (const each of away) {
    expect([each, resolveReturnPath(each)]).toEqual([each, undefined])
    const nested = `/pay-result?orderNo=x&redirect=${encodeURIComponent(each)}`
    expect([nested, resolveReturnPath(nested)]).toEqual([nested, undefined])
  }
})

test('a result page is no way on: the one before it is', () => {
  const once = `/pay-result?orderNo=x&redirect=${encodeURIComponent('/pricing')}`
  expect(resolveReturnPath(once)).toBe('/pricing')
  expect(resolveReturnPath(`/en/pay-result?orderNo=x&redirect=${encodeURIComponent(once)}`)).toBe('/pricing')
  expect(resolveReturnPath('/pay-result?orderNo=x')).toBeUndefined()
})
