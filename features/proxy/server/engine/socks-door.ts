import type { Socket } from 'node:net'
import { DialRefused } from './dial.ts'
import type { RefusalCause } from './dial.ts'
import { hangUp } from './hang-up.ts'
import { GREETING_MS } from './proxy-core.ts'
import type { ProxyCore } from './proxy-core.ts'
import { spliceTunnel } from './pump.ts'

/** SOCKS5 (RFC 1928) with user name and password (RFC 1929), CONNECT only. */
const VERSION = 5
const WITH_PASSWORD = 2
const NO_METHOD = 0xff
const CONNECT = 1

const ANSWER: Readonly<Record<RefusalCause, number>> = { port: 2, address: 2, unknown: 4, down: 5, limit: 1, spent: 2 }
const buildReply = (code: number) => Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0])

interface Reader {
  /** The next `count` bytes; rejects when the client goes. */
  take(count: number): Promise<Buffer>
  /** Gives the socket back, with what was read too far. */
  leave(): void
}

/** Reads only as many bytes as requested; the rest stays in the network (backpressure). */
function createByteReader(socket: Socket, early: Buffer): Reader {
  let kept = early
  let waiting: { count: number; done: (bytes: Buffer) => void; failed: (error: Error) => void } | undefined
  const serve = () => {
    if (!waiting || kept.length < waiting.count) return
    const { count, done } = waiting
    waiting = undefined
    const bytes = kept.subarray(0, count)
    kept = kept.subarray(count)
    done(bytes)
  }
  const read = (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk])
    serve()
    if (!waiting) socket.pause()
  }
  const gone = () => waiting?.failed(new Error('gone'))
  socket.on('data', read).once('close', gone)
  return {
    take: (count) =>
      new Promise((done, failed) => {
        if (socket.destroyed) return failed(new Error('gone'))
        waiting = { count, done, failed }
        serve()
        if (waiting) socket.resume()
      }),
    leave: () => {
      socket.off('data', read).off('close', gone).pause()
      if (kept.length) socket.unshift(kept)
    },
  }
}

export async function handleSocks(house: ProxyCore, socket: Socket, early: Buffer): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), GREETING_MS)
  const reader = createByteReader(socket, early)
  try {
    const guest = await negotiateGuest(house, socket, reader)
    if (!guest) return
    const [, command = 0, , kind = 0] = await reader.take(4)
    const host = await readHost(reader, kind)
    const port = (await reader.take(2)).readUInt16BE(0)
    if (command !== CONNECT || host === undefined) return hangUp(socket, buildReply(command === CONNECT ? 8 : 7))
    try {
      const target = await house.reach(guest, host, port)
      reader.leave()
      socket.write(buildReply(0))
      spliceTunnel(socket, target, guest)
    } catch (error) {
      hangUp(socket, buildReply(error instanceof DialRefused ? ANSWER[error.refusal] : 1))
    }
  } finally {
    clearTimeout(timer)
  }
}

async function negotiateGuest(house: ProxyCore, socket: Socket, reader: Reader) {
  const [, methods = 0] = await reader.take(2)
  if (!(await reader.take(methods)).includes(WITH_PASSWORD)) return hangUp(socket, Buffer.from([VERSION, NO_METHOD]))
  socket.write(Buffer.from([VERSION, WITH_PASSWORD]))
  const [, nameLength = 0] = await reader.take(2)
  const username = (await reader.take(nameLength)).toString('utf8')
  const [passwordLength = 0] = await reader.take(1)
  const password = (await reader.take(passwordLength)).toString('utf8')
  const guest = await house.enter({ username, password }, socket.remoteAddress ?? '')
  if (!guest || guest === 'wait') return hangUp(socket, Buffer.from([1, 1]))
  socket.write(Buffer.from([1, 0]))
  return guest
}

async function readHost(reader: Reader, kind: number): Promise<string | undefined> {
  if (kind === 1) return [...(await reader.take(4))].join('.')
  if (kind === 3) return (await reader.take((await reader.take(1))[0]!)).toString('latin1')
  if (kind === 4) return ((await reader.take(16)).toString('hex').match(/.{4}/g) ?? []).join(':')
  return undefined
}
