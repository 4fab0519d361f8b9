import { expect, test } from 'vitest'
import { isProxyEnabled } from './proxy-address.ts'

test('production opens a proxy only with a configured public address', () => {
  expect(isProxyEnabled({ STAGE: 'development', PROXY_PUBLIC: undefined })).toBe(true)
  expect(isProxyEnabled({ STAGE: 'production', PROXY_PUBLIC: undefined })).toBe(false)
  expect(isProxyEnabled({ STAGE: 'production', PROXY_PUBLIC: 'proxy.example:5000' })).toBe(true)
})
