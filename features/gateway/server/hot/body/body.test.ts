import { once } from 'node:events'
import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, callLab, openLab, rawSocket, waitForCondition } from '../testing/lab.ts'
import type { Lab, LabOptions } from '../testing/lab.ts'
import { TEST_KEY } from '../testing/fake-deps.ts'

let lab: Lab
afterEach(() => lab.close())
const open = async (options: LabOptions = {}): Promise<void> => {
  lab = await openLab({ ...options, limits: { bodyBytes: 20_000_000, ...options.limits } })
}
const whole = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const serve = (body = '{"id":"x","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}'): void => {
  lab.upstream.answer = (_seen, socket) => void socket.write(whole(body))
}
const GEMINI = { dialects: new Set(['gemini-generate'] as const) }
const GEMINI_ANSWER =
  '{"candidates":[{"content":{"parts":[{"text":"A"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}'
const chat = (content: unknown): string => JSON.stringify({ ...CHAT_REQUEST, messages: [{ role: 'user', content }] })
const parts = (count: number): object[] => Array.from({ length: count }, () => ({ type: 'text', text: 'a' }))

interface Begun {
  /** Resolves when the given bytes have been sent. */
  readonly sent: Promise<void>
  readonly answered: Promise<{ status: number; body: string }>
  write(more: string): void
  leave(): void
}

/** Starts a POST and sends only these bytes. */
function begin(path: string, length: number | undefined, bytes: string, type = 'application/json'): Begun {
  const req = request({
    port: lab.port,
    host: '127.0.0.1',
    method: 'POST',
    path,
    agent: false,
    headers: { 'authorization': `Bearer ${TEST_KEY}`, 'content-type': type, ...(length === undefined ? {} : { 'content-length': length }) },
  })
  req.on('error', () => undefined)
  const answered = new Promise<{ status: number; body: string }>((resolve) => {
    req.on('response', (res) => {
      let body = ''
      res.setEncoding('utf8')
      res.on('data', (text: string) => (body += text))
      res.on('end', () => resolve({ status: res.statusCode!, body }))
    })
  })
  const sent = new Promise<void>((resolve) => {
    req.write(bytes, () => resolve())
  })
  return { sent, answered, write: (more) => void req.write(more), leave: () => req.destroy() }
}

describe('forms', () => {
  it('a form of too many parts is refused before it is whole: its boundary is searched as it arrives', async () => {
    await open()
    const part = '--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'
    const { answered } = begin('/v1/audio/transcriptions', 5_000_000, part.repeat(300), 'multipart/form-data; boundary=edge')
    const { status, body } = await answered
    expect([status, body.includes('more than 256 parts')]).toEqual([400, true])
  })
})

describe('standing before work', () => {
  it.each([500_000, undefined])('a caller without balance is refused before a large body has arrived (length %s)', async (length) => {
    await open()
    lab.journal.admitAs = 'insufficient_balance'
    const { answered } = begin('/v1/chat/completions', length, `{"model":"m","messages":[${' '.repeat(100)}`)
    const { status, body } = await answered
    expect(status).toBe(429)
    expect(JSON.parse(body).error).toMatchObject({ code: 'credit_balance_exhausted' })
  })

  it('a key at its limits is refused before its large body is read', async () => {
    await open()
    lab.limit({ counted: true, requestsMinute: 1 })
    lab.quota.refusal = { by: 'requests', limit: 1n, used: 1n, retryMs: 5_000 }
    expect((await begin('/v1/messages', 500_000, '{').answered).status).toBe(429)
    expect(lab.quota.asks).toHaveLength(1)
  })

  it('a small body is admitted once, without an early check of the balance', async () => {
    await open()
    serve()
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(200)
    expect(lab.journal.givenBack).toEqual([])
  })
})

describe('bounds', () => {
  const asked = async (body: string, path = '/v1/chat/completions') => callLab(lab, { path, body })

  it('more values than the route takes are refused while they come, with the bound', async () => {
    await open()
    const { answered } = begin('/v1/chat/completions', 19_000_000, chat(parts(60_000)).slice(0, -4))
    const { status, body } = await answered
    expect(status).toBe(413)
    expect(JSON.parse(body).error.message).toContain('more than the 100000 JSON values')
    expect(lab.upstream.seen).toEqual([])
  })

  it('a body nested deeper than any vendor reads is a 400 in the surface’s own shape', async () => {
    await open()
    const deep = `{"model":"m","x":"${'a'.repeat(40_000)}","messages":${'['.repeat(300)}${']'.repeat(300)}}`
    const { status, body } = await asked(deep, '/v1/messages')
    expect(status).toBe(400)
    expect(JSON.parse(body)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error', message: expect.stringContaining('256 levels') } })
  })

  it('more bytes than the vendor takes there are refused by the length alone', async () => {
    await open({ limits: { bodyBytes: 64_000_000 } })
    const { status, body } = await begin('/v1/messages', 33 * 1024 * 1024 + 1, '{').answered
    expect(status).toBe(413)
    expect(JSON.parse(body).error.type).toBe('request_too_large')
  })

  it('a thousand fields in the object are too many, as is a number of a kilobyte', async () => {
    await open()
    const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field_${at}`, 'abcdefgh']))
    expect((await asked(JSON.stringify({ ...CHAT_REQUEST, ...fields }))).status).toBe(413)
    expect((await asked(`{"model":"m","x":"${'a'.repeat(40_000)}","n":${'1'.repeat(1_000)}}`)).status).toBe(400)
  })

  it('honest large bodies pass as they came: pictures, quotes in quotes, many messages', async () => {
    await open()
    serve()
    const picture = chat([{ type: 'image_url', image_url: { url: `data:image/png;base64,${'QUJD'.repeat(500_000)}` } }])
    const quoted = chat(JSON.stringify(parts(20_000)))
    const many = JSON.stringify({ ...CHAT_REQUEST, messages: Array.from({ length: 5_000 }, () => ({ role: 'user', content: 'Hello "there"\\' })) })
    for (const body of [picture, quoted, many]) {
      expect((await asked(body)).status).toBe(200)
      expect(lab.upstream.seen.at(-1)!.body).toBe(body)
    }
  })
})

describe('memory', () => {
  it('bodies of one account hold a quarter of the memory at most, and give it back', async () => {
    await open({ limits: { bodiesBytes: 1_000_000 } })
    serve()
    const first = begin('/v1/chat/completions', 200_000, '{')
    await waitForCondition(() => lab.relay.openCalls() === 1)
    const second = await begin('/v1/chat/completions', 100_000, '{').answered
    expect(second.status).toBe(429)
    expect(JSON.parse(second.body).error).toMatchObject({ type: 'concurrency' })
    first.leave()
    await waitForCondition(() => lab.relay.openCalls() === 0)
    expect((await callLab(lab, { body: chat('a'.repeat(100_000)) })).status).toBe(200)
    expect((await callLab(lab, { body: chat('a'.repeat(200_000)) })).status).toBe(200)
  })

  it('a body without a length takes room as it grows', async () => {
    await open({ limits: { bodiesBytes: 1_000_000 } })
    const { answered } = begin('/v1/chat/completions', undefined, `{"a":"${'a'.repeat(300_000)}`)
    expect((await answered).status).toBe(429)
  })
})

describe('long work', () => {
  it('translating a large body blocks no other request: the next one is answered first', async () => {
    await open({ model: GEMINI })
    serve(GEMINI_ANSWER)
    const order: string[] = []
    lab.journal.reserveWith = async () => void order.push('large admitted')
    const body = chat([...parts(25_000), { type: 'text', text: 'é"'.repeat(500_000) }])
    const large = begin('/v1/chat/completions', Buffer.byteLength(body), body.slice(0, -1))
    await large.sent
    // All but the last byte is read, regardless of the machine's other load.
    for (let i = 0; i < 20; i++) await callLab(lab, { path: '/v1/models' })
    const small = rawSocket(lab)
    await once(small, 'connect')
    large.write(body.slice(-1))
    small.write(`GET /v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\n\r\n`)
    await once(small, 'data')
    order.push('small answered')
    small.destroy()
    expect((await large.answered).status).toBe(200)
    expect(order).toEqual(['small answered', 'large admitted'])
    const sent = JSON.parse(lab.upstream.seen[0]!.body)
    expect(sent.contents[0].parts).toHaveLength(25_001)
    expect(sent.contents[0].parts.at(-1).text).toBe('é"'.repeat(500_000))
  })

  it('a body above the bound is refused as not translated', async () => {
    await open({ model: GEMINI })
    const { status, body } = await callLab(lab, { body: chat('a'.repeat(17 * 1024 * 1024)) })
    expect(status).toBe(413)
    expect(JSON.parse(body).error.message).toContain('not translated')
  })

  it('a refusal comes back from the worker with its field', async () => {
    await open({ model: { dialects: new Set(['anthropic-messages'] as const) } })
    const { status, body } = await callLab(lab, { body: JSON.stringify({ ...CHAT_REQUEST, n: 2, user: 'a'.repeat(40_000) }) })
    expect([status, JSON.parse(body).error.param]).toEqual([400, 'n'])
  })
})
