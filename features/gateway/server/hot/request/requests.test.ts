import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, CHAT_STREAM_REQUEST, callLab, openLab, rawSocket, waitForCondition } from '../testing/lab.ts'
import type { LabAnswer, LabRequest, Lab } from '../testing/lab.ts'
import { TEST_KEY, aModel } from '../testing/fake-deps.ts'
import { formatHttpJson } from '../testing/fake-upstream.ts'

let lab: Lab
beforeEach(async () => {
  lab = await openLab()
})
afterEach(() => lab.close())

const OK = { usage: { prompt_tokens: 1, completion_tokens: 1, input_tokens: 1, output_tokens: 1 }, usageMetadata: { promptTokenCount: 1 } }
const serve = (): void => {
  lab.upstream.answer = (_seen, socket) => {
    socket.write(formatHttpJson(OK))
  }
}
const ROUTES: readonly [string, 'openai' | 'anthropic' | 'gemini'][] = [
  ['/v1/chat/completions', 'openai'],
  ['/v1/responses', 'openai'],
  ['/v1/embeddings', 'openai'],
  ['/v1/messages', 'anthropic'],
  ['/v1/messages/count_tokens', 'anthropic'],
  ['/v1beta/models/m:generateContent', 'gemini'],
  ['/v1beta/models/m:streamGenerateContent', 'gemini'],
  ['/v1beta/models/m:countTokens', 'gemini'],
  ['/v1beta/models/m:embedContent', 'gemini'],
  ['/v1beta/models/m:batchEmbedContents', 'gemini'],
  ['/v1/models/m:generateContent', 'gemini'],
]

function expectShape(answer: LabAnswer, surface: string, status?: number): void {
  if (status !== undefined) expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect(answer.headers['x-mingxi-request-id']).toMatch(/^req_/)
  const body = JSON.parse(answer.body) as { error: { code: unknown } }
  if (surface === 'openai')
    expect(body).toEqual({
      error: {
        message: expect.any(String),
        type: expect.any(String),
        param: expect.toSatisfy((v: unknown) => v === null || typeof v === 'string'),
        code: body.error.code,
      },
    })
  if (surface === 'anthropic')
    expect(body).toMatchObject({ type: 'error', error: { type: expect.any(String), message: expect.any(String) }, request_id: answer.headers['request-id'] })
  if (surface === 'gemini') expect(body).toMatchObject({ error: { code: answer.status, message: expect.any(String), status: expect.any(String) } })
}

describe.each(ROUTES)('%s', (path, surface) => {
  const body = { ...CHAT_REQUEST, contents: [] }
  it('takes every credential form', async () => {
    serve()
    const forms: LabRequest[] = [
      { headers: { authorization: `Bearer ${TEST_KEY}` } },
      { headers: { authorization: `bearer   ${TEST_KEY} ` } },
      { headers: { authorization: TEST_KEY } },
      { headers: { 'authorization': '', 'x-api-key': ` ${TEST_KEY} ` } },
      { headers: { 'authorization': 'Bearer ', 'x-goog-api-key': TEST_KEY } },
      { headers: { authorization: '' }, path: `${path}?key=${TEST_KEY}` },
      { headers: { 'authorization': `Bearer ${TEST_KEY}`, 'x-api-key': 'another' } },
    ]
    for (const form of forms) expect((await callLab(lab, { path, body, ...form })).status).toBe(200)
    expect(lab.upstream.seen.some((seen) => seen.head.includes(TEST_KEY))).toBe(false)
  })
  it('refuses in its own shape, whatever the cause', async () => {
    expectShape(await callLab(lab, { path, body, headers: { authorization: '' } }), surface, 401)
    expectShape(await callLab(lab, { path, body, headers: { authorization: 'Bearer sk-wrong' } }), surface, 401)
    expectShape(await callLab(lab, { path, body: '{"model":"m"' }), surface, 400)
    expectShape(await callLab(lab, { path, body: '{"model":"m"}}' }), surface, 400)
    expectShape(await callLab(lab, { path, body: '' }), surface, 400)
    expectShape(await callLab(lab, { path, method: 'GET' }), surface, 405)
    expectShape(await callLab(lab, { path: path.replace('/m:', '/none:'), body: { ...body, model: 'none' } }), surface, 404)
    lab.models.set('mute', aModel('mute', lab.models.get('m')!.routes, { dialects: new Set() }))
    expectShape(await callLab(lab, { path: path.replace('/m:', '/mute:'), body: { ...body, model: 'mute' } }), surface, 400)
    if (surface !== 'gemini') {
      for (const wrong of [{ ...body, model: 5 }, { ...body, model: '' }, { messages: [] }, { ...body, stream: 'yes' }, { ...body, stream: 1 }])
        expectShape(await callLab(lab, { path, body: wrong }), surface, 400)
    }
    expect(lab.journal.events).toEqual([])
    lab.upstream.answer = (_seen, socket) => {
      socket.destroy()
    }
    expectShape(await callLab(lab, { path, body }), surface, 502)
  })
  it('refuses without money, and says not to retry', async () => {
    lab.journal.admitAs = 'insufficient_balance'
    const answer = await callLab(lab, { path, body })
    if (/count/i.test(path)) return
    expectShape(answer, surface, surface === 'anthropic' ? 402 : 429)
    expect(answer.headers['x-should-retry']).toBe('false')
    expect(answer.body).toContain('https://example.test/api')
    lab.journal.admitAs = 'unavailable'
    expectShape(await callLab(lab, { path, body }), surface, 503)
    expect(lab.upstream.seen.length).toBe(0)
  })
  it('refuses a body too large before reading it', async () => {
    const answer = await new Promise<{ status: number; sent: number }>((resolve) => {
      let sent = 0
      const req = request(
        { port: lab.port, method: 'POST', path, agent: false, headers: { 'authorization': `Bearer ${TEST_KEY}`, 'content-length': 100_000_000 } },
        (res) => {
          res.resume()
          resolve({ status: res.statusCode!, sent })
          req.destroy()
        },
      )
      req.on('error', () => undefined)
      sent = req.write(Buffer.alloc(1_000)) ? 1_000 : 0
    })
    expect(answer).toEqual({ status: 413, sent: 1_000 })
  })
})

describe('bodies', () => {
  it('without a length are counted', async () => {
    const answer = await new Promise<number>((resolve) => {
      const req = request({ port: lab.port, method: 'POST', path: '/v1/messages', agent: false, headers: { authorization: `Bearer ${TEST_KEY}` } }, (res) => {
        res.resume()
        resolve(res.statusCode!)
        req.destroy()
      })
      req.on('error', () => undefined)
      req.write('{"a":"')
      for (let i = 0; i < 12; i++) req.write(Buffer.alloc(100_000, 32))
    })
    expect(answer).toBe(413)
  })
  it('that trickle are refused with 408, in shape', async () => {
    await lab.close()
    lab = await openLab({ limits: { bodyMs: 200 } })
    const socket = rawSocket(lab)
    let got = ''
    socket.on('data', (data) => {
      got += data.toString()
    })
    socket.write(`POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: 1000\r\n\r\n{`)
    const timer = setInterval(() => socket.write(' '), 20)
    await waitForCondition(() => got.includes('}'))
    clearInterval(timer)
    socket.destroy()
    expect(got).toContain('408')
    expect(got).toContain('"type":"timeout_error"')
    await waitForCondition(() => lab.relay.openCalls() === 0)
  })
  it('in many small pieces, and chunked, arrive whole', async () => {
    serve()
    const socket = rawSocket(lab)
    const body = JSON.stringify(CHAT_REQUEST)
    let got = ''
    socket.on('data', (data) => {
      got += data.toString()
    })
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ntransfer-encoding: chunked\r\n\r\n`)
    for (const letter of body) socket.write(`1\r\n${letter}\r\n`)
    socket.write('0\r\n\r\n')
    await waitForCondition(() => got.includes('completion_tokens'))
    expect(lab.upstream.seen[0]!.body).toBe(body)
    socket.destroy()
  })
  it('background responses are refused by name', async () => {
    const answer = await callLab(lab, { path: '/v1/responses', body: { model: 'm', background: true } })
    expect(JSON.parse(answer.body)).toMatchObject({ error: { param: 'background' } })
  })
})

describe('paths', () => {
  it.each([
    ['/v1/responses/resp_1', 'GET', 'openai'],
    ['/v1/responses/resp_1/cancel', 'POST', 'openai'],
    ['/v1/responses/resp_1/input_items', 'GET', 'openai'],
    ['/v1/responses/input_tokens', 'POST', 'openai'],
    ['/v1/responses/compact', 'POST', 'openai'],
    ['/v1beta', 'GET', 'gemini'],
    ['/v1/fine_tuning/jobs', 'POST', 'openai'],
    ['/v1beta/models/m:constructor', 'POST', 'gemini'],
  ])('%s is a 404 in shape', async (path, method, surface) => {
    const answer = await callLab(lab, { path, method, ...(method === 'POST' ? { body: '{}' } : {}) })
    if (path.endsWith(':constructor')) expectShape(answer, surface, 405)
    else expectShape(answer, surface, 404)
  })
  it.each([
    ['/upload/v1beta/files', 'POST', 'gemini', 'inlineData'],
    ['/v1beta/files/abc', 'GET', 'gemini', 'inlineData'],
    ['/v1beta/cachedContents', 'POST', 'gemini', 'by themselves'],
    ['/v1beta/models/m:batchGenerateContent', 'POST', 'gemini', 'one by one'],
    ['/v1/files', 'POST', 'openai', 'inline'],
    ['/v1/files/file_1/content', 'GET', 'openai', 'inline'],
    ['/v1/uploads', 'POST', 'openai', 'inline'],
    ['/v1/batches', 'POST', 'openai', 'one by one'],
    ['/v1/batches/batch_1/cancel', 'POST', 'openai', 'one by one'],
    ['/v1/images/variations', 'POST', 'openai', '/v1/images/edits'],
    ['/v1/messages/batches', 'POST', 'anthropic', 'one by one'],
    ['/v1/messages/batches/b/results', 'GET', 'anthropic', 'one by one'],
  ])('%s is a 501 in shape that names the alternative', async (path, method, surface, remedy) => {
    const answer = await callLab(lab, { path, method, ...(method === 'POST' ? { body: '{}' } : {}) })
    expectShape(answer, surface, 501)
    expect(answer.body).toContain(remedy)
    expect(answer.headers['x-should-retry']).toBe('false')
  })
  it("files and batches of Anthropic's client are refused in its shape", async () =>
    expectShape(await callLab(lab, { path: '/v1/files', headers: { 'anthropic-version': '2023-06-01' } }), 'anthropic', 501))
  it.each([
    '/v1/pay/orders',
    '/v1/user',
    '/v1/userWrapperApi/x',
    '/v1/tool/x',
    '/v1/service/x',
    '/v1/fission/x',
    '/v1/virtualCard/x',
    '/v1/unAuth/x',
    '/api',
    '/',
    '/v2',
  ])("%s is the platform's", async (path) => {
    expect((await callLab(lab, { path })).status).toBe(299)
  })
  it("an unknown path under /v1 without a credential is the platform's", async () => {
    expect(lab.relay.handles('/v1/whatever', ['user-agent', 'curl'])).toBe(false)
    expect(lab.relay.handles('/v1/whatever', ['User-Agent', 'OpenAI/JS 6'])).toBe(true)
  })
  it('Gemini model names may be encoded or tuned', async () => {
    lab.models.set('google/gemini-3@001', aModel('google/gemini-3@001', [{ ...lab.models.get('m')!.routes[0]!, upstreamModel: 'gemini-3' }]))
    lab.models.set('tunedModels/mine', aModel('tunedModels/mine', [{ ...lab.models.get('m')!.routes[0]!, upstreamModel: 'tunedModels/mine' }]))
    serve()
    expect((await callLab(lab, { path: '/v1beta/models/google%2Fgemini-3%40001:generateContent', body: {} })).status).toBe(200)
    expect((await callLab(lab, { path: '/v1beta/models/google/gemini-3@001:generateContent', body: {} })).status).toBe(200)
    expect((await callLab(lab, { path: '/v1beta/tunedModels/mine:generateContent', body: {} })).status).toBe(200)
    expect(lab.upstream.seen.map((seen) => seen.path)).toEqual([
      '/v1beta/models/gemini-3:generateContent',
      '/v1beta/models/gemini-3:generateContent',
      '/v1beta/tunedModels/mine:generateContent',
    ])
  })
})

describe('models', () => {
  beforeEach(() => {
    for (const id of ['a/b:c@d.e', 'x1', 'x2', 'x3']) lab.models.set(id, aModel(id, lab.models.get('m')!.routes))
    lab.models.set('gone', aModel('gone', [], { lifecycle: 'retired', successor: 'x1' }))
  })
  const ids = (answer: LabAnswer): string[] => (JSON.parse(answer.body) as { data: { id: string }[] }).data.map((model) => model.id)

  it('the form follows anthropic-version or the SDK, never x-api-key', async () => {
    const openai = await callLab(lab, { path: '/v1/models', headers: { 'authorization': '', 'x-api-key': TEST_KEY } })
    expect(JSON.parse(openai.body)).toMatchObject({
      object: 'list',
      data: [{ id: 'm', object: 'model', created: 1_700_000_000, owned_by: 'openai' }, {}, {}, {}, {}],
    })
    const asAnthropic: readonly Record<string, string>[] = [
      { 'anthropic-version': '2023-06-01' },
      { 'user-agent': 'Anthropic/JS 1.11.0' },
      { 'user-agent': 'claude-cli/2.0' },
    ]
    for (const headers of asAnthropic) {
      expect(JSON.parse((await callLab(lab, { path: '/v1/models', headers })).body)).toMatchObject({
        has_more: false,
        first_id: 'm',
        last_id: 'x3',
        data: [{ type: 'model', display_name: 'm', created_at: '2023-11-14T22:13:20Z', max_input_tokens: 128_000 }, {}, {}, {}, {}],
      })
    }
    expect(JSON.parse((await callLab(lab, { path: '/v1beta/models?pageSize=2' })).body)).toMatchObject({
      models: [{ name: 'models/m', supportedGenerationMethods: expect.any(Array) }, {}],
      nextPageToken: '2',
    })
  })
  it('pages as Anthropic does', async () => {
    const headers = { 'anthropic-version': '2023-06-01' }
    const page = async (query: string): Promise<[string[], boolean]> => {
      const answer = await callLab(lab, { path: `/v1/models?${query}`, headers })
      return [ids(answer), (JSON.parse(answer.body) as { has_more: boolean }).has_more]
    }
    expect(await page('limit=2')).toEqual([['m', 'a/b:c@d.e'], true])
    expect(await page('limit=2&after_id=a/b:c@d.e')).toEqual([['x1', 'x2'], true])
    expect(await page('limit=2&after_id=x2')).toEqual([['x3'], false])
    expect(await page('limit=2&before_id=x2')).toEqual([['a/b:c@d.e', 'x1'], true])
  })
  it('a single model is found, whatever its id holds', async () => {
    expect(JSON.parse((await callLab(lab, { path: '/v1/models/a/b:c@d.e' })).body)).toMatchObject({ id: 'a/b:c@d.e' })
    expect(JSON.parse((await callLab(lab, { path: '/v1beta/models/a%2Fb%3Ac%40d.e' })).body)).toMatchObject({ name: 'models/a/b:c@d.e' })
    expectShape(await callLab(lab, { path: '/v1/models/none' }), 'openai', 404)
    expectShape(await callLab(lab, { path: '/v1/models/none', headers: { 'anthropic-version': '1' } }), 'anthropic', 404)
  })
  it('a retired model names its successor', async () => {
    const answer = await callLab(lab, { body: { ...CHAT_REQUEST, model: 'gone' } })
    expectShape(answer, 'openai', 404)
    expect(answer.body).toContain('x1')
  })
})

describe('browsers and sockets', () => {
  it('preflight allows what SDKs send', async () => {
    const answer = await callLab(lab, {
      method: 'OPTIONS',
      path: '/v1/messages',
      headers: {
        'origin': 'https://x.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-stainless-os,anthropic-version,x-goog-api-key,authorization',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-headers']).toBe('x-stainless-os,anthropic-version,x-goog-api-key,authorization')
    serve()
    expect((await callLab(lab, { body: CHAT_REQUEST, headers: { origin: 'https://x.test' } })).headers['access-control-allow-origin']).toBe('*')
    expect((await callLab(lab, { body: CHAT_REQUEST, headers: { origin: 'https://x.test', authorization: '' } })).headers['access-control-allow-origin']).toBe(
      '*',
    )
  })
  it.each([
    ['GET /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', '426'],
    [`GET /v1/models HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(40_000)}\r\n\r\n`, '431'],
    ['NONSENSE\r\n\r\n', '400'],
  ])('%#: refused on the socket in shape', async (text, status) => {
    const socket = rawSocket(lab)
    let got = ''
    socket.on('data', (data) => {
      got += data.toString()
    })
    socket.write(text)
    await waitForCondition(() => socket.closed)
    expect(got).toContain(`HTTP/1.1 ${status}`)
    expect(got).toContain('"error":{"message"')
  })
  it('keeps the connection for the next request after a refusal', async () => {
    serve()
    const socket = rawSocket(lab)
    let got = ''
    socket.on('data', (data) => {
      got += data.toString()
    })
    const body = JSON.stringify(CHAT_REQUEST)
    const good = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    socket.write(`${good.replace(TEST_KEY, 'wrong')}${good}${good}`)
    await waitForCondition(() => (got.match(/HTTP\/1\.1/g) ?? []).length === 3)
    expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200', 'HTTP/1.1 200'])
    socket.destroy()
  })
  it('sends the call id only to an upstream that has a header for it', async () => {
    serve()
    await callLab(lab, { body: CHAT_REQUEST })
    expect(lab.upstream.seen[0]!.head).not.toContain('x-mingxi')
    const route = lab.models.get('m')!.routes[0]!
    lab.models.set('s', aModel('s', [{ ...route, upstream: { ...route.upstream, callIdHeader: 'x-mingxi-call-id' } }]))
    await callLab(lab, { body: { ...CHAT_STREAM_REQUEST, stream: false, model: 's' } })
    expect(lab.upstream.seen[1]!.head).toContain(`x-mingxi-call-id: ${lab.journal.reserved[1]!.callId}`)
  })
})
