import { describe, expect, it } from 'vitest'
import type { UpstreamRequest } from '../deps.ts'
import { parseResponseHead, serializeRequest } from './message.ts'

const request = (over: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  origin: 'http://x',
  path: '/v1/x',
  headers: ['a', 'b'],
  body: Buffer.from('{}'),
  timeoutMs: 1,
  ...over,
})

describe('request and head on the wire', () => {
  it('a request is one piece, a large one two', () => {
    expect(Buffer.concat(serializeRequest(request(), 'x:1')).toString()).toBe(
      'POST /v1/x HTTP/1.1\r\nhost: x:1\r\nconnection: keep-alive\r\na: b\r\ncontent-length: 2\r\n\r\n{}',
    )
    expect(serializeRequest(request(), 'x')).toHaveLength(1)
    const body = Buffer.alloc(100_000, 120)
    const pieces = serializeRequest(request({ body, headers: ['a', '\xe9'] }), 'x')
    expect(pieces).toHaveLength(2)
    expect(pieces[1]).toBe(body)
    expect(pieces[0]!.includes(0xe9)).toBe(true)
  })

  it.each([
    ['a path', { path: '/v1/x HTTP/1.1\r\nhost: evil' }],
    ['a path with a space', { path: '/a b' }],
    ['an empty path', { path: '' }],
    ['a value', { headers: ['a', 'b\r\nx: y'] }],
    ['a value with a zero', { headers: ['a', '\0'] }],
    ['a wide value', { headers: ['a', '你'] }],
    ['a name', { headers: ['a b', 'c'] }],
    ['no name', { headers: ['', 'c'] }],
    ['a name with a line end', { headers: ['a:\r\n', 'c'] }],
  ])('%s that would break the head is refused', (_name, over) => {
    expect(() => serializeRequest(request(over), 'x')).toThrow(TypeError)
  })

  it('parses headers by lower-case name, repeated ones as a list, without a prototype in the way', () => {
    const head = parseResponseHead(
      'HTTP/1.1 200 OK\r\nX-One:  1 \r\nset-cookie: a\r\nSet-Cookie: b\r\nset-cookie: c\r\n__proto__: x\r\nconstructor: y\r\nempty:\r\nkeep-alive: timeout=5, max=9',
    )
    if (typeof head === 'string') throw new Error(head)
    expect(Object.entries(head.headers)).toEqual([
      ['x-one', '1'],
      ['set-cookie', ['a', 'b', 'c']],
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['empty', ''],
      ['keep-alive', 'timeout=5, max=9'],
    ])
    expect(head).toMatchObject({ status: 200, body: 'close', keepAlive: false, keepAliveSeconds: 5 })
    expect(head.headers['toString']).toBeUndefined()
  })

  it.each([
    ['no colon', 'abc'],
    ['a colon on the next line only', 'abc\r\nd: e'],
    ['no name', ': b'],
    ['a space in a name', 'a : b'],
    ['a folded line', 'a: b\r\n c: d'],
    ['a NUL', 'a: \0'],
    ['a bare CR', 'a: b\rc: d'],
    ['a bare LF', 'a: b\nc: d'],
  ])('%s is no header field', (_name, fields) => {
    expect(parseResponseHead(`HTTP/1.1 200 OK\r\n${fields}`)).toBe('malformed header field')
  })

  it.each([
    ['', true],
    ['connection: keep-alive\r\n', true],
    ['connection: x, Close\r\n', false],
    ['connection: x\r\nconnection: close\r\n', false],
  ])('with %j a connection is kept: %s', (fields, kept) => {
    expect(parseResponseHead(`HTTP/1.1 200 OK\r\n${fields}content-length: 1`)).toMatchObject({ keepAlive: kept })
    expect(parseResponseHead(`HTTP/1.0 200 OK\r\n${fields}content-length: 1`)).toMatchObject({ keepAlive: fields.includes('keep-alive') })
  })
})
