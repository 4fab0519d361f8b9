import { gzipSync, deflateSync } from 'node:zlib'
import { request } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { allocateBody, listTransferable } from '../body/memory.ts'
import { CHAT_REQUEST, callLab, openLab } from '../testing/lab.ts'
import type { Lab, LabOptions } from '../testing/lab.ts'
import { TEST_KEY } from '../testing/fake-deps.ts'
import { formatHttpJson } from '../testing/fake-upstream.ts'

let lab: Lab
afterEach(() => lab.close())

async function open(options: LabOptions = {}): Promise<void> {
  lab = await openLab(options)
  lab.upstream.answer = (_seen, socket) => void socket.write(formatHttpJson({ usage: { prompt_tokens: 1, completion_tokens: 1 } }))
}

function send(bytes: Buffer, encoding: string, chunked = false, path = '/v1/chat/completions'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const length = chunked ? {} : { 'content-length': bytes.length }
    const headers = { 'authorization': `Bearer ${TEST_KEY}`, 'content-type': 'application/json', 'content-encoding': encoding, ...length }
    const req = request({ port: lab.port, host: '127.0.0.1', method: 'POST', path, agent: false, headers }, (res) => {
      let body = ''
      res.on('data', (piece: Buffer) => (body += piece.toString()))
      res.on('end', () => resolve({ status: res.statusCode!, body }))
    })
    req.on('error', reject)
    req.end(bytes)
  })
}

const BODY = JSON.stringify(CHAT_REQUEST)
const LARGE = JSON.stringify({ ...CHAT_REQUEST, messages: [{ role: 'user', content: 'héllo "there" '.repeat(20_000) }] })

describe('packed bodies', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['GZIP', gzipSync],
  ])('%s is read, and forwarded unpacked', async (encoding, pack) => {
    await open()
    for (const text of [BODY, LARGE])
      for (const chunked of [false, true]) {
        expect((await send(pack(text), encoding, chunked)).status).toBe(200)
        expect(lab.upstream.seen.at(-1)!.body).toBe(text)
        expect(lab.upstream.seen.at(-1)!.head).not.toMatch(/content-encoding/i)
      }
  })
  it('identity is plain', async () => {
    await open()
    expect((await callLab(lab, { body: CHAT_REQUEST, headers: { 'content-encoding': 'identity' } })).status).toBe(200)
  })
  it('another encoding is refused by its name', async () => {
    await open()
    const { status, body } = await send(gzipSync(BODY), 'br')
    expect(status).toBe(415)
    expect(JSON.parse(body).error.message).toContain('content-encoding: br')
  })
  it.each([
    ['a body that is not gzip', Buffer.from(BODY)],
    ['a truncated body', gzipSync(LARGE).subarray(0, 200)],
    ['an empty body', Buffer.alloc(0)],
  ])('%s is a 400', async (_, bytes) => {
    await open()
    expect((await send(bytes, 'gzip')).status).toBe(400)
    expect(lab.journal.events).toEqual([])
  })
})

describe('a kilobyte that becomes a gigabyte', () => {
  it('is refused at the bound of the route, as a plain body is', async () => {
    await open()
    const bomb = gzipSync(`{"model":"m","x":"${'a'.repeat(60_000_000)}`)
    expect(bomb.length).toBeLessThan(80_000)
    const before = process.memoryUsage().arrayBuffers
    const { status, body } = await send(bomb, 'gzip')
    expect(status).toBe(413)
    expect(JSON.parse(body).error.message).toContain('1000000 bytes')
    // Memory use depends on the accepted size, not on the size of the bomb.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
  })
  it('does not hold up others: they are answered meanwhile', async () => {
    await open({ limits: { bodyBytes: 64_000_000 } })
    const values = gzipSync(`{"model":"m","messages":[${'{},'.repeat(5_000_000)}{}]}`)
    let refused = 0
    const bombs = Array.from({ length: 4 }, () => send(values, 'gzip').then(({ status }) => void (refused = status)))
    for (let i = 0; i < 20; i++) expect((await callLab(lab, { path: '/v1/models' })).status).toBe(200)
    await Promise.all(bombs)
    expect(refused).toBe(413)
  })
  it('takes room as it grows, and gives it back', async () => {
    await open({ limits: { bodyBytes: 20_000_000, bodiesBytes: 4_000_000 } })
    expect((await send(gzipSync(JSON.stringify({ ...CHAT_REQUEST, x: 'a'.repeat(3_000_000) })), 'gzip')).status).toBe(429)
    expect((await send(gzipSync(JSON.stringify({ ...CHAT_REQUEST, x: 'a'.repeat(200_000) })), 'gzip')).status).toBe(200)
  })
  it('no single copy exceeds a megabyte', async () => {
    await open({ limits: { bodyBytes: 30_000_000, bodiesBytes: 200_000_000 } })
    const { copy } = Buffer.prototype
    let longest = 0
    const spy = vi.spyOn(Buffer.prototype, 'copy').mockImplementation(function (this: Buffer, ...of: Parameters<typeof copy>) {
      const bytes = copy.apply(this, of)
      longest = Math.max(longest, bytes)
      return bytes
    })
    expect((await send(gzipSync(JSON.stringify({ ...CHAT_REQUEST, x: 'a'.repeat(20_000_000) })), 'gzip')).status).toBe(200)
    spy.mockRestore()
    expect([longest > 100_000, longest <= 1_048_576]).toEqual([true, true])
  })
  it('an unpacked body is moved to the worker without a copy', () => {
    const memory = allocateBody(1_000)
    expect(listTransferable(memory.subarray(0, 600))).toEqual([memory.buffer])
    expect(listTransferable(Buffer.from('of a pool'))).toEqual([])
  })
  it('a caller without balance is refused before the body is unpacked', async () => {
    await open()
    lab.journal.admitAs = 'insufficient_balance'
    expect((await send(gzipSync(Buffer.alloc(10_000_000)), 'gzip')).status).toBe(429)
  })
})
