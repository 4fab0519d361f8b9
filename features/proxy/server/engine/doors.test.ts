import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { afterAll, expect, test, vi } from 'vitest'
import { waitForValue } from '#platform/testing/patience.ts'
import { aProxyCertificate } from '../testing/certificate.ts'
import { anEcho, buildBasicAuth, sendEcho, listenFree, aPolicy } from '../testing/proxy-clients.ts'
import { createGuest } from './guest.ts'
import type { TunnelAccount } from './guest.ts'
import { createProxyCore } from './proxy-core.ts'
import { LEAVING_MS, spliceTunnel } from './pump.ts'
import { serveProxy, handleSocks } from './serve.ts'

const [ALLOWED, HEAD_DOWN, HEAD_UP] = [100_000, 12_000, 14_000]
const echo = anEcho()
/** A server that responds with headers only. */
const heads = createServer((_request, reply) => reply.setHeader('x-down', 'd'.repeat(HEAD_DOWN)).end())
const [echoPort, headsPort] = [await listenFree(echo), await listenFree(heads)]
const account = (id: string, more: Partial<TunnelAccount> = {}): TunnelAccount => ({
  id,
  expiresAt: new Date(Date.now() + 1_200_000),
  bytesLeft: ALLOWED,
  tunnels: 3,
  bandwidth: 1e9,
  exit: undefined,
  elsewhere: 0,
  ...more,
})
/** Blocks password lookups until it resolves. */
const lookup: { wait: Promise<void> | undefined } = { wait: undefined }
const moved = { up: 0, down: 0 }
const house = createProxyCore(
  {
    find: async ({ username, password }) => {
      await lookup.wait
      return username === password ? account(username, username === 'slow' ? { bandwidth: 20_000 } : {}) : undefined
    },
    stillGood: async (open) => new Map([...open.keys()].map((id) => [id, { tunnels: 0, houses: 0, bytesLeft: ALLOWED }])),
    note: async (noted) => {
      for (const { up, down } of noted.values()) Object.assign(moved, { up: moved.up + up, down: moved.down + down })
    },
  },
  async () => aPolicy([echoPort, headsPort].map((port) => `127.0.0.1:${port}`)),
  Date.now,
)
const proxy = await serveProxy(house, { port: 0, host: '127.0.0.1', tls: aProxyCertificate() })
afterAll(async () => {
  await proxy.stop()
  heads.closeAllConnections()
  for (const server of [echo, heads]) server.close()
})

const next = (socket: Duplex) => new Promise<Buffer>((done) => void socket.once('data', done))
const greeting = (name: string, password: string) =>
  Buffer.concat([Buffer.of(1, name.length), Buffer.from(name), Buffer.of(password.length), Buffer.from(password)])

test('a client may speak TLS to the proxy, and HTTP or SOCKS5 within it', async () => {
  const secure = async () => {
    let isSecure = false
    const socket = connectTls({ port: proxy.port, host: '127.0.0.1', rejectUnauthorized: false }, () => (isSecure = true)).on('error', () => {})
    await waitForValue(() => isSecure, 'the handshake')
    return socket
  }
  const http = await secure()
  http.write(`CONNECT 127.0.0.1:${echoPort} HTTP/1.1\r\nhost: x\r\nproxy-authorization: ${buildBasicAuth('s', 's')}\r\n\r\n`)
  expect(String(await next(http))).toMatch(/^HTTP\/1\.1 200 /)
  expect(await sendEcho(http, 'through it')).toBe('through it')
  const socks = await secure()
  socks.write(Buffer.of(5, 1, 2))
  expect(await next(socks)).toEqual(Buffer.of(5, 2))
  socks.write(greeting('s', 's'))
  expect(await next(socks)).toEqual(Buffer.of(1, 0))
  socks.write(Buffer.of(5, 1, 0, 1, 127, 0, 0, 1, echoPort >> 8, echoPort & 255))
  expect((await next(socks))[1]).toBe(0)
  expect(await sendEcho(socks, 'and this')).toBe('and this')
  http.destroy()
  socks.destroy()
  await waitForValue(() => house.tunnels() === 0, 'the tunnels to end')
})

const CONNECT = 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n'
const REFUSALS: readonly (readonly [string, readonly (Buffer | string)[], RegExp])[] = [
  ['offers no accepted method', [Buffer.of(5, 0)], /^05ff$/],
  ['has a wrong password', [Buffer.of(5, 1, 2), greeting('s', 'wrong')], /^0101$/],
  ['asks for another command than CONNECT', [Buffer.of(5, 1, 2), greeting('s', 's'), Buffer.of(5, 2, 0, 1, 127, 0, 0, 1, 0, 80)], /^0507/],
  ['asks for an inner address', [Buffer.of(5, 1, 2), greeting('s', 's'), Buffer.of(5, 1, 0, 1, 127, 0, 0, 1, 0, 80)], /^0502/],
  ['gives no password', [`${CONNECT}\r\n`], /^HTTP\/1\.1 407 /],
  ['asks for a blocked port', [`${CONNECT.replace('443', '25')}proxy-authorization: ${buildBasicAuth('s', 's')}\r\n\r\n`], /^HTTP\/1\.1 502 /],
]
test.each(REFUSALS)('a client that %s is disconnected, whether it closes or not', async (_what, words, refusal) => {
  const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  let said: Buffer = Buffer.of()
  for (const word of words) {
    socket.write(word)
    said = await next(socket)
  }
  expect(said.toString(typeof words[0] === 'string' ? 'latin1' : 'hex')).toMatch(refusal)
  await waitForValue(() => {
    socket.write('more')
    return socket.destroyed
  }, 'the end')
})

test('the server stops reading while a password is looked up, and after its refusal', async () => {
  let answer = () => {}
  lookup.wait = new Promise<void>((done) => (answer = done))
  let chunks = 100
  // Sends for as long as it is read, and never closes
  const client = new Duplex({
    read: () => void (chunks-- > 0 && setImmediate(() => client.push(Buffer.alloc(65_536)))),
    write: (_chunk, _encoding, done) => done(),
  })
  const greeted = handleSocks(house, client as Socket, Buffer.concat([Buffer.of(5, 1, 2), greeting('s', 'wrong')]))
  try {
    await waitForValue(() => client.isPaused(), 'the door to stop reading')
  } finally {
    lookup.wait = undefined
    answer()
    await greeted
  }
  await waitForValue(() => client.destroyed, 'the end')
  expect(chunks).toBeGreaterThan(90)
})

/** Opens a connection that only reads. */
const aDeafOne = () => new Duplex({ read: () => {}, write: () => {} })

test('a tunnel whose target reads nothing keeps its place while it is open, and is cut after a timeout', async () => {
  const guest = createGuest(account('g'))
  const [client, target] = [aDeafOne(), aDeafOne()]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    spliceTunnel(client, target, guest)
    client.push('for the target')
    await new Promise((done) => setImmediate(done))
    client.destroy()
    await new Promise((done) => client.once('close', done))
    expect([guest.open.size, target.destroyed]).toEqual([1, false])
    vi.advanceTimersByTime(LEAVING_MS)
    expect(target.destroyed).toBe(true)
  } finally {
    vi.useRealTimers()
  }
  await waitForValue(() => guest.open.size === 0, 'its place')
})

test('data that a target sent before it closed still reaches a slow client', async () => {
  const guest = createGuest(account('g'))
  let taken: (() => void) | undefined
  const client = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => void (taken = done) }).on('error', () => {})
  const target = new Duplex({ allowHalfOpen: false, read: () => {}, write: (_chunk, _encoding, done) => done() })
  spliceTunnel(client, target, guest)
  target.push('its last words')
  target.push(null)
  await waitForValue(() => target.closed, 'the target to go')
  expect([client.destroyed, guest.open.size]).toEqual([false, 1])
  taken!()
  await waitForValue(() => client.closed, 'the client to go')
  expect([client.writableFinished, client.errored, guest.open.size]).toEqual([true, null, 0])
})

/** Sends a plain request with a long head; resolves to the length of the response's head field, 0 without a response. */
const asked = (name: string) =>
  new Promise<number>((done) => {
    const headers = { 'proxy-authorization': buildBasicAuth(name, name), 'x-up': 'u'.repeat(HEAD_UP) }
    request({ host: '127.0.0.1', port: proxy.port, path: `http://127.0.0.1:${headsPort}/`, headers })
      .on('response', (reply) => reply.resume().on('end', () => done(String(reply.headers['x-down'] ?? '').length)))
      .on('error', () => done(0))
      .end()
  })

test('heads are metered in both directions, and are refused when the traffic is used up', async () => {
  await house.look()
  Object.assign(moved, { up: 0, down: 0 })
  let got = 0
  for (let n = 0; n < 20; n++) got += await asked('h')
  expect(got).toBeLessThan(ALLOWED)
  await house.look()
  const [about, answers] = [500, got / HEAD_DOWN]
  expect(moved.down).toBeGreaterThan(got)
  expect(moved.down).toBeLessThan((answers + 1) * (HEAD_DOWN + about))
  expect(moved.up).toBeGreaterThan(answers * HEAD_UP)
  expect(moved.up).toBeLessThan((answers + 1) * (HEAD_UP + about))
})

test('heads wait for their share of the bandwidth', async () => {
  const began = performance.now()
  expect(await asked('slow')).toBe(HEAD_DOWN)
  expect(performance.now() - began).toBeGreaterThan(200)
})
