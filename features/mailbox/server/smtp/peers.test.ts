import { expect, it } from 'vitest'
import { createSmtpPeers, peerNetwork } from './peers.ts'

it('each address has its own limits of connections, and of mails and guesses a minute', () => {
  let now = 0
  const peers = createSmtpPeers({ connections: 2, mails: 3, strangers: 1 }, () => now)
  expect([peers.enter('203.0.113.1'), peers.enter('203.0.113.1'), peers.enter('::ffff:203.0.113.1'), peers.enter('203.0.113.2')]).toEqual([
    true,
    true,
    false,
    true,
  ])
  peers.leave('203.0.113.1')
  expect(peers.enter('203.0.113.1')).toBe(true)
  expect([1, 2, 3, 4].map(() => peers.mail('203.0.113.1'))).toEqual([true, true, true, false])
  expect([peers.stranger('203.0.113.1'), peers.stranger('203.0.113.1')]).toEqual([true, false])
  now = 60_000
  expect(peers.mail('203.0.113.1')).toBe(true)
})

it('addresses of one IPv6 /64 count as one', () => {
  expect(peerNetwork('2001:db8:1:2:aaaa::1')).toBe(peerNetwork('2001:db8:1:2::ffff'))
  expect(peerNetwork('2001:db8:1:2::1')).not.toBe(peerNetwork('2001:db8:1:3::1'))
  expect(peerNetwork('::1')).toBe('0:0:0:0')
  expect(peerNetwork('::ffff:10.0.0.7')).toBe('10.0.0.7')
})
