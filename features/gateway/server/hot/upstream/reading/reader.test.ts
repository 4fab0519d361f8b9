import { describe, expect, it } from 'vitest'
import { endReaderInput, expectResponse, feedReader, createResponseReader, ignoreInput } from './reader.ts'
import type { ResponseReader } from './reader.ts'

interface Read {
  status: number
  body: string
  ended: 'no' | 'reusable' | 'over'
  problem: string | undefined
  parts: number
  eof: boolean | undefined
}

/** Feeds the bytes in the given pieces, each through the same borrowed buffer, as a connection does. */
function read(pieces: readonly Buffer[], closes = false): Read {
  const seen: Read = { status: 0, body: '', ended: 'no', problem: undefined, parts: 0, eof: undefined }
  const bodies: Buffer[] = []
  const reader = createResponseReader({
    onHead: (head) => {
      seen.status = head.status
    },
    onData(data) {
      bodies.push(data)
      seen.parts++
    },
    onEnd: (reusable) => {
      seen.ended = reusable ? 'reusable' : 'over'
    },
  })
  const borrowed = Buffer.alloc(200_000)
  expectResponse(reader)
  for (const piece of pieces) {
    if (piece.length === 0) continue
    piece.copy(borrowed)
    seen.problem ??= feedReader(reader, borrowed, piece.length)
    borrowed.fill(0x58, 0, piece.length)
  }
  if (closes) seen.eof = endReaderInput(reader)
  seen.body = Buffer.concat(bodies).toString('latin1')
  return seen
}

const one = (text: string, closes = false): Read => read([Buffer.from(text, 'latin1')], closes)
const CHUNKED = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nTransfer-Encoding: Chunked\r\n\r\n'
const WHOLE: readonly [string, string, string, 'reusable' | 'over'][] = [
  ['length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello', 'reusable'],
  ['no body by length', 'HTTP/1.1 200 OK\r\nContent-Length: 00\r\n\r\n', '', 'reusable'],
  ['204', 'HTTP/1.1 204 No Content\r\nx: y\r\n\r\n', '', 'reusable'],
  ['304', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n', '', 'reusable'],
  ['no reason', 'HTTP/1.1 200\r\ncontent-length: 1\r\n\r\nx', 'x', 'reusable'],
  ['chunks', `${CHUNKED}5\r\nhello\r\n0A;ext="x"\r\n, world!!!\r\n1 \r\n\n\r\n0\r\n\r\n`, 'hello, world!!!\n', 'reusable'],
  ['trailers', `${CHUNKED}1\r\nx\r\n0\r\nx-one: 1\r\nx-two: 2\r\n\r\n`, 'x', 'reusable'],
  ['interim heads', `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${CHUNKED}1\r\nx\r\n0\r\n\r\n`, 'x', 'reusable'],
  ['asked to close', 'HTTP/1.1 200 OK\r\nconnection: x, Close\r\ncontent-length: 1\r\n\r\nx', 'x', 'over'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\nx', 'x', 'over'],
  ['HTTP/1.0 kept', 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\nx', 'x', 'reusable'],
  ['the same length twice', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\nx', 'x', 'reusable'],
]

describe('the response reader', () => {
  it.each(WHOLE)('%s: the same at every split in two and in single bytes', (_name, text, body, ended) => {
    const bytes = Buffer.from(text, 'latin1')
    for (let at = 0; at <= bytes.length; at++) {
      const seen = read([bytes.subarray(0, at), bytes.subarray(at)])
      expect([at, seen.body, seen.ended, seen.problem]).toEqual([at, body, ended, undefined])
    }
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toMatchObject({ body, ended, problem: undefined })
  })

  it.each(WHOLE)('%s: cut anywhere before its end it is not whole', (_name, text) => {
    const bytes = Buffer.from(text, 'latin1')
    for (let at = 0; at < bytes.length; at++) {
      const seen = read([bytes.subarray(0, at)], true)
      expect([at, seen.ended, seen.eof]).toEqual([at, 'no', false])
    }
  })

  it('reads many chunks, split in three', () => {
    let text = CHUNKED
    let body = ''
    for (let i = 1; i < 12; i++) {
      const data = 'x'.repeat(i * i)
      text += `${data.length.toString(16)}\r\n${data}\r\n`
      body += data
    }
    const bytes = Buffer.from(`${text}0\r\n\r\n`)
    for (let a = 0; a < bytes.length; a += 7)
      for (let b = a; b < bytes.length; b += 11)
        expect(read([bytes.subarray(0, a), bytes.subarray(a, b), bytes.subarray(b)])).toMatchObject({ body, ended: 'reusable' })
  })

  it('all chunks of one read are one call', () => {
    expect(one(`${CHUNKED}${'1\r\nx\r\n'.repeat(500)}0\r\n\r\n`)).toMatchObject({ body: 'x'.repeat(500), parts: 1 })
  })

  it('reads a body without a length until the connection closes', () => {
    const bytes = Buffer.from('HTTP/1.1 200 OK\r\n\r\nhello')
    for (let at = 0; at <= bytes.length; at++)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)], true)).toMatchObject({ body: 'hello', ended: 'over', eof: true })
  })

  it.each([
    ['after a length', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n\r\n'],
    ['after chunks', `${CHUNKED}1\r\nx\r\n0\r\n\r\nZ`],
  ])('garbage %s: the answer counts, the connection is not reused', (_name, text) => {
    expect(one(text)).toMatchObject({ body: 'x', ended: 'over', problem: undefined })
    const bytes = Buffer.from(text)
    const end = text.indexOf('x') + 1
    expect(
      read([bytes.subarray(0, text.includes('Chunked') ? bytes.length - 1 : end), bytes.subarray(text.includes('Chunked') ? bytes.length - 1 : end)]),
    ).toMatchObject({ body: 'x', ended: 'reusable', problem: 'bytes without a request' })
  })

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
    ['a strange status', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nx: a\r\n b\r\n\r\n'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\ncontent-length : 1\r\n\r\nx'],
    ['no colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
    ['a bare line end', 'HTTP/1.1 200 OK\r\nx: a\ncontent-length: 5\r\n\r\n'],
    ['a zero byte', 'HTTP/1.1 200 OK\r\nx: \0\r\n\r\n'],
    ['length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['other encodings', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    ['a length with a sign', 'HTTP/1.1 200 OK\r\ncontent-length: +1\r\n\r\nx'],
    ['a list of lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1, 1\r\n\r\nx'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`],
    ['a huge head', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`],
    ['interim heads without end', 'HTTP/1.1 100 Continue\r\nx: y\r\n\r\n'.repeat(4_000)],
    ['no chunk size', `${CHUNKED}\r\nx\r\n`],
    ['a strange chunk size', `${CHUNKED}0x1\r\nx\r\n`],
    ['a huge chunk size', `${CHUNKED}fffffffffffff\r\nx`],
    ['a chunk that is too long', `${CHUNKED}1\r\nxy\r\n0\r\n\r\n`],
    ['a chunk that ends with a line feed', `${CHUNKED}1\r\nx\n0\r\n\r\n`],
    ['a size that ends with a line feed', `${CHUNKED}1\nx\r\n0\r\n\r\n`],
    ['extensions without end', `${CHUNKED}1;${'x'.repeat(70_000)}`],
    ['trailers without end', `${CHUNKED}0\r\n${'x: y\r\n'.repeat(20_000)}`],
    ['a bare line end in trailers', `${CHUNKED}0\r\nx: y\n\r\n`],
  ])('refuses %s', (_name, text) => {
    const seen = one(text)
    expect(seen.problem).toBeTypeOf('string')
    expect(seen.ended).toBe('no')
    expect(
      read(
        text.length > 10_000 ? [Buffer.from(text.slice(0, 9_999)), Buffer.from(text.slice(9_999))] : [...Buffer.from(text)].map((byte) => Buffer.from([byte])),
      ).problem,
    ).toBeTypeOf('string')
  })

  it('data before a malformed chunk is delivered', () => {
    expect(one(`${CHUNKED}2\r\nok\r\nnonsense`)).toMatchObject({ body: 'ok', problem: 'malformed chunk size' })
  })

  it('stops within a call', () => {
    for (const where of ['onHead', 'onData'] as const) {
      const said: string[] = []
      const reader: ResponseReader = createResponseReader({
        onHead() {
          said.push('onHead')
          if (where === 'onHead') ignoreInput(reader)
        },
        onData() {
          said.push('onData')
          ignoreInput(reader)
        },
        onEnd() {
          said.push('onEnd')
        },
      })
      expectResponse(reader)
      const bytes = Buffer.from(`${CHUNKED}1\r\nx\r\n0\r\n\r\n`)
      expect(feedReader(reader, bytes, bytes.length)).toBeUndefined()
      expect(said.at(-1)).toBe(where)
    }
  })

  it('reads one response after the other, and nothing without a request', () => {
    const said: string[] = []
    const reader = createResponseReader({
      onHead: (head) => {
        said.push(String(head.status))
      },
      onData: (data) => {
        said.push(data.toString())
      },
      onEnd: () => {
        said.push('end')
      },
    })
    const bytes = Buffer.from('HTTP/1.1 201 OK\r\ncontent-length: 1\r\n\r\nx')
    for (let i = 0; i < 3; i++) {
      expectResponse(reader)
      expect(feedReader(reader, bytes, bytes.length)).toBeUndefined()
    }
    expect(said.join(' ')).toBe('201 x end 201 x end 201 x end')
    expect(feedReader(reader, bytes, bytes.length)).toBe('bytes without a request')
  })
})
