import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { createOrigins } from './origins.ts'

const anAddress = (host: string | undefined, protocol = 'http') => ({ host, protocol })
const development = () => createOrigins({ STAGE: 'development', PUBLIC_URL: undefined }, () => 3000)

test('in development the address is the one the browser is at', () => {
  const origins = development()
  expect(origins.stored()).toBe('http://localhost:3000')
  expect(origins.of(anAddress('127.0.0.1:3000'))).toBe('http://127.0.0.1:3000')
  expect(origins.of(anAddress('localhost:3000'))).toBe('http://localhost:3000')
  expect(origins.of(anAddress('[::1]:3000'))).toBe('http://[::1]:3000')
  expect(origins.of(anAddress('LOCALHOST:3000'))).toBe('http://localhost:3000')
  expect(origins.of(anAddress('localhost', 'https'))).toBe('https://localhost')
  expect(origins.of(anAddress('localhost:80'))).toBe('http://localhost')
})

test('every address of this machine counts', () => {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  expect(addresses.length).toBeGreaterThan(0)
  for (const { address, family } of addresses) {
    const host = family === 'IPv6' ? `[${address}]:3000` : `${address}:3000`
    expect(development().of(anAddress(host))).toBe(`http://${host}`)
  }
})

test('a foreign or broken host changes nothing, now or for the mails that follow', () => {
  const origins = development()
  const hosts = [
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example:3000',
    '127.0.0.1.nip.io:3000',
    'localhost@evil.example',
    'user@localhost:3000',
    'localhost:3000/evil',
    'localhost:3000#x',
    'localhost:3000?x',
    'local\thost:3000',
    '2130706433:3000',
    '0x7f.1:3000',
    '8.8.8.8:3000',
    '',
    undefined,
  ]
  for (const host of hosts) expect([host, origins.of(anAddress(host))]).toEqual([host, 'http://localhost:3000'])
  expect(origins.of(anAddress('127.0.0.1:3000', 'javascript'))).toBe('http://127.0.0.1:3000')
  expect(origins.of(anAddress('evil.example'))).toBe('http://127.0.0.1:3000')
})

test('the stored address follows the browser, but not to the port of a server in front', () => {
  const origins = development()
  expect(origins.of(anAddress('127.0.0.1:5200'))).toBe('http://127.0.0.1:5200')
  expect(origins.stored()).toBe('http://localhost:3000')
  origins.of(anAddress('127.0.0.1:3000'))
  expect(origins.stored()).toBe('http://127.0.0.1:3000')
})

test('a configured address is the only one, and outside development a host is never believed', () => {
  const configured = createOrigins({ STAGE: 'development', PUBLIC_URL: 'https://mingxi.example/' }, () => 3000)
  expect([configured.of(anAddress('localhost:3000')), configured.stored()]).toEqual(['https://mingxi.example', 'https://mingxi.example'])
  for (const STAGE of ['production', 'qa'] as const)
    expect(createOrigins({ STAGE, PUBLIC_URL: undefined }, () => 3000).of(anAddress('127.0.0.1:3000'))).toBe('http://localhost:3000')
})
