import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { connect, createServer as createTcp } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { waitForValue } from '#platform/testing/patience.ts'
import { aTarget, anEcho, buildBasicAuth, waitForClose, sendEcho, listenFree, fetchByProxy, aPolicy, openSocks, openTunnel } from '../testing/proxy-clients.ts'
import { isPublicAddress } from '#platform/server/http/public-call.ts'
import { resolveCheckedAddresses, DialRefused } from './dial.ts'
import type { DialExit } from './dial.ts'
import { createGuest } from './guest.ts'
import type { TunnelAccount, GuestTraffic } from './guest.ts'
import { createProxyCore, GREETING_MS } from './proxy-core.ts'
import { parseAuthority } from './http-door.ts'
import { resolveAddresses } from './names.ts'
import { serveProxy } from './serve.ts'

const [echo, target] = [anEcho(), aTarget()]
/** A server that responds with an invalid HTTP status. */
const odd = createTcp((socket) => socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 042 Odd\r\ncontent-length: 2\r\n\r\nok')))
const [echoPort, targetPort, oddPort] = [await listenFree(echo), await listenFree(target), await listenFree(odd)]
type Figures = Omit<GuestTraffic, 'why'>
const noted = new Map<string, Figures>()
const sum = (one: Figures, other: Figures): Figures => ({
  up: one.up + other.up,
  down: one.down + other.down,
  tunnels: one.tunnels + other.tunnels,
  refused: one.refused + other.refused,
})
const good = new Set<string>()
let now = Date.now()
let serial = 0
let isDatabaseAway = false
/** Name lookups that wait for `answer`. */
const slow = { asked: 0, answer: () => {} }
/** Blocks the refresh of accounts until it resolves. */
const lookup: { wait: Promise<void> | undefined } = { wait: undefined }
const passwords = new Map<string, TunnelAccount>()
/** Tunnels of an account in other processes. */
const elsewhere = new Map<string, { tunnels: number; houses: number }>()

/** A live account whose password is its own name. */
function anAccount(more: Partial<TunnelAccount> = {}): string {
  const id = `use_${++serial}`
  good.add(id)
  passwords.set(id, { id, expiresAt: new Date(now + 1_200_000), bytesLeft: 1e9, tunnels: 3, bandwidth: 1e9, exit: undefined, elsewhere: 0, ...more })
  return id
}

const open = aPolicy(
  [echoPort, targetPort, oddPort].map((port) => `127.0.0.1:${port}`),
  {
    'echo.test': ['127.0.0.1'],
    'mixed.test': ['93.184.215.14', '10.0.0.7'],
    'inside.test': ['192.168.1.1'],
  },
)
const policy = {
  ...open,
  resolve: async (name: string) => {
    if (name !== 'slow.test') return open.resolve(name)
    slow.asked++
    await new Promise<void>((done) => (slow.answer = done))
    return ['127.0.0.1']
  },
}
const house = createProxyCore(
  {
    find: async ({ username, password }) => {
      const account = username === password ? passwords.get(username) : undefined
      const { up = 0, down = 0 } = noted.get(username) ?? {}
      return account && { ...account, bytesLeft: account.bytesLeft - up - down }
    },
    stillGood: async (held) => {
      await lookup.wait
      return new Map(
        [...held.keys()]
          .filter((id) => good.has(id))
          .map((id) => {
            const { up = 0, down = 0 } = noted.get(id) ?? {}
            return [id, { tunnels: 0, houses: 0, ...elsewhere.get(id), bytesLeft: passwords.get(id)!.bytesLeft - up - down }]
          }),
      )
    },
    note: async (moved) => {
      if (isDatabaseAway) throw new Error('away')
      for (const [id, one] of moved) noted.set(id, sum(one, noted.get(id) ?? { up: 0, down: 0, tunnels: 0, refused: 0 }))
    },
  },
  async () => policy,
  () => now,
)
const proxy = await serveProxy(house, { port: 0, host: '127.0.0.1' })
afterAll(async () => {
  await proxy.stop()
  target.closeAllConnections()
  for (const server of [echo, target, odd]) server.close()
})
const enter = (id: string, to = `127.0.0.1:${echoPort}`) => openTunnel(proxy.port, to, buildBasicAuth(id, id))

test('a tunnel carries bytes both ways and is metered to the byte, over HTTP and over SOCKS5', async () => {
  const id = anAccount()
  const { status, socket } = await enter(id)
  expect(status).toBe(200)
  expect(await sendEcho(socket, 'twelve bytes')).toBe('twelve bytes')
  const other = await openSocks(proxy.port, 'echo.test', { port: echoPort, username: id, password: id })
  expect(other.code).toBe(0)
  expect(await sendEcho(other.socket, 'more')).toBe('more')
  await house.look()
  expect(noted.get(id)).toEqual({ up: 16, down: 16, tunnels: 2, refused: 0 })
  socket.destroy()
  other.socket.destroy()
  await waitForValue(() => house.tunnels() === 0, 'the tunnels to end')
})

test('a plain request reaches its target without the credentials and without a word about the customer', async () => {
  const id = anAccount()
  const { status, body } = await fetchByProxy(proxy.port, `http://echo.test:${targetPort}/path?q=1`, buildBasicAuth(id, id))
  expect(status).toBe(200)
  const { url, headers } = JSON.parse(body) as { url: string; headers: Record<string, string> }
  expect(url).toBe('/path?q=1')
  expect(headers['host']).toBe(`echo.test:${targetPort}`)
  expect(Object.keys(headers).filter((name) => /^proxy|^via|forwarded|real-ip/.test(name))).toEqual([])
})

test('a target with an invalid HTTP status fails its own request and nothing else', async () => {
  const id = anAccount()
  expect((await fetchByProxy(proxy.port, `http://echo.test:${oddPort}/`, buildBasicAuth(id, id))).status).toBe(502)
  await waitForValue(() => house.tunnels() === 0, 'the tunnel to end')
  expect((await fetchByProxy(proxy.port, `http://echo.test:${targetPort}/`, buildBasicAuth(id, id))).status).toBe(200)
})

test('a client that sends half a request is disconnected', async () => {
  const hasty = await serveProxy(house, { port: 0, host: '127.0.0.1', headMs: 50 })
  const socket = connect(hasty.port, '127.0.0.1')
    .on('error', () => {})
    .resume()
  socket.write('GET http://echo.test/ HTTP/1.1\r\nhost: echo')
  await waitForValue(() => socket.destroyed, 'the end')
  // A complete request may stay open for any time
  const id = anAccount()
  const { socket: open } = await openTunnel(hasty.port, `127.0.0.1:${echoPort}`, buildBasicAuth(id, id))
  await new Promise((done) => setTimeout(done, 100))
  expect(await sendEcho(open, 'still here')).toBe('still here')
  open.destroy()
  await hasty.stop()
})

test('a name is resolved in both families, and not at all where the public DNS has none', async () => {
  let asked = 0
  const server = createSocket('udp4', (question, { port, address }) => {
    asked++
    const end = question.indexOf(0, 12) + 5
    const isV4 = question.readUInt16BE(end - 4) === 1
    const head = Buffer.concat([question.subarray(0, 2), Buffer.from('8180', 'hex'), Buffer.of(0, 1, 0, isV4 ? 1 : 0, 0, 0, 0, 0), question.subarray(12, end)])
    const answer = Buffer.from('c00c000100010000003c00045db8d70e', 'hex')
    server.send(isV4 ? Buffer.concat([head, answer]) : head, port, address)
  })
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', () => done()))
  const servers = [`127.0.0.1:${(server.address() as AddressInfo).port}`]
  expect(await resolveAddresses('shop.example', servers)).toEqual(['93.184.215.14'])
  expect(asked).toBe(2)
  for (const name of ['start.invalid', 'localhost', 'printer.local']) expect(await resolveAddresses(name, servers)).toEqual([])
  expect(asked).toBe(2)
  server.close()
})

test('a client without the right password is refused, and one that guesses must wait', async () => {
  const id = anAccount()
  expect((await openTunnel(proxy.port, `127.0.0.1:${echoPort}`)).status).toBe(407)
  expect((await fetchByProxy(proxy.port, `http://echo.test:${targetPort}/`)).headers['proxy-authenticate']).toMatch(/^Basic /)
  expect((await openSocks(proxy.port, 'echo.test', { port: echoPort, username: id, password: 'wrong' })).code).toBe(-1)
  for (let i = 0; i < 29; i++) expect((await openTunnel(proxy.port, `127.0.0.1:${echoPort}`, buildBasicAuth(id, 'wrong'))).status).toBe(407)
  expect((await enter(id)).status).toBe(429)
  now += 61_000
  expect((await enter(id)).status).toBe(200)
})

test.each([
  ['127.0.0.1:443', 403],
  ['10.1.2.3:443', 403],
  ['169.254.169.254:80', 403],
  ['100.64.0.1:443', 403],
  ['[::1]:443', 403],
  ['[::ffff:127.0.0.1]:443', 403],
  ['[fd00::1]:443', 403],
  ['inside.test:443', 403],
  ['mixed.test:443', 403],
  ['93.184.215.14:22', 403],
  ['93.184.215.14:25', 403],
  ['nowhere.test:443', 502],
  ['no-port', 400],
])('a tunnel to %s is refused', async (to, status) => {
  const id = anAccount()
  expect((await enter(id, to)).status).toBe(status)
})

test('addresses outside the public internet are recognized, in both families', () => {
  const inside = [
    '0.0.0.0',
    '172.31.255.255',
    '192.0.2.1',
    '198.19.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001:0:1::',
    '64:ff9b::7f00:1',
    '2001:db8::1',
    'x',
  ]
  for (const address of inside) expect([address, isPublicAddress(address)]).toEqual([address, false])
  for (const address of ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true])
  expect([parseAuthority('[2606:4700::1]:443'), parseAuthority('a.b:0'), parseAuthority('a@b:443'), parseAuthority('a.b:70000')]).toEqual([
    { host: '2606:4700::1', port: 443 },
    undefined,
    undefined,
    undefined,
  ])
})

test('a name is resolved once, and an exit is given the checked address', async () => {
  let asked = 0
  const policy = { ...open, resolve: async () => (++asked, asked === 1 ? ['93.184.215.14'] : ['127.0.0.1']) }
  expect(await resolveCheckedAddresses('rebinding.test', 443, policy)).toEqual(['93.184.215.14'])
  await expect(resolveCheckedAddresses('rebinding.test', 443, policy)).rejects.toThrow(DialRefused)

  const seen: string[] = []
  const upstream = createServer().on('connect', (request, socket) => {
    seen.push(request.url ?? '', request.headers['proxy-authorization'] ?? '')
    socket.write('HTTP/1.1 200 OK\r\nx: y\r\n\r\nhello')
  })
  const exit: DialExit = { url: `http://127.0.0.1:${await listenFree(upstream)}`, auth: 'me:secret' }
  const id = anAccount({ exit })
  const { status, socket } = await enter(id, `echo.test:${echoPort}`)
  expect(status).toBe(200)
  expect(await new Promise((done) => socket.once('data', (chunk) => done(String(chunk))))).toBe('hello')
  expect(seen).toEqual([`127.0.0.1:${echoPort}`, buildBasicAuth('me', 'secret')])
  socket.destroy()
  upstream.closeAllConnections()
  upstream.close()
})

test('a new password or the end of the time cuts open tunnels', async () => {
  const [renewed, expired] = [anAccount(), anAccount({ expiresAt: new Date(now + 5_000) })]
  const [one, other] = [await enter(renewed), await enter(expired)]
  good.delete(renewed)
  await house.look()
  await waitForClose(one.socket)
  expect(other.socket.destroyed).toBe(false)
  now += 5_000
  await house.look()
  await waitForClose(other.socket)
  expect((await enter(expired)).status).toBe(407)
})

test('an account is limited in concurrent tunnels and in total bytes', async () => {
  const id = anAccount({ tunnels: 2 })
  const tunnels = [await enter(id), await enter(id)]
  expect((await enter(id)).status).toBe(429)
  tunnels[0]!.socket.destroy()
  await waitForValue(async () => (await enter(id)).status === 200, 'a place to become free')
  const greedy = anAccount({ bytesLeft: 100_000 })
  const { socket } = await enter(greedy, `127.0.0.1:${targetPort}`)
  socket.write('GET /endless HTTP/1.1\r\nhost: x\r\n\r\n')
  await waitForClose(socket)
  expect((await enter(greedy)).status).toBe(429)
  await house.look()
  expect((await enter(greedy)).status).toBe(429)
  for (const { socket: rest } of tunnels) rest.destroy()
})

test('a tunnel takes its place while its target is still resolved', async () => {
  const asked = slow.asked
  const id = anAccount({ tunnels: 1 })
  const first = enter(id, `slow.test:${echoPort}`)
  await waitForValue(() => slow.asked === asked + 1, 'the name')
  expect((await enter(id)).status).toBe(429)
  slow.answer()
  const { status, socket } = await first
  expect(status).toBe(200)
  socket.destroy()
})

test('a refresh during a slow dial keeps a valid account, and refuses one whose password has ended', async () => {
  const asked = slow.asked
  const [stays, ends] = [anAccount(), anAccount()]
  const first = enter(stays, `slow.test:${echoPort}`)
  await waitForValue(() => slow.asked === asked + 1, 'the first name')
  await house.look()
  slow.answer()
  const { status, socket } = await first
  expect(status).toBe(200)
  socket.destroy()
  const second = enter(ends, `slow.test:${echoPort}`)
  await waitForValue(() => slow.asked === asked + 2, 'the second name')
  good.delete(ends)
  await house.look()
  slow.answer()
  expect((await second).status).toBe(429)
})

test('a client that enters during a refresh stays connected', async () => {
  const [before, after] = [anAccount(), anAccount()]
  const { socket } = await enter(before)
  let answer = () => {}
  lookup.wait = new Promise<void>((done) => (answer = done))
  const looking = house.look()
  lookup.wait = undefined
  const first = await enter(after)
  answer()
  await looking
  const second = await enter(after)
  expect([first.status, second.status]).toEqual([200, 200])
  expect(await sendEcho(first.socket, 'four')).toBe('four')
  for (const one of [socket, first.socket, second.socket]) one.destroy()
})

test('a client that pauses between password and target is metered, limited and cut like any other', async () => {
  const id = anAccount({ tunnels: 2 })
  const slowly = () => openSocks(proxy.port, 'echo.test', { port: echoPort, username: id, password: id, greeted: () => house.look() })
  const [first, second] = [await slowly(), await slowly()]
  expect([first.code, second.code]).toEqual([0, 0])
  expect((await slowly()).code).toBe(1)
  await sendEcho(first.socket, 'four')
  await house.look()
  expect(noted.get(id)).toEqual({ up: 4, down: 4, tunnels: 2, refused: 1 })
  good.delete(id)
  await house.look()
  await Promise.all([waitForClose(first.socket), waitForClose(second.socket)])
})

test('a guest that was dropped before it named its target opens no tunnel', async () => {
  const id = anAccount()
  const { code } = await openSocks(proxy.port, 'echo.test', {
    port: echoPort,
    username: id,
    password: id,
    greeted: async () => {
      now += GREETING_MS + 1
      await house.look()
    },
  })
  expect(code).toBe(2)
})

test('traffic that could not be stored is stored by the next refresh', async () => {
  const id = anAccount()
  const { socket } = await enter(id)
  await sendEcho(socket, 'four')
  isDatabaseAway = true
  await expect(house.look()).rejects.toThrow('away')
  isDatabaseAway = false
  await sendEcho(socket, 'more')
  await house.look()
  expect(noted.get(id)).toEqual({ up: 8, down: 8, tunnels: 1, refused: 0 })
  socket.destroy()
})

test('a guest takes a second of bandwidth at once and waits for more', () => {
  let at = 0
  const guest = createGuest({ id: 'g', expiresAt: new Date(), bytesLeft: 1e9, tunnels: 1, bandwidth: 1000, exit: undefined, elsewhere: 0 }, () => at)
  at = 10_000
  expect(guest.take(1000, 'down')).toBe(0)
  expect(guest.take(500, 'up')).toBe(500)
  at += 500
  expect(guest.take(100, 'down')).toBe(100)
})

test('tunnels and bandwidth in other processes count against an account', async () => {
  const id = anAccount({ tunnels: 3 })
  const first = await enter(id)
  elsewhere.set(id, { tunnels: 2, houses: 1 })
  await house.look()
  expect((await enter(id)).status).toBe(429)
  elsewhere.set(id, { tunnels: 1, houses: 1 })
  await house.look()
  passwords.set(id, { ...passwords.get(id)!, elsewhere: 0 })
  const second = await enter(id)
  expect(second.status).toBe(200)
  // A tunnel opened elsewhere meanwhile counts on entry, before the next refresh
  passwords.set(id, { ...passwords.get(id)!, elsewhere: 2 })
  expect((await enter(id)).status).toBe(429)
  for (const { socket } of [first, second]) socket.destroy()
  let at = 10_000
  const guest = createGuest({ id: 'h', expiresAt: new Date(), bytesLeft: 1e9, tunnels: 1, bandwidth: 1000, exit: undefined, elsewhere: 0 }, () => at)
  guest.share({ tunnels: 0, houses: 1, bytesLeft: 1e9 })
  guest.take(500, 'up')
  expect(guest.take(500, 'up')).toBe(1000)
  at = 11_000
  guest.share({ tunnels: 0, houses: 0, bytesLeft: 100 })
  expect(guest.isSpent()).toBe(true)
})
