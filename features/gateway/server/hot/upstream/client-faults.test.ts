import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { clientLab as lab } from '../testing/client-lab.ts'
import { formatHttpJson } from '../testing/fake-upstream.ts'
import { sleep, waitForCondition } from '../testing/lab.ts'
import { waitForExchangeEnd } from '../testing/recorded-exchange.ts'

afterEach(() => lab.close())

describe('the upstream client when its server fails', () => {
  it('a call on a kept connection that its server closed is sent once more, even if noticed while writing', async () => {
    await lab.begin()
    let last: Socket | undefined
    lab.answer = (_seen, socket) => {
      last = socket
      socket.write(formatHttpJson(1))
    }
    await waitForExchangeEnd(lab.send())
    last!.end()
    await sleep(20)
    const first = lab.send()
    await waitForExchangeEnd(first)
    expect(first.end).toBe('ended')
    // Closed as our next request arrives, without a byte of an answer.
    for (const how of ['end', 'reset'] as const) {
      let refused = false
      lab.answer = (_seen, socket) => {
        if (refused) {
          socket.write(formatHttpJson(2))
          return
        }
        refused = true
        if (how === 'end') socket.end()
        else socket.resetAndDestroy()
      }
      const told = lab.send()
      await waitForExchangeEnd(told)
      expect(told).toMatchObject({ end: 'ended', body: '2' })
    }
  })

  it('does not resend after a byte, on a fresh connection, or a second time', async () => {
    await lab.begin()
    lab.answer = (_seen, socket) => {
      socket.write(formatHttpJson(1))
    }
    await waitForExchangeEnd(lab.send())
    lab.answer = (_seen, socket) => {
      socket.end('H')
    }
    const byte = lab.send()
    await waitForExchangeEnd(byte)
    expect(byte.end).toBe('failed')
    expect(lab.server.seen).toHaveLength(2)
    lab.answer = (_seen, socket) => {
      socket.end()
    }
    const fresh = lab.send()
    await waitForExchangeEnd(fresh)
    expect(fresh.end).toBe('failed')
    expect(lab.server.seen).toHaveLength(3)
    lab.answer = (_seen, socket) => {
      socket.write(formatHttpJson(1))
    }
    await waitForExchangeEnd(lab.send())
    lab.answer = (_seen, socket) => {
      socket.end()
    }
    const twice = lab.send()
    await waitForExchangeEnd(twice)
    expect(twice.end).toBe('failed')
    expect(lab.server.seen).toHaveLength(6)
  })

  it('a kept connection that fails late is not treated as stale', async () => {
    await lab.begin()
    lab.answer = (_seen, socket) => {
      socket.write(formatHttpJson(1))
    }
    await waitForExchangeEnd(lab.send())
    lab.answer = (_seen, socket) => {
      setTimeout(() => socket.end(), 1_100)
    }
    const late = lab.send()
    await waitForExchangeEnd(late)
    expect(late.end).toBe('failed')
    expect(lab.server.seen).toHaveLength(2)
  })

  it('waits for a head and for each part of a body only so long; a pause does not count', async () => {
    await lab.begin()
    lab.answer = (_seen, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ')
    }
    const slow = lab.send('/', { timeoutMs: 80 })
    await waitForExchangeEnd(slow)
    expect(slow.end).toBe('timed out')
    lab.answer = (_seen, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nhello')
    }
    const silent = lab.send('/', { timeoutMs: 80 })
    await waitForExchangeEnd(silent)
    expect(silent).toMatchObject({ end: 'timed out', body: 'hello' })
    const paused = lab.send('/', { timeoutMs: 80 })
    paused.onTold = () => paused.exchange.pause()
    await sleep(300)
    expect(paused.end).toBe('open')
    paused.exchange.resume()
    await waitForExchangeEnd(paused)
    expect(paused.end).toBe('timed out')
    lab.answer = (_seen, socket) => {
      let parts = 0
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n')
      const timer = setInterval(() => {
        socket.write('x')
        if (++parts === 12) clearInterval(timer)
      }, 50)
    }
    const steady = lab.send('/', { timeoutMs: 400 })
    await waitForExchangeEnd(steady)
    expect(steady).toMatchObject({ end: 'ended', body: 'x'.repeat(12) })
  })

  it('a head that trickles times out', async () => {
    await lab.begin()
    lab.answer = (_seen, socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 200 OK\r\n'.slice(0, 1)), 20)
      socket.on('close', () => clearInterval(timer))
    }
    const told = lab.send('/', { timeoutMs: 150 })
    await waitForExchangeEnd(told)
    expect(told.end).toBe('timed out')
  })

  it('a fault of the handler ends its own call', async () => {
    await lab.begin()
    lab.answer = (_seen, socket) => {
      socket.write(formatHttpJson(1))
    }
    for (const where of ['head', 'data']) {
      const told = lab.send()
      told.onTold = (what) => {
        if (what === where) throw new Error('a fault')
      }
      await waitForExchangeEnd(told)
      expect(told).toMatchObject({ end: 'failed', error: 'a fault' })
    }
    const next = lab.send()
    await waitForExchangeEnd(next)
    expect(next.end).toBe('ended')
  })

  it('waits for the head and for the bytes after it, each with its own timeout', async () => {
    await lab.begin()
    lab.answer = (seen, socket) => {
      if (seen.path === '/never') return
      setTimeout(() => socket.write('HTTP/1.1 200 X\r\ncontent-length: 9\r\n\r\na'), 150)
    }
    const [never, slow] = [lab.send('/never', { timeoutMs: 60, betweenMs: 5_000 }), lab.send('/', { timeoutMs: 2_000, betweenMs: 60 })]
    await waitForExchangeEnd(never)
    await waitForExchangeEnd(slow)
    expect([never.end, never.status, slow.end, slow.body]).toEqual(['timed out', 0, 'timed out', 'a'])
  })

  it('a call fails without a connection, a free connection or a host name, and after close', async () => {
    await lab.begin({ connections: 1 })
    const none = lab.send('/', { origin: 'http://127.0.0.1:1' })
    await waitForExchangeEnd(none)
    expect(none.end).toBe('failed')
    const name = lab.send('/', { origin: 'http://no-such-host.invalid' })
    await waitForCondition(() => name.end !== 'open')
    expect(name.end).toBe('failed')
    const holder = lab.send()
    const waiter = lab.send('/', { timeoutMs: 60 })
    await waitForExchangeEnd(waiter)
    expect([holder.end, waiter.end]).toEqual(['open', 'timed out'])
    const queued = lab.send()
    await lab.client.close()
    expect([holder.end, queued.end]).toEqual(['failed', 'failed'])
    expect(() => lab.send()).toThrow('closed')
  })

  it('a connection that does not open in time is given up', async () => {
    await lab.begin({ connectMs: 80 })
    // A full backlog: the system accepts no further connection.
    const stuck = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 })
    await new Promise((resolve) => stuck.once('listening', resolve))
    lab.closers.push(() => stuck.close())
    const tls = lab.send('/', { origin: `https://127.0.0.1:${(stuck.address() as AddressInfo).port}` })
    stuck.on('connection', (socket) => {
      lab.closers.push(() => socket.destroy())
    })
    await waitForExchangeEnd(tls)
    expect(tls).toMatchObject({ end: 'failed' })
    expect(tls.error).toContain('in time')
  })
})
