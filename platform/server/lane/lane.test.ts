import { createServer, request as ask } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openLane, announceClose } from './lane.ts'
import type { LaneRequest } from './lane.ts'
import type { LaneResponse } from './response.ts'

const open: Array<() => void> = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

type Handle = (request: LaneRequest, response: LaneResponse) => void

/** A server whose lane takes /lane; its node:http handler reports itself and the request it received. */
async function aServer(handle: Handle = echo) {
  const taken: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => response.end(`node ${request.method} ${request.url} ${Buffer.concat(chunks).length}`))
  })
  server.on('upgrade', (_request: IncomingMessage, socket: Socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
  openLane(server, {
    takes: (url) => url.startsWith('/lane'),
    handle: (request, response) => {
      taken.push(request.url)
      handle(request, response)
    },
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { server, taken, port, dial: () => dial(port) }
}

function echo(request: LaneRequest, response: LaneResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = `lane ${request.method} ${request.url} ${Buffer.concat(chunks).length}`
    response.writeHead(200, ['content-length', String(body.length)]).end(body)
  })
}

/** A socket that records received data, with a way to wait for it. */
async function dial(port: number) {
  const socket = connect(port, '127.0.0.1')
  open.push(() => socket.destroy())
  await new Promise<void>((done) => socket.once('connect', done))
  let got = ''
  let ended = false
  socket.on('data', (data) => {
    got += data.toString('latin1')
  })
  socket.on('end', () => {
    ended = true
  })
  socket.on('error', () => {})
  return {
    socket,
    got: () => got,
    isEnded: () => ended,
    says: (text: string, times = 1) => expect.poll(() => got.split(text).length - 1).toBe(times),
    ends: () => expect.poll(() => ended).toBe(true),
  }
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const post = (path: string, body: string, headers = '') => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`

test('requests on one connection are answered one after the other, each with a complete head', async () => {
  const { dial: connected, taken } = await aServer()
  const client = await connected()
  client.socket.write(get('/lane/1'))
  await client.says('lane GET /lane/1 0')
  expect(client.got()).toMatch(
    /^HTTP\/1\.1 200 OK\r\ncontent-length: 18\r\nDate: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75\r\n\r\nlane/,
  )
  client.socket.write(post('/lane/2', 'abc'))
  await client.says('lane POST /lane/2 3')
  expect(taken).toEqual(['/lane/1', '/lane/2'])
})

test('a body in pieces, and requests ahead of their turn are answered in order', async () => {
  const { dial: connected } = await aServer()
  const client = await connected()
  const body = 'x'.repeat(300_000)
  const all = Buffer.from(post('/lane/1', body) + post('/lane/2', 'abc') + get('/lane/3') + post('/lane/4', ''))
  const cuts = [0, 58, 100, 101, 5_000, 200_000, all.length]
  for (let i = 1; i < cuts.length; i++) {
    client.socket.write(all.subarray(cuts[i - 1], cuts[i]))
    await new Promise((done) => setTimeout(done, 3))
  }
  await client.says('/lane/4 0')
  expect(client.got().match(/lane (GET|POST) \S+ \d+/g)).toEqual([
    'lane POST /lane/1 300000',
    'lane POST /lane/2 3',
    'lane GET /lane/3 0',
    'lane POST /lane/4 0',
  ])
})

test.each([
  ['another path', get('/page'), 'node GET /page 0'],
  ['a body in chunks', 'POST /lane HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n', 'node POST /lane 3'],
  ['a connection that is to end', get('/lane', 'Connection: close\r\n'), 'node GET /lane 0'],
  ['a large body', post('/page', 'x'.repeat(500_000)), 'node POST /page 500000'],
  ['an upgrade', get('/lane', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), '101 Switching'],
  ['a length twice', post('/lane', 'abc', 'Content-Length: 3\r\n'), '400 Bad Request'],
  ['a length beside chunks', post('/lane', 'abc', 'Transfer-Encoding: chunked\r\n'), '400 Bad Request'],
  ['no HTTP at all', 'hello\r\n\r\n', '400 Bad Request'],
  ['a head that is too large', get('/lane', `a: ${'b'.repeat(40_000)}\r\n`), '431 Request Header Fields Too Large'],
])('%s is handed over, first or later, whole or in pieces', async (_, text, said) => {
  const { dial: connected } = await aServer()
  const first = await connected()
  first.socket.write(text)
  await first.says(said)
  const later = await connected()
  later.socket.write(get('/lane/1'))
  await later.says('lane GET /lane/1 0')
  later.socket.write(text)
  await later.says(said)
  const behind = await connected()
  behind.socket.write(get('/lane/1') + text)
  await behind.says(said)
  const slow = await connected()
  slow.socket.write(text.slice(0, 7))
  await new Promise((done) => setTimeout(done, 20))
  slow.socket.write(text.slice(7))
  await slow.says(said)
})

test('a connection that was handed over stays with node:http', async () => {
  const { dial: connected, taken } = await aServer()
  const client = await connected()
  client.socket.write(get('/page') + get('/lane/1'))
  await client.says('node GET /lane/1 0')
  expect(taken).toEqual([])
})

test('chunks, an empty response, non-ASCII text and bytes arrive unchanged', async () => {
  const { port } = await aServer((request, response) => {
    if (request.url === '/lane/chunks') {
      response.writeHead(200, ['content-type', 'text/plain'])
      response.write(Buffer.from('明'))
      response.write(Buffer.alloc(0))
      response.end('细')
    } else if (request.url === '/lane/empty') response.writeHead(429, ['content-length', '0']).end()
    else if (request.url === '/lane/latin1') response.writeHead(200, ['content-length', '2']).end('\xff\x00', 'latin1')
    else response.writeHead(200, ['content-length', '6']).end('明细')
  })
  const fetched = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return [answer.status, Buffer.from(await answer.arrayBuffer()).toString('hex')]
  }
  expect(await fetched('/lane/chunks')).toEqual([200, Buffer.from('明细').toString('hex')])
  expect(await fetched('/lane/empty')).toEqual([429, ''])
  expect(await fetched('/lane/latin1')).toEqual([200, 'ff00'])
  expect(await fetched('/lane/text')).toEqual([200, Buffer.from('明细').toString('hex')])
})

test('a header with a line break is refused', async () => {
  const { dial: connected } = await aServer((_request, response) => {
    expect(() => response.writeHead(200, ['a', 'b\r\nc: d'])).toThrow('Invalid character')
    expect(() => response.writeHead(200, ['a\r\nb', 'c'])).toThrow('Invalid character')
    response.writeHead(200, ['content-length', '2']).end('ok')
  })
  const client = await connected()
  client.socket.write(get('/lane'))
  await client.says('\r\n\r\nok')
})

test('a response before the end of the body: the rest is read and dropped, and the next request is served', async () => {
  const { dial: connected } = await aServer((_request, response) => {
    response.writeHead(401, ['content-length', '0']).end()
  })
  const client = await connected()
  const body = 'x'.repeat(600_000)
  client.socket.write(post('/lane/1', body).slice(0, 400_000))
  await client.says('401 Unauthorized')
  client.socket.write(post('/lane/1', body).slice(400_000) + get('/lane/2'))
  await client.says('401 Unauthorized', 2)
})

test('an unread body does not fill the memory, and arrives whole in the end', async () => {
  let listen = (): void => {}
  const { dial: connected } = await aServer((request, response) => {
    listen = () => echo(request, response)
  })
  const client = await connected()
  client.socket.write(post('/lane', 'x'.repeat(20_000_000)))
  await new Promise((done) => setTimeout(done, 200))
  expect(client.socket.bytesWritten - client.socket.writableLength).toBeLessThan(20_000_000)
  listen()
  await client.says('lane POST /lane 20000000')
})

test('a paused reader gets nothing meanwhile and all of the body afterwards, and the next request is served', async () => {
  const seen: Array<{ request: LaneRequest; bytes: number }> = []
  const { dial: connected } = await aServer((request, response) => {
    const one = { request, bytes: 0 }
    seen.push(one)
    request.on('data', (chunk) => {
      one.bytes += chunk.length
      if (one.bytes < 1_500_000) request.pause()
    })
    request.on('end', () => response.writeHead(200, ['content-length', '4']).end('done'))
  })
  const client = await connected()
  client.socket.write(post('/lane/1', 'x'.repeat(3_000_000)) + post('/lane/2', ''))
  await expect.poll(() => seen.length).toBe(1)
  const [first] = seen
  while (first!.bytes < 1_500_000) {
    await new Promise((done) => setTimeout(done, 5))
    const halted = first!.bytes
    await new Promise((done) => setTimeout(done, 5))
    expect(first!.bytes).toBe(halted)
    first!.request.resume()
    await expect.poll(() => first!.bytes).toBeGreaterThan(halted)
  }
  await client.says('done', 2)
  expect(seen.map(({ bytes }) => bytes)).toEqual([3_000_000, 0])
})

test('requests far ahead of their turn wait at the client, and each is answered', async () => {
  let isPaused = (): boolean => false
  let finish = (): void => {}
  const { dial: connected } = await aServer((request, response) => {
    if (request.url !== '/lane/slow') return echo(request, response)
    isPaused = () => request.socket.isPaused()
    finish = () => response.writeHead(200, ['content-length', '4']).end('slow')
  })
  const client = await connected()
  const [many, one] = [20, post('/lane/1', 'x'.repeat(100_000))]
  client.socket.write(get('/lane/slow') + one.repeat(many))
  await expect.poll(() => isPaused()).toBe(true)
  finish()
  await client.says('lane POST /lane/1 100000', many)
})

test('a handler is notified when its client leaves, during the body and during the response', async () => {
  const told: string[] = []
  const { dial: connected } = await aServer((request, response) => {
    request.on('close', () => told.push('request'))
    response.on('close', () => told.push(response.writableFinished ? 'finished' : 'cut'))
    if (request.url === '/lane/whole') response.writeHead(200, ['content-length', '2']).end('ok')
    else if (request.url === '/lane/stream') {
      response.writeHead(200, [])
      response.write(Buffer.from('first'))
    }
  })
  for (const [sent, said] of [
    [post('/lane', 'abc').slice(0, -1), ['request', 'cut']],
    [get('/lane/stream'), ['cut']],
    [get('/lane/whole'), ['finished']],
  ] as const) {
    for (const leave of ['destroy', 'end'] as const) {
      told.length = 0
      const client = await connected()
      client.socket.write(sent)
      await new Promise((done) => setTimeout(done, 30))
      client.socket[leave]()
      await expect.poll(() => told).toEqual(said)
    }
  }
})

test('at shutdown responses say close and end their connections, idle ones end when asked, and nothing is cut', async () => {
  let finish = (): void => {}
  let closed = 0
  const { server, dial: connected } = await aServer((request, response) => {
    response.on('close', () => closed++)
    if (request.url !== '/lane/slow') return echo(request, response)
    finish = () => response.writeHead(200, ['content-length', '4']).end('slow')
  })
  const [idle, busy, next] = [await connected(), await connected(), await connected()]
  idle.socket.write(get('/lane/1'))
  next.socket.write(get('/lane/1'))
  busy.socket.write(get('/lane/slow'))
  await idle.says('/lane/1')
  await next.says('/lane/1')
  announceClose(server)
  next.socket.write(get('/lane/2'))
  await next.says('Connection: close')
  await next.ends()
  const gone = new Promise((done) => server.close(done))
  await idle.ends()
  expect(busy.isEnded()).toBe(false)
  finish()
  await busy.says('Connection: close')
  await busy.says('\r\n\r\nslow')
  await gone
  expect(closed).toBe(4)
})

test('a connection that an agent of node:http keeps open is reused', async () => {
  const { port, taken } = await aServer()
  const { Agent } = await import('node:http')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  open.push(() => agent.destroy())
  const ports = new Set<number | undefined>()
  for (let i = 0; i < 20; i++) {
    await new Promise<void>((done, failed) => {
      const request = ask({ port, host: '127.0.0.1', agent, path: `/lane/${i}`, method: 'POST' }, (answer) => {
        ports.add(answer.socket.localPort)
        answer.resume().on('end', done)
      })
      request.on('error', failed)
      request.setHeader('content-length', 3)
      request.end('abc')
    })
  }
  expect(taken).toHaveLength(20)
  expect(ports.size).toBe(1)
})
