import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import type { WebSocket } from 'ws'
import { TEST_KEY } from '../testing/fake-deps.ts'
import { openLab, rawSocket, waitForCondition } from '../testing/lab.ts'
import { createHub } from './hub.ts'
import { openPipe } from './pipe.ts'
import { sendFrame } from './send-frames.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A fake socket that records its calls. */
function aSocket() {
  const done: string[] = []
  const note = (what: string) => () => void done.push(what)
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    pause: note('pause'),
    resume: note('resume'),
    ping: note('ping'),
    terminate: note('terminate'),
    close: note('close'),
    sent: [] as { frame: Buffer; left: (() => void) | undefined }[],
    send(frame: Buffer, _options: object, left?: () => void) {
      this.sent.push({ frame, left })
    },
  })
  return { done, socket: socket as typeof socket & WebSocket }
}

test('frames are taken one after the other; a faster sender is paused, and resumed when all are taken', async () => {
  const { done, socket } = aSocket()
  const taken: string[] = []
  let go = (): void => undefined
  const { feed } = openPipe(
    socket,
    (frame) => {
      taken.push(frame.toString())
      if (taken.length === 1) return new Promise<void>((resolve) => (go = resolve))
    },
    () => undefined,
  )
  for (let n = 0; n < 30; n++) feed(Buffer.from(String(n)), false)
  expect(taken).toEqual(['0'])
  expect(done).toEqual(['pause'])
  go()
  await vi.waitFor(() => expect(taken).toHaveLength(30), { timeout: PATIENCE_MS })
  expect(taken.map(Number)).toEqual(Array.from({ length: 30 }, (_, n) => n))
  expect(done).toEqual(['pause', 'resume'])
})

test('a frame that fails ends the pipe: no frame after it is taken, and queued work still runs', async () => {
  const { socket } = aSocket()
  const taken: string[] = []
  const failed: unknown[] = []
  const { feed, inTurn } = openPipe(
    socket,
    (frame) => {
      taken.push(frame.toString())
      throw new Error('no')
    },
    (error) => failed.push(error),
  )
  feed(Buffer.from('a'), false)
  feed(Buffer.from('b'), false)
  inTurn(() => void taken.push('the end'))
  await vi.waitFor(() => expect(failed).toHaveLength(1), { timeout: PATIENCE_MS })
  feed(Buffer.from('c'), false)
  await vi.waitFor(() => expect(taken).toEqual(['a', 'the end']), { timeout: PATIENCE_MS })
})

test('a slow reader holds up its writer until the frame has left', async () => {
  const { socket } = aSocket()
  expect(sendFrame(socket, Buffer.alloc(10), false)).toBeUndefined()
  Object.assign(socket, { bufferedAmount: 300_000 })
  let left = false
  const waiting = sendFrame(socket, Buffer.alloc(10), false)!.then(() => (left = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(left).toBe(false)
  socket.sent[1]!.left!()
  await waiting
})

test('a client that answers no pings is cut after the third; a pong or a message keeps it alive', () => {
  vi.useFakeTimers()
  const silent = aSocket()
  const alive = aSocket()
  const hub = createHub()
  for (const { socket } of [silent, alive]) hub.add({ socket, look: () => undefined, drain: () => undefined, isOver: () => true })
  expect(hub.sessions()).toBe(2)
  for (let n = 0; n < 4; n++) {
    vi.advanceTimersByTime(30_500)
    alive.socket.emit(n % 2 ? 'pong' : 'message')
  }
  expect(silent.done.filter((what) => what !== 'ping')).toContain('terminate')
  expect(alive.done).not.toContain('terminate')
  silent.socket.emit('close')
  alive.socket.emit('close')
  expect(hub.sessions()).toBe(0)
})

test('a session whose client has left counts until it is over', () => {
  vi.useFakeTimers()
  const { socket } = aSocket()
  const hub = createHub()
  let isOver = false
  hub.add({ socket, look: () => undefined, drain: () => undefined, isOver: () => isOver })
  socket.emit('close')
  vi.advanceTimersByTime(5_000)
  expect(hub.sessions()).toBe(1)
  isOver = true
  vi.advanceTimersByTime(500)
  expect(hub.sessions()).toBe(0)
})

test('an account has as many sockets as it may, its handshakes among them; one that closes makes room', () => {
  const hub = createHub()
  const sockets = Array.from({ length: 200 }, () => new PassThrough())
  expect(sockets.map((socket) => hub.enter(7n, socket))).not.toContain(false)
  expect([hub.enter(7n, new PassThrough()), hub.enter(8n, new PassThrough())]).toEqual([false, true])
  sockets[0]!.emit('close')
  expect([hub.enter(7n, new PassThrough()), hub.enter(7n, new PassThrough())]).toEqual([true, false])
})

test('half-closed sockets, unmasked frames and invalid handshakes are closed or refused, and the server survives', async () => {
  const lab = await openLab()
  try {
    const handshake = (version: string) =>
      `GET /v1/responses HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: ${version}\r\nsec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\nauthorization: Bearer ${TEST_KEY}\r\n\r\n`
    const talk = (text: string, then: (socket: ReturnType<typeof rawSocket>) => void) => {
      const socket = rawSocket(lab)
      const got: Buffer[] = []
      socket.on('data', (data: Buffer) => got.push(data))
      socket.write(text)
      const opened = waitForCondition(() => got.length > 0).then(() => then(socket))
      return opened.then(() => waitForCondition(() => socket.closed)).then(() => Buffer.concat(got))
    }
    expect((await talk(handshake('13'), (socket) => socket.end())).toString('latin1')).toMatch(/^HTTP\/1\.1 101 /)
    // A client's frame without a mask is 1002.
    const unmasked = await talk(handshake('13'), (socket) => socket.write(Buffer.from([0x81, 2, 0x7b, 0x7d])))
    expect(unmasked.subarray(-4).includes(Buffer.from([0x03, 0xea]))).toBe(true)
    expect((await talk(handshake('7'), () => undefined)).toString()).toMatch(/^HTTP\/1\.1 400 [^]*"error":\{"message":"This is no WebSocket handshake/)
    await expect(lab.relay.drain(2_000)).resolves.toBeUndefined()
  } finally {
    await lab.close()
  }
})
