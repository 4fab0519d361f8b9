import { constants, createSecureServer } from 'node:http2'
import type { Http2SecureServer, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream, Settings } from 'node:http2'
import { connect, createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UpstreamClient, UpstreamRequest } from '../deps.ts'
import { aCertificate } from '../testing/certificate.ts'
import { sleep, until } from '../testing/lab.ts'
import { newTold, over } from '../testing/told.ts'
import type { Told } from '../testing/told.ts'
import { createUpstreamClient } from '../upstream/client.ts'
import { createHttp2Client } from './client.ts'
import type { Http2Client } from './client.ts'
import type { Http2Options } from './origin.ts'
import { createNegotiatingClient } from './negotiate.ts'

let made: ReturnType<typeof aCertificate>
let server: Http2SecureServer
let client: Http2Client
let origin: string
let answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void
const sessions: ServerHttp2Session[] = []
const sockets: Socket[] = []
const closers: (() => void)[] = []

beforeAll(() => {
  made = aCertificate()
})
const begin = async (options: Partial<Http2Options> = {}, settings: Settings = {}, allowHTTP1 = false): Promise<void> => {
  sessions.length = 0
  server = createSecureServer({ ...made, settings, allowHTTP1 })
  sockets.length = 0
  server.on('secureConnection', (socket) => sockets.push(socket))
  server.on('session', (session) => sessions.push(session))
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    answer(stream as ServerHttp2Stream, headers)
  })
  server.on('sessionError', () => undefined)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  origin = `https://localhost:${(server.address() as AddressInfo).port}`
  client = createHttp2Client({ tls: { ca: made.cert }, ...options })
}
beforeEach(() => {
  answer = (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/json', 'x-request-id': 'v1' })
    stream.end('{"ok":true}')
  }
})
afterEach(async () => {
  await client.close()
  for (const session of sessions) session.destroy()
  server.close()
  for (const close of closers.splice(0)) close()
})
const sendBy = (by: UpstreamClient, more: Partial<UpstreamRequest> = {}): Told => {
  const told = newTold()
  const exchange = by.send({ origin, path: '/v1/x', headers: ['Authorization', 'Bearer x'], body: Buffer.from('{}'), timeoutMs: 5_000, ...more }, told)
  told.exchange = { abort: () => by.abort(exchange), pause: () => by.pause(exchange), resume: () => by.resume(exchange) }
  return told
}
const send = (more: Partial<UpstreamRequest> = {}): Told => sendBy(client, more)

describe('requests', () => {
  it('many at once on one session, each with its own answer', async () => {
    await begin()
    answer = (stream, headers) => {
      let body = ''
      stream.on('data', (part) => {
        body += part
      })
      stream.on('end', () => {
        stream.respond({ ':status': 201, 'x-path': headers[':path'], 'set-cookie': ['a', 'b'] })
        stream.end(`${headers.authorization} ${headers['content-length']} ${body.length}`)
      })
    }
    const all = Array.from({ length: 30 }, (_, i) => send({ path: `/v1/${i}`, body: Buffer.alloc(100_000 + i, 120) }))
    for (const told of all) await over(told)
    expect(all.map((told) => [told.end, told.status, told.headers['x-path'], told.body])).toEqual(
      all.map((_, i) => ['ended', 201, `/v1/${i}`, `Bearer x ${100_000 + i} ${100_000 + i}`]),
    )
    expect(all[0]!.headers['set-cookie']).toEqual(['a', 'b'])
    expect(Object.keys(all[0]!.headers).some((name) => name.startsWith(':'))).toBe(false)
    expect(sessions).toHaveLength(1)
  })

  it('what HTTP does not allow is refused before it is sent', async () => {
    await begin()
    expect(() => send({ path: '/a b' })).toThrow()
    expect(() => send({ headers: ['x', 'a\r\nb: c'] })).toThrow()
    expect(() => send({ headers: ['x y', 'a'] })).toThrow()
    await client.close()
    expect(() => send()).toThrow('closed')
  })

  it('a server that is no HTTP/2, that nobody trusts, that is not there', async () => {
    await begin()
    const stranger = createHttp2Client()
    closers.push(() => void stranger.close())
    const untrusted = sendBy(stranger)
    await over(untrusted)
    expect(untrusted.end).toBe('failed')
    const old = createTlsServer({ ...made, ALPNProtocols: ['http/1.1'] }).listen(0, '127.0.0.1')
    await new Promise((resolve) => old.once('listening', resolve))
    closers.push(() => old.close())
    const older = send({ origin: `https://localhost:${(old.address() as AddressInfo).port}` })
    await over(older)
    expect(older.end).toBe('failed')
    const none = send({ origin: 'https://127.0.0.1:1' })
    await over(none)
    expect(none.end).toBe('failed')
  })
})

describe('endings', () => {
  it('a reset ends one stream, and no other', async () => {
    await begin()
    answer = (stream, headers) => {
      stream.respond({ ':status': 200 })
      stream.write('half')
      setTimeout(() => {
        // `close` would send the end of the stream first.
        if (headers[':path'] === '/bad') stream.destroy(new Error('broken'))
        else stream.end(' and whole')
      }, 30)
    }
    const [bad, good] = [send({ path: '/bad' }), send()]
    await over(bad)
    await over(good)
    expect([bad.end, bad.body]).toEqual(['failed', 'half'])
    expect([good.end, good.body]).toEqual(['ended', 'half and whole'])
  })

  it('a stream that the server has not begun is sent once more, and only once', async () => {
    await begin()
    let times = 0
    answer = (stream) => {
      times++
      stream.close(constants.NGHTTP2_REFUSED_STREAM)
    }
    const told = send()
    await over(told)
    expect([told.end, times]).toEqual(['failed', 2])
    answer = (stream) => {
      times++
      if (times === 3) stream.close(constants.NGHTTP2_REFUSED_STREAM)
      else {
        stream.respond({ ':status': 200 })
        stream.end('ok')
      }
    }
    const again = send()
    await over(again)
    expect([again.end, again.body, times]).toEqual(['ended', 'ok', 4])
  })

  it('GOAWAY: what runs comes to its end, what comes next goes over a new session', async () => {
    await begin()
    const streams: ServerHttp2Stream[] = []
    answer = (stream) => {
      stream.respond({ ':status': 200 })
      stream.write('a')
      streams.push(stream)
    }
    const first = send()
    await until(() => first.body === 'a')
    sessions[0]!.goaway(constants.NGHTTP2_NO_ERROR)
    await sleep(30)
    const second = send()
    await until(() => second.body === 'a')
    expect(sessions).toHaveLength(2)
    for (const stream of streams) stream.end('b')
    await over(first)
    await over(second)
    expect([first.end, first.body, second.end, second.body]).toEqual(['ended', 'ab', 'ended', 'ab'])
    await until(() => sessions[0]!.destroyed)
  })

  it('a session that breaks fails its streams, and the next request gets another', async () => {
    await begin()
    const healthy = answer
    answer = (stream) => {
      stream.respond({ ':status': 200 })
      stream.write('a')
    }
    const [one, two] = [send(), send()]
    await until(() => one.body === 'a' && two.body === 'a')
    for (const socket of sockets) socket.destroy()
    await over(one)
    await over(two)
    expect([one.end, two.end]).toEqual(['failed', 'failed'])
    answer = healthy
    const next = send()
    await over(next)
    expect(next.end).toBe('ended')
  })

  it('leaving cancels the stream; nothing more is told', async () => {
    await begin()
    let code = 0
    answer = (stream) => {
      stream.respond({ ':status': 200 })
      stream.write('a')
      stream.on('close', () => {
        code = stream.rstCode
      })
    }
    const told = send()
    await until(() => told.body === 'a')
    told.exchange.abort()
    await until(() => code === constants.NGHTTP2_CANCEL)
    expect(told.end).toBe('open')
    answer = (stream) => stream.respond({ ':status': 200 }, { endStream: true })
    const next = send()
    await over(next)
    expect([next.end, sessions.length]).toEqual(['ended', 1])
  })
})

describe('streams', () => {
  it('never more at once than the server allows; the others wait, then go', async () => {
    await begin({ sessions: 1 }, { maxConcurrentStreams: 3 })
    let open = 0
    let most = 0
    answer = (stream) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        stream.respond({ ':status': 200 })
        stream.end('ok')
      }, 10)
    }
    const first = send()
    await over(first)
    const all = Array.from({ length: 20 }, () => send())
    for (const told of all) await over(told)
    expect(all.every((told) => told.end === 'ended')).toBe(true)
    expect([most, sessions.length]).toEqual([3, 1])
  })

  it('beyond that another session is opened', async () => {
    await begin({ sessions: 4 }, { maxConcurrentStreams: 2 })
    await over(send())
    answer = (stream) => setTimeout(() => stream.respond({ ':status': 200 }, { endStream: true }), 40)
    const all = Array.from({ length: 6 }, () => send())
    for (const told of all) await over(told)
    expect(sessions.length).toBeGreaterThan(1)
    expect(sessions.length).toBeLessThanOrEqual(4)
  })

  it('a reader that waits holds the server back, and nobody else', async () => {
    await begin()
    const chunk = Buffer.alloc(65_536, 120)
    const TOTAL = 8 * 1024 * 1024
    let written = 0
    answer = (stream, headers) => {
      stream.respond({ ':status': 200 })
      if (headers[':path'] === '/small') {
        stream.end('small')
        return
      }
      const write = (): void => {
        while (written < TOTAL) {
          written += chunk.length
          if (!stream.write(chunk)) {
            stream.once('drain', write)
            return
          }
        }
        stream.end()
      }
      write()
    }
    const slow = send({ betweenMs: 800 })
    await until(() => slow.status === 200)
    slow.exchange.pause()
    const got = slow.body.length
    await sleep(1_000)
    // The stream's window, and what was on its way: not the whole, and no time-out for a pause of ours.
    expect(written).toBeLessThan(3 * 1024 * 1024)
    expect(slow.body.length - got).toBeLessThanOrEqual(1024 * 1024)
    expect(slow.end).toBe('open')
    const other = send({ path: '/small' })
    await over(other)
    expect(other.body).toBe('small')
    slow.exchange.resume()
    await over(slow)
    expect([slow.end, slow.body.length]).toEqual(['ended', TOTAL])
  })

  it('waits for the head and for the bytes after it, each with its own patience', async () => {
    await begin()
    answer = (stream, headers) => {
      if (headers[':path'] === '/never') return
      setTimeout(() => {
        stream.respond({ ':status': 200 })
        stream.write('a')
      }, 150)
    }
    const [never, slow] = [send({ path: '/never', timeoutMs: 60 }), send({ timeoutMs: 2_000, betweenMs: 60 })]
    await over(never)
    await over(slow)
    expect([never.end, never.status, slow.end, slow.body]).toEqual(['timed out', 0, 'timed out', 'a'])
  })

  it('a network that swallows everything is noticed by the next request, long before its time-out', async () => {
    await begin({ quietMs: 40, pingMs: 80 })
    // Between the client and the server, until it goes dark.
    let isDark = false
    const pipes: Socket[] = []
    const between = createTcpServer((near) => {
      const far = connect((server.address() as AddressInfo).port, '127.0.0.1')
      pipes.push(near, far)
      for (const [from, to] of [[near, far] as const, [far, near] as const]) {
        from.on('error', () => undefined)
        from.on('data', (data) => {
          if (!isDark) to.write(data)
        })
      }
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => between.once('listening', resolve))
    closers.push(
      () => between.close(),
      () => pipes.forEach((pipe) => pipe.destroy()),
    )
    const through = `https://localhost:${(between.address() as AddressInfo).port}`
    const first = send({ origin: through })
    await over(first)
    expect(first.end).toBe('ended')
    await sleep(60)
    // A quiet session that lives answers, and is kept.
    const second = send({ origin: through })
    await over(second)
    await sleep(150)
    expect([second.end, sessions.length]).toEqual(['ended', 1])
    isDark = true
    const third = send({ origin: through, timeoutMs: 60_000 })
    await over(third)
    expect([third.end, third.error]).toEqual(['failed', 'the session gave no sign of life'])
    isDark = false
    const fourth = send({ origin: through })
    await over(fourth)
    expect([fourth.end, sessions.length]).toEqual(['ended', 2])
  })

  it('a connection that does not come about is given up', async () => {
    await begin({ connectMs: 100 })
    const black = createTcpServer(() => undefined).listen(0, '127.0.0.1')
    await new Promise((resolve) => black.once('listening', resolve))
    closers.push(() => black.close())
    const told = send({ origin: `https://localhost:${(black.address() as AddressInfo).port}` })
    await over(told)
    expect([told.end, told.error.includes('in time')]).toEqual(['failed', true])
  })
})

describe('what the server offers', () => {
  const both = (): UpstreamClient => {
    const http1 = createUpstreamClient({ tls: { ca: made.cert } })
    closers.push(() => void http1.close())
    return createNegotiatingClient(http1, client, { ca: made.cert })
  }
  it('HTTP/2 from the second request on, over the connection that asked', async () => {
    await begin({}, {}, true)
    server.on('request', (req, res) => {
      if (req.httpVersion === '1.1') res.end('one')
    })
    const client = both()
    const first = sendBy(client)
    await over(first)
    expect(first.body).toBe('one')
    await until(() => sessions.length === 1)
    const second = sendBy(client)
    await over(second)
    expect([second.body, sessions.length]).toEqual(['{"ok":true}', 1])
  })

  it('warm, and known before the first request', async () => {
    await begin({}, {}, true)
    const client = both()
    client.warm!(origin, 2)
    await until(() => sessions.length === 1)
    const told = sendBy(client)
    await over(told)
    expect(told.body).toBe('{"ok":true}')
    expect(sessions).toHaveLength(1)
  })
})
