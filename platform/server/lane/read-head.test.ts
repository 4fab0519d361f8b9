import { describe, expect, test } from 'vitest'
import { readRequestHead } from './read-head.ts'

const read = (text: string) => readRequestHead(Buffer.from(text, 'latin1'))
const HEAD = 'POST /v1/chat?a=%20b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: Keep-Alive\r\nx-Odd: \t a  b\t \r\n\r\n'

test('a common head is returned unchanged, with its length', () => {
  expect(read(`${HEAD}{}POST`)).toEqual({
    method: 'POST',
    url: '/v1/chat?a=%20b',
    rawHeaders: ['Host', 'x', 'Content-Length', '2', 'Connection', 'Keep-Alive', 'x-Odd', 'a  b'],
    contentLength: 2,
    bytes: HEAD.length,
  })
  expect(read('GET /v1/models HTTP/1.1\r\nhost: x\r\nempty:\r\nlatin: \xa0\xe9\xa0\r\n\r\n')).toMatchObject({
    method: 'GET',
    contentLength: 0,
    rawHeaders: ['host', 'x', 'empty', '', 'latin', '\xa0\xe9\xa0'],
  })
})

describe('any other head is left to node:http', () => {
  const line = (text: string) => `${text}\r\nHost: x\r\n\r\n`
  const header = (text: string) => `POST / HTTP/1.1\r\nHost: x\r\n${text}\r\n\r\n`
  test.each([
    ['nothing', ''],
    ['a head that is not whole', HEAD.slice(0, -1)],
    ['line feeds alone', HEAD.replaceAll('\r\n', '\n')],
    ['an empty line first', `\r\n${HEAD}`],
    ['another method', line('DELETE / HTTP/1.1')],
    ['a method in small letters', line('post / HTTP/1.1')],
    ['HTTP/1.0', line('GET / HTTP/1.0')],
    ['HTTP/2.0', line('GET / HTTP/2.0')],
    ['an absolute address', line('GET http://x/ HTTP/1.1')],
    ['a star', line('GET * HTTP/1.1')],
    ['a space in the address', line('GET /a b HTTP/1.1')],
    ['a tab for a space', line('GET\t/ HTTP/1.1')],
    ['an address beyond ASCII', line('GET /\xe9 HTTP/1.1')],
    ['more after the version', line('GET / HTTP/1.1 ')],
    ['no host', 'GET / HTTP/1.1\r\na: b\r\n\r\n'],
    ['two hosts', header('host: y')],
    ['two lengths', header('content-length: 1\r\nContent-Length: 1')],
    ['a list of lengths', header('content-length: 1, 1')],
    ['a signed length', header('content-length: +1')],
    ['a hexadecimal length', header('content-length: 0x1')],
    ['an empty length', header('content-length:')],
    ['a huge length', header(`content-length: ${'9'.repeat(16)}`)],
    ['chunks', header('transfer-encoding: chunked')],
    ['chunks beside a length', header('content-length: 3\r\nTransfer-Encoding: chunked')],
    ['an unknown encoding', header('TRANSFER-ENCODING: identity')],
    ['a space before the colon', header('a : b')],
    ['a space before the name', header(' a: b')],
    ['a folded line', header('a: b\r\n c')],
    ['a name of nothing', header(': b')],
    ['no colon', header('a')],
    ['a name with a quote', header('"a": b')],
    ['a name beyond ASCII', header('\xe9: b')],
    ['a NUL', header('a: b\0c')],
    ['a bell', header('a: b\x07c')],
    ['a delete', header('a: b\x7fc')],
    ['a CR in a value', header('a: b\rc: d')],
    ['an LF in a value', header('a: b\nc: d')],
    ['CR CR LF', header('a: b\r\r\nc: d')],
    ['an upgrade', header('connection: upgrade\r\nupgrade: websocket')],
    ['an upgrade by itself', header('upgrade: websocket')],
    ['an upgrade to HTTP/2', header('http2-settings: a')],
    ['an end of the connection', header('connection: close')],
    ['a list in connection', header('connection: keep-alive, x')],
    ['a wait for 100', header('expect: 100-continue')],
    ['trailers', header('trailer: x')],
    ['a head above 16 kB', header(`a: ${'b'.repeat(16_384)}`)],
  ])('%s', (_, text) => {
    expect(read(text)).toBeUndefined()
  })
})
