import { expect, test } from 'vitest'
import { isProxyMeant } from './place.ts'

test('production opens a proxy only with a configured public address', () => {
  expect(isProxyMeant({ STAGE: 'development', PROXY_PUBLIC: undefined })).toBe(true)
  expect(isProxyMeant({ STAGE: 'production', PROXY_PUBLIC: undefined })).toBe(false)
  expect(isProxyMeant({ STAGE: 'production', PROXY_PUBLIC: 'proxy.example:5000' })).toBe(true)
})
