import { expect, test, vi } from 'vitest'
import { BALANCE, wayOn } from './way-on.ts'

vi.stubGlobal('location', { origin: 'https://site.example' })

test('the address stored before paying is kept whole', () => {
  expect(wayOn('/orders/20261120-8F31A0B2C4D6?from=a#b')).toBe('/orders/20261120-8F31A0B2C4D6?from=a#b')
  expect(wayOn('/api?tab=billingDetails')).toBe('/api?tab=billingDetails')
})

test('the console without a tab is its balance, not the tab of the last visit', () => {
  expect(wayOn('/api')).toBe(BALANCE)
})

test('without a stored address there is no way on', () => {
  expect(wayOn(null)).toBeUndefined()
  expect(wayOn('')).toBeUndefined()
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
    expect([each, wayOn(each)]).toEqual([each, undefined])
    const nested = `/pay-result?orderNo=x&redirect=${encodeURIComponent(each)}`
    expect([nested, wayOn(nested)]).toEqual([nested, undefined])
  }
})

test('a result page is no way on: the one before it is', () => {
  const once = `/pay-result?orderNo=x&redirect=${encodeURIComponent('/pricing')}`
  expect(wayOn(once)).toBe('/pricing')
  expect(wayOn(`/en/pay-result?orderNo=x&redirect=${encodeURIComponent(once)}`)).toBe('/pricing')
  expect(wayOn('/pay-result?orderNo=x')).toBeUndefined()
})
