import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { clientLab as lab } from '../testing/client-lab.ts'
import { formatHttpJson } from '../testing/fake-upstream.ts'
import { sleep, waitForCondition } from '../testing/lab.ts'
import { waitForExchangeEnd } from '../testing/recorded-exchange.ts'

afterEach(() => lab.close())

describe('the upstream client', () => {
  it('keeps its connection from call to call, and opens more only when needed', async () => {
    await lab.begin()
    lab.answer = (seen, socket) => {
      socket.write(formatHttpJson({ path: seen.path }))
    }
    for (let i = 0; i < 20; i++) {
      const told = lab.send(`/${i}`)
      await waitForExchangeEnd(told)
      expect(told).toMatchObject({ status: 200, end: 'ended', body: `{"path":"/${i}"}` })
    }
    expect(lab.connections).toBe(1)
    const many = Array.from({ length: 10 }, (_, i) => lab.send(`/m${i}`))
    for (const told of many) await waitForExchangeEnd(told)
    expect(lab.connections).toBe(10)
    expect(lab.server.seen[0]!.head).toBe(
      `POST /0 HTTP/1.1\r\nhost: ${lab.server.origin.slice(7)}\r\nconnection: keep-alive\r\nauthorization: Bearer x\r\ncontent-length: 2`,
    )
  })

  it('opens no more connections than allowed: other calls wait, and an aborted one frees its place', async () => {
    await lab.begin({ connections: 2 })
    const open: Socket[] = []
    lab.answer = (_seen, socket) => {
      open.push(socket)
    }
    const calls = [lab.send('/1'), lab.send('/2'), lab.send('/3'), lab.send('/4'), lab.send('/5')]
    await waitForCondition(() => open.length === 2)
    calls[3]!.exchange.abort()
    calls[0]!.exchange.abort()
    await waitForCondition(() => open.length === 3)
    open[1]!.write(formatHttpJson(2))
    open[2]!.write(formatHttpJson(3))
    await waitForCondition(() => open.length === 4)
    open[3]!.write(formatHttpJson(5))
    await waitForExchangeEnd(calls[4]!)
    expect(calls.map((one) => one.body)).toEqual(['', '2', '3', '', '5'])
    expect(calls.map((one) => one.end)).toEqual(['open', 'ended', 'ended', 'open', 'ended'])
    expect(lab.server.seen.map((one) => one.path)).toEqual(['/1', '/2', '/3', '/5'])
  })

  it('all chunks of one read come as one', async () => {
    await lab.begin()
    lab.answer = (_seen, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'3\r\nabc\r\n'.repeat(100)}0\r\n\r\n`)
    }
    const told = lab.send()
    await waitForExchangeEnd(told)
    expect(told).toMatchObject({ body: 'abc'.repeat(100), parts: 1 })
  })

  it('reads an answer at every split on the wire', async () => {
    await lab.begin()
    const text = 'HTTP/1.1 200 OK\r\nx: y\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nt: u\r\n\r\n'
    for (let at = 1; at < text.length; at += 3) {
      lab.answer = (_seen, socket) => {
        socket.setNoDelay(true)
        socket.write(text.slice(0, at), () => setTimeout(() => socket.write(text.slice(at)), 1))
      }
      const told = lab.send()
      await waitForExchangeEnd(told)
      expect([at, told.end, told.body]).toEqual([at, 'ended', 'abcde'])
    }
    expect(lab.connections).toBe(1)
  })

  it.each([
    ['garbage after the end', `${formatHttpJson(1)}HTTP/1.1 200 OK\r\n`],
    ['connection: close', formatHttpJson(1, 200, 'connection: close\r\n')],
    ['a keep-alive of one second', formatHttpJson(1, 200, 'keep-alive: timeout=1\r\n')],
  ])('%s: the connection is not used again', async (_name, text) => {
    await lab.begin()
    lab.answer = (_seen, socket) => {
      socket.write(text)
    }
    for (let i = 0; i < 3; i++) {
      const told = lab.send()
      await waitForExchangeEnd(told)
      expect(told).toMatchObject({ end: 'ended', body: '1' })
    }
    expect(lab.connections).toBe(3)
  })

  it('garbage on an idle connection closes it', async () => {
    await lab.begin()
    let last: Socket | undefined
    lab.answer = (_seen, socket) => {
      last = socket
      socket.write(formatHttpJson(1))
    }
    await waitForExchangeEnd(lab.send())
    let closed = false
    last!.on('close', () => {
      closed = true
    })
    last!.write('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nbad')
    await waitForCondition(() => closed)
    const told = lab.send()
    await waitForExchangeEnd(told)
    expect(told.body).toBe('1')
    expect(lab.connections).toBe(2)
  })

  it('an answer that ends with the connection is whole, and one that is cut fails', async () => {
    await lab.begin()
    lab.answer = (_seen, socket) => {
      socket.end('HTTP/1.1 200 OK\r\n\r\nhello')
    }
    const whole = lab.send()
    await waitForExchangeEnd(whole)
    expect(whole).toMatchObject({ end: 'ended', body: 'hello' })
    for (const text of [
      '',
      'HTTP/1.1 20',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n',
    ]) {
      for (const how of ['end', 'reset'] as const) {
        lab.answer = (_seen, socket) => {
          if (how === 'end') socket.end(text)
          else socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 5))
        }
        const cut = lab.send()
        await waitForExchangeEnd(cut)
        expect(cut.end).toBe('failed')
      }
    }
  })

  it('an abort closes the connection, and no callback follows', async () => {
    await lab.begin()
    lab.answer = (_seen, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nhello')
    }
    for (const when of ['head', 'data', 'later'] as const) {
      const told = lab.send()
      told.onTold = (what) => {
        if (what === when) told.exchange.abort()
      }
      await waitForCondition(() => told.status === 200)
      if (when === 'later') {
        await waitForCondition(() => told.body === 'hello')
        told.exchange.abort()
      }
      await waitForCondition(() => lab.server.seen.at(-1)!.closed)
      expect(told).toMatchObject({ end: 'open', body: when === 'head' ? '' : 'hello' })
      told.exchange.pause()
      told.exchange.resume()
      told.exchange.abort()
    }
    const early = lab.send()
    early.exchange.abort()
    await sleep(20)
    expect(early).toMatchObject({ end: 'open', status: 0 })
  })

  it('a pause stops the server, and an old pause does not stop the next call', async () => {
    await lab.begin()
    const part = Buffer.alloc(262_144, 120)
    let sent = 0
    lab.answer = (_seen, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${part.length * 64}\r\n\r\n`)
      const more = (): void => {
        while (sent < 64) {
          sent++
          if (!socket.write(part)) {
            socket.once('drain', more)
            return
          }
        }
      }
      more()
    }
    const told = lab.send()
    told.onTold = (what) => {
      if (what === 'head') told.exchange.pause()
    }
    await waitForCondition(() => told.status === 200)
    await sleep(100)
    expect(sent).toBeLessThan(60)
    expect(told.body.length).toBeLessThanOrEqual(65_536)
    told.exchange.resume()
    await waitForExchangeEnd(told)
    expect(told.body.length).toBe(part.length * 64)
    lab.answer = (_seen, socket) => {
      socket.write(formatHttpJson(1))
    }
    const next = lab.send()
    told.exchange.pause()
    told.exchange.abort()
    await waitForExchangeEnd(next)
    expect(next).toMatchObject({ end: 'ended', body: '1' })
    expect(lab.connections).toBe(1)
  })

  it('a call that pauses at its very end leaves a connection that reads', async () => {
    await lab.begin()
    lab.answer = (_seen, socket) => {
      socket.write(formatHttpJson(1))
    }
    const told = lab.send()
    told.onTold = (what) => {
      if (what === 'data') told.exchange.pause()
    }
    await waitForExchangeEnd(told)
    const next = lab.send()
    await waitForExchangeEnd(next)
    expect(next.body).toBe('1')
    expect(lab.connections).toBe(1)
  })

  it('an answer before the end of a large request: the connection is not used again', async () => {
    await lab.begin()
    const early = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.pause()
        socket.write(formatHttpJson({ error: 1 }, 413))
      })
      lab.closers.push(() => socket.destroy())
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => early.once('listening', resolve))
    lab.closers.push(() => early.close())
    const origin = `http://127.0.0.1:${(early.address() as AddressInfo).port}`
    for (let i = 0; i < 2; i++) {
      const told = lab.send('/', { origin, body: Buffer.alloc(32 * 1024 * 1024) })
      await waitForExchangeEnd(told)
      expect(told).toMatchObject({ status: 413, end: 'ended' })
    }
  })

  it('idle connections are closed after their time', async () => {
    await lab.begin({ idleMs: 60 })
    let closed = false
    lab.answer = (_seen, socket) => {
      socket.on('close', () => {
        closed = true
      })
      socket.write(formatHttpJson(1))
    }
    await waitForExchangeEnd(lab.send())
    await waitForCondition(() => closed)
  })

  it('warm opens connections before the first request, and a stale one fails no request', async () => {
    await lab.begin()
    const { server } = lab
    let opened = 0
    const sockets: Socket[] = []
    const raw = createServer((socket) => {
      opened++
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.on('data', () => socket.write(formatHttpJson(1)))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => raw.once('listening', resolve))
    lab.closers.push(
      () => raw.close(),
      () => sockets.forEach((socket) => socket.destroy()),
    )
    const origin = `http://127.0.0.1:${(raw.address() as AddressInfo).port}`
    lab.client.warm!(origin, 3)
    await waitForCondition(() => opened === 3)
    // A repeated request counts existing connections.
    lab.client.warm!(origin, 3)
    for (let i = 0; i < 5; i++) await waitForExchangeEnd(lab.send('/', { origin }))
    expect(opened).toBe(3)
    expect(server.seen).toEqual([])
    lab.client.warm!(origin, 4)
    await waitForCondition(() => opened === 4)
    for (const socket of sockets) socket.destroy()
    const told = lab.send('/', { origin })
    await waitForExchangeEnd(told)
    expect(told.end).toBe('ended')
  })

  it('refuses a request or an answer that is not HTTP', async () => {
    await lab.begin()
    expect(() => lab.send('/ x')).toThrow(TypeError)
    expect(() => lab.send('/', { origin: 'ftp://x' })).toThrow(TypeError)
    lab.answer = (_seen, socket) => {
      socket.write('SSH-2.0-x\r\n\r\n')
    }
    const told = lab.send()
    await waitForExchangeEnd(told)
    expect(told).toMatchObject({ end: 'failed', error: 'not HTTP: malformed status line' })
  })
})
