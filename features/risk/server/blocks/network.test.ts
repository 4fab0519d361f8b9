import { expect, test } from 'vitest'
import { createNetworkMatcher, parseNetwork } from './network.ts'

test('one network has one name, however it is written', () => {
  for (const [text, name] of [
    ['203.0.113.77/24', '203.0.113.0/24'],
    [' 203.0.113.7 ', '203.0.113.7/32'],
    ['::ffff:203.0.113.77', '203.0.113.77/32'],
    ['::FFFF:203.0.113.77/120', '203.0.113.0/24'],
    ['2001:DB8:0:0::1/48', '2001:db8::/48'],
    ['2001:db8::', '2001:db8::/128'],
    ['2001:db8:1:2:3:4:5:6/64', '2001:db8:1:2::/64'],
  ])
    expect([text, parseNetwork(text!)]).toEqual([text, name])
})

test('malformed and too large networks, and all of IPv4 in IPv6 notation, are rejected', () => {
  for (const text of [
    '',
    'a.example',
    '10.0.0.0/8',
    '1.2.3.4/33',
    '1.2.3.4/',
    '::/0',
    '::/29',
    '::/128',
    '::ffff:0:0/96',
    '::ffff:0.0.0.0/96',
    'fe80::1%eth0',
    'fe80::/64',
    '2001:db8::/28',
  ])
    expect([text, parseNetwork(text)]).toEqual([text, undefined])
})

test('an address is looked for under both of its forms', () => {
  const isIn = createNetworkMatcher(['203.0.113.0/24', '2001:db8::/48'])
  for (const ip of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:0:7::1']) expect([ip, isIn(ip)]).toEqual([ip, true])
  for (const ip of ['203.0.114.9', '2001:db9::1', '', 'unknown']) expect([ip, isIn(ip)]).toEqual([ip, false])
})
