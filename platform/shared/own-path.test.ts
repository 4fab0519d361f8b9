import { expect, test } from 'vitest'
import { FOREIGN_ADDRESSES } from '#platform/testing/addresses/foreign-addresses.ts'
import { parseOwnPath } from './own-path.ts'

test('a link to another site, in forty-eight spellings, is refused or stays here however a browser reads it', () => {
  expect(FOREIGN_ADDRESSES.length).toBeGreaterThanOrEqual(48)
  for (const vector of FOREIGN_ADDRESSES) {
    const path = parseOwnPath(vector)
    if (path === undefined) continue
    const url = new URL(path, 'https://mingxi.example')
    expect([vector, url.host]).toEqual([vector, 'mingxi.example'])
    for (const again of [url.pathname, url.pathname.replace(/^\/en/, '')]) expect([vector, new URL(again || '/', url).host]).toEqual([vector, 'mingxi.example'])
  }
  for (const vector of FOREIGN_ADDRESSES.slice(0, 12)) expect([vector, parseOwnPath(vector)]).toEqual([vector, undefined])
})

test('a path of this site is kept as it is', () => {
  for (const path of [
    '/',
    '/api?tab=view',
    '/en/help/quick-start#keys',
    '/pricing?q=%2F%2Fx',
    '/pay-result?orderNo=20261120-8F31A0B2C4D6',
    '/api?next=https://x.example',
  ])
    expect(parseOwnPath(path)).toBe(path)
  expect(parseOwnPath('/help?q=\u5145\u503c')).toBe('/help?q=%E5%85%85%E5%80%BC')
  for (const none of ['', undefined, 'api', '?tab=view', '#x']) expect(parseOwnPath(none)).toBeUndefined()
})
