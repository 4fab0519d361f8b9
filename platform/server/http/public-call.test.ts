import type * as dns from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import ipaddr from 'ipaddr.js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createPublicSend, isPublicAddress } from './public-call.ts'

/** Addresses of `names.test`, one list for each lookup; other names are resolved as usual. */
const answers = vi.hoisted(() => [] as string[][])
vi.mock('node:dns', async (original) => {
  const real = await original<typeof dns>()
  const lookup = (name: string, options: object, done: (error: Error | null, found: { address: string; family: 4 }[]) => void) =>
    name === 'names.test'
      ? done(
          null,
          answers.shift()!.map((address) => ({ address, family: 4 })),
        )
      : real.lookup(name, options as { all: true }, done as never)
  return { ...real, lookup }
})

let hits = 0
const server = createServer((request, response) => {
  hits++
  if (request.url === '/silent') return
  if (request.url === '/away') return response.writeHead(302, { location: '/' }).end()
  response.writeHead(200).end('x'.repeat(1_000_000))
})
const at = (path = '/', host = '127.0.0.1') => `http://${host}:${(server.address() as AddressInfo).port}${path}`
const call = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}', deadlineMs: 1000 })
beforeAll(() => new Promise<void>((done) => server.listen(0, done)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('addresses', () => {
  test.each(['8.8.8.8', '1.1.1.1', '223.5.5.5', '2606:4700::1111', '240e::1'])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))
  test.each([
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '168.63.129.16',
      '169.254.169.254',
      '172.31.255.255',
      '192.168.1.1',
      '192.0.0.170',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      'localhost',
      '',
    ],
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('calls to an address that a user entered', () => {
  test.each([['127.0.0.1'], ['localhost'], ['[::1]'], ['[::ffff:127.0.0.1]'], ['2130706433'], ['0x7f.1'], ['017700000001'], ['127.1'], ['0'], ['0.0.0.0']])(
    '%s is never reached',
    async (host) => {
      hits = 0
      await expect(createPublicSend()(call(at('/', host)))).rejects.toThrow(/^the (address is not public|name could not be resolved)$/)
      expect(hits).toBe(0)
    },
  )

  test.each([
    ['an inner one first', ['10.0.0.9', '127.0.0.1']],
    ['an inner one last', ['127.0.0.1', '10.0.0.9']],
  ])('a name of two addresses is refused, %s', async (_, addresses) => {
    answers.push(addresses)
    hits = 0
    await expect(createPublicSend((address) => address === '127.0.0.1')(call(at('/', 'names.test')))).rejects.toThrow('the address is not public')
    expect([hits, answers]).toEqual([0, []])
  })

  test('a name that changes after its lookup is resolved once, and the call goes to the checked address', async () => {
    answers.push(['127.0.0.1'], ['10.0.0.9'])
    hits = 0
    expect(await createPublicSend((address) => address === '127.0.0.1')(call(at('/', 'names.test')))).toBe(200)
    expect([hits, answers]).toEqual([1, [['10.0.0.9']]])
    answers.length = 0
  })

  test('an allowed address is called, redirects are not followed, responses are not read', async () => {
    const seen: string[] = []
    const send = createPublicSend((address) => {
      seen.push(address)
      return address === '127.0.0.1'
    })
    hits = 0
    expect(await send(call(at()))).toBe(200)
    expect(await send(call(at('/away')))).toBe(302)
    expect(hits).toBe(2)
    await expect(send(call(at('/silent')))).rejects.toThrow('no answer within 1 s')
    const none = createPublicSend(() => false)
    await expect(none(call('http://localhost:1/'))).rejects.toThrow('the address is not public')
    expect(seen).toContain('127.0.0.1')
  })
})

/** IANA's registries of special-purpose addresses, IPv4 and IPv6: each row that is not globally reachable, multicast, and NAT64. */
const SPECIAL = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32', '168.63.129.16/32'],
  ...[
    '::/128',
    '::1/128',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '100:0:0:1::/64',
    '2001::/32',
    '2001:2::/48',
    '2001:10::/28',
    '2001:20::/28',
    '2001:db8::/32',
  ],
  ...['2002::/16', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
]
/** Ranges that the library does not cover: Azure's host, which IANA lists as public, and one missing row. */
const UNKNOWN_THERE = ['168.63.129.16/32', '100:0:0:1::/64']

test.each(SPECIAL)('no address of %s is called, and a library of the ranges agrees', (network) => {
  const [base, bits] = ipaddr.parseCIDR(network)
  const bytes = base.toByteArray()
  // The last address of the network: every bit after the prefix is set.
  const last = bytes.map((byte, at) => byte | (0xff >> Math.min(8, Math.max(0, bits - at * 8))))
  for (const address of [base.toString(), ipaddr.fromByteArray(last).toString()]) {
    expect([address, isPublicAddress(address)]).toEqual([address, false])
    if (!UNKNOWN_THERE.includes(network)) expect([address, ipaddr.parse(address).range() === 'unicast']).toEqual([address, false])
  }
})

test('our check and the library agree on ten thousand addresses', () => {
  let seed = 42
  const byte = () => ((seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) >>> 16) & 255
  for (let round = 0; round < 10_000; round++) {
    const address = [byte(), byte(), byte(), byte()].join('.')
    expect([address, isPublicAddress(address)]).toEqual([address, ipaddr.parse(address).range() === 'unicast'])
  }
})
