import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** Request that reached the upstream, as on the wire. */
export interface CapturedRequest {
  readonly head: string
  readonly body: string
  readonly path: string
  closed: boolean
}

export interface FakeUpstream {
  readonly origin: string
  readonly seen: CapturedRequest[]
  /** Answers each request; write raw HTTP on the socket. */
  answer: (seen: CapturedRequest, socket: Socket) => void
  close(): Promise<void>
}

/** A raw TCP server that speaks just enough HTTP, so that a test can be arbitrarily invalid. */
export async function startFakeUpstream(): Promise<FakeUpstream> {
  const sockets = new Set<Socket>()
  const upstream: FakeUpstream = {
    origin: '',
    seen: [],
    answer: (_seen, socket) => {
      socket.end()
    },
    close: async () => undefined,
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    let data: Buffer = Buffer.alloc(0)
    let current: CapturedRequest | undefined
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      if (current !== undefined) current.closed = true
    })
    socket.on('data', (chunk: Buffer) => {
      data = Buffer.concat([data, chunk])
      for (;;) {
        const end = data.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = data.subarray(0, end).toString('latin1')
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (data.length < end + 4 + length) return
        current = { head, body: data.subarray(end + 4, end + 4 + length).toString(), path: head.split(' ')[1] ?? '', closed: false }
        data = data.subarray(end + 4 + length)
        upstream.seen.push(current)
        upstream.answer(current, socket)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(upstream, {
    origin,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  })
}

export function formatHttpJson(value: unknown, status = 200, headers = ''): string {
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  return `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

export const SSE_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nx-request-id: vendor-1\r\ntransfer-encoding: chunked\r\n'

export function formatHttpChunk(text: string): string {
  return text === '' ? '' : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

/** A complete SSE answer, sent in the transcript's pieces. */
export function formatHttpEvents(transcript: string, pieces = 1, headers = ''): string {
  const size = Math.ceil(transcript.length / pieces)
  let out = `${SSE_HEAD}${headers}\r\n`
  for (let from = 0; from < transcript.length; from += size) out += formatHttpChunk(transcript.slice(from, from + size))
  return `${out}0\r\n\r\n`
}
