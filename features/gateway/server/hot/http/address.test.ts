import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { resolveClientAddress, parseProxies } from './address.ts'

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

test('only a trusted proxy is believed, and only as far as its chain is trusted', () => {
  const proxies = parseProxies('loopback, 10.1.0.0/16,192.0.2.7')
  expect(resolveClientAddress(from('10.1.2.3', '203.0.113.9'), proxies)).toBe('203.0.113.9')
  expect(resolveClientAddress(from('::ffff:10.1.2.3', '198.51.100.1, 203.0.113.9, 192.0.2.7'), proxies)).toBe('203.0.113.9')
  expect(resolveClientAddress(from('10.2.0.1', '203.0.113.9'), proxies)).toBe('10.2.0.1')
  expect(resolveClientAddress(from('10.1.2.3', '203.0.113.9'))).toBe('10.1.2.3')
  expect(resolveClientAddress(from('127.0.0.1', '203.0.113.9'))).toBe('203.0.113.9')
  expect(resolveClientAddress(from('172.20.0.5', '2001:db8::1'), parseProxies('uniquelocal'))).toBe('2001:db8::1')
})
