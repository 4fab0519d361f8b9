import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createBodyMemory } from '../body/memory.ts'
import type { ApiKey } from '../deps.ts'
import { ALL_DIALECTS, TEST_KEY } from '../testing/fake-deps.ts'
import { openLab, waitForCondition } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { openRoom } from './room.ts'

const MB = 1024 * 1024
let lab: Lab | undefined
const open: WebSocket[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const socket of open.splice(0)) socket.terminate()
  await lab?.close()
  lab = undefined
})

test('an account opens 200 sockets and no more, its handshakes that wait for money among them', async () => {
  const here = await openLab({ model: { dialects: new Set([...ALL_DIALECTS, 'openai-realtime']) } })
  lab = here
  let asked = 0
  let refused = 0
  here.deps.journal.admit = () => {
    asked++
    return new Promise(() => undefined)
  }
  const connect = (): void => {
    const socket = new WebSocket(`ws://127.0.0.1:${here.port}/v1/realtime?model=m`, { headers: { authorization: `Bearer ${TEST_KEY}` } })
    socket.on('error', () => refused++)
    open.push(socket)
  }
  for (let n = 0; n < 260; n++) connect()
  await waitForCondition(() => asked + refused === 260)
  expect(asked).toBe(200)
})

describe('large frames are walked over as bodies are', () => {
  const many = (names: number): string =>
    `{"type":"response.create","model":"m","input":[{${Array.from({ length: names }, (_, at) => `"k${at}":0`).join(',')}}]}`
  test.each([
    ['an object of too many fields', many(8_200), 'more than the 8192 fields'],
    ['a frame cut before its end', many(8_000).slice(0, -3), 'ends before its object does'],
    ['a well-formed frame of unknown type', `{"type":"nonsense","a":"${'x'.repeat(40_000)}"}`, 'Unknown event type'],
  ])('%s: the reason is sent, and the connection stays open', async (_, text, reason) => {
    const here = (lab = await openLab({}))
    const socket = new WebSocket(`ws://127.0.0.1:${here.port}/v1/responses`, { headers: { authorization: `Bearer ${TEST_KEY}` } })
    open.push(socket)
    const heard: string[] = []
    socket.on('message', (data: Buffer) => heard.push(data.toString()))
    await new Promise((done, failed) => socket.on('open', done).on('error', failed))
    socket.send(text)
    // Sent after it, and answered after it.
    socket.send('{"type":"second"}')
    await waitForCondition(() => heard.length === 2)
    expect(heard[0]).toContain(reason)
    expect(heard[1]).toContain('`second`')
  })
})

describe('frames take room of the memory for bodies', () => {
  interface Client {
    readonly socket: WebSocket
    readonly heard: string[]
    closed: number
    send(data: Buffer, fin: boolean): Promise<void>
  }
  async function connect(to: Lab, path = '/v1/responses'): Promise<Client> {
    const socket = new WebSocket(`ws://127.0.0.1:${to.port}${path}`, { headers: { authorization: `Bearer ${TEST_KEY}` } })
    open.push(socket)
    const send = (data: Buffer, fin: boolean): Promise<void> => new Promise((done) => socket.send(data, { fin, binary: false }, () => done()))
    const client: Client = { socket, heard: [], closed: 0, send }
    socket.on('message', (data: Buffer) => client.heard.push(data.toString()))
    socket.on('close', (code) => (client.closed = code))
    await new Promise((done, failed) => socket.on('open', done).on('error', failed))
    socket.on('error', () => undefined)
    return client
  }
  const spaces = (bytes: number): Buffer => Buffer.alloc(bytes, 32)

  test.each(['/v1/responses', `/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent`])(
    'a partial frame counts as it arrives: of twelve at once, those with room continue (%s)',
    async (path) => {
      const here = (lab = await openLab({ limits: { bodyBytes: 4 * MB, bodiesBytes: 16 * MB } }))
      const clients: Client[] = []
      for (let n = 0; n < 12; n++) {
        const client = await connect(here, path)
        clients.push(client)
        void client.send(spaces(3 * MB), false)
      }
      await waitForCondition(() => clients.filter(({ closed }) => closed > 0).length >= 11)
      // Memory for all of one request, or for none if others hold part of it.
      expect(clients.filter(({ closed }) => closed === 0).length).toBeLessThanOrEqual(1)
      // All of it is released.
      for (const { socket } of clients) socket.terminate()
      const last = await connect(here)
      await last.send(spaces(3 * MB), false)
      await last.send(Buffer.from('{}'), true)
      await waitForCondition(() => last.heard.length === 1)
      expect(last.heard[0]).toContain('invalid_json')
      await last.send(spaces(3 * MB), true)
      await waitForCondition(() => last.heard.length === 2)
      expect(last.closed).toBe(0)
    },
  )

  test('frames that wait for their turn count too, and give their room back when it comes', async () => {
    const here = (lab = await openLab({ limits: { bodyBytes: MB, bodiesBytes: 4 * MB } }))
    const answers: (() => void)[] = []
    here.upstream.answer = (_seen, socket) => void answers.push(() => socket.end('HTTP/1.1 400 x\r\ncontent-length: 0\r\n\r\n'))
    const create = Buffer.from(JSON.stringify({ type: 'response.create', model: 'm', input: 'x'.repeat(60_000) }))
    const client = await connect(here)
    // One megabyte holds seventeen frames: one runs, and reserves memory as a call.
    await client.send(create, true)
    await waitForCondition(() => answers.length === 1)
    for (let n = 0; n < 17; n++) await client.send(create, true)
    await waitForCondition(() => client.heard.length === 1)
    expect(client.heard[0]).toContain('rate_limit_exceeded')
    await waitForCondition(() => {
      answers.shift()?.()
      return client.heard.length === 18 && here.relay.openCalls() === 0
    })
    for (let n = 0; n < 17; n++) await client.send(create, true)
    await waitForCondition(() => answers.length === 1)
    expect(client.heard).toHaveLength(18)
  })

  test('a frame that takes too long ends its socket; a whole frame does not', async () => {
    const here = (lab = await openLab({ limits: { bodyMs: 2_000 } }))
    const quick = await connect(here)
    await quick.send(spaces(200_000), true)
    await waitForCondition(() => quick.heard.length === 1)
    const slow = await connect(here)
    await slow.send(spaces(200_000), false)
    await waitForCondition(() => slow.closed === 1008)
    expect(quick.closed).toBe(0)
  })

  test('a room counts parts of a frame, not pings, and frees them once the frame is whole', () => {
    vi.useFakeTimers()
    const bodies = createBodyMemory(4 * MB)
    const bytes = new PassThrough()
    const said: unknown[] = []
    const socket = Object.assign(new EventEmitter(), {
      isPaused: false,
      pause: () => undefined,
      terminate: () => undefined,
      close: (code: number) => void said.push(code),
    })
    const room = openRoom(socket as unknown as WebSocket, bytes, { bodies, key: { accountId: 1n } as ApiKey, bodyMs: 1_000 })
    const came = (size: number): void => void bytes.emit('data', Buffer.alloc(size))
    for (let n = 0; n < 10_000; n++) {
      came(26)
      socket.emit(n % 2 ? 'ping' : 'pong', Buffer.alloc(20))
    }
    expect(bodies.used).toBe(0)
    for (let n = 0; n < 8; n++) came(65_536)
    expect(bodies.used).toBe(8 * 65_536)
    expect(room.wait(100_000)).toBe(true)
    expect(bodies.used).toBe(8 * 65_536 + 100_000)
    socket.emit('message', Buffer.alloc(7 * 65_536 + 1_000))
    expect(bodies.used).toBe(100_000)
    expect(room.wait(2 * MB)).toBe(false)
    expect([room.wait(0), bodies.used]).toEqual([true, 0])
    came(65_536)
    came(65_536)
    socket.isPaused = true
    vi.advanceTimersByTime(1_500)
    expect(said).toEqual([])
    socket.isPaused = false
    vi.advanceTimersByTime(1_000)
    expect(said).toEqual([1008])
    socket.emit('close')
    expect([bodies.used, bodies.byAccount.size]).toEqual([0, 0])
  })
})
