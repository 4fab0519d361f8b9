import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, callLab, openLab, rawSocket, waitForCondition } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { TEST_KEY, aModel } from '../testing/fake-deps.ts'
import { formatHttpJson } from '../testing/fake-upstream.ts'
import { locate } from './locate.ts'

let lab: Lab
beforeEach(async () => {
  lab = await openLab()
  lab.upstream.answer = (_seen, socket) =>
    void socket.write(formatHttpJson({ usage: { prompt_tokens: 1, completion_tokens: 1, input_tokens: 1, output_tokens: 1 } }))
})
afterEach(() => lab.close())

describe('base URLs, as people configure them', () => {
  it.each([
    ['/chat/completions', '/v1/chat/completions'],
    ['/completions', '/v1/completions'],
    ['/responses', '/v1/responses'],
    ['/embeddings', '/v1/embeddings'],
    ['/messages', '/v1/messages'],
    ['/messages/count_tokens?beta=true', '/v1/messages/count_tokens?beta=true'],
    ['/v1/v1/messages', '/v1/messages'],
    ['/anthropic/v1/messages', '/v1/messages'],
    ['/anthropic/messages', '/v1/messages'],
    ['/openai/v1/chat/completions', '/v1/chat/completions'],
    ['/openai/chat/completions', '/v1/chat/completions'],
    ['/openai/responses?api-version=2025-04-01-preview', '/v1/responses'],
    ['/v1beta/openai/chat/completions', '/v1/chat/completions'],
    ['/v1beta/openai/embeddings', '/v1/embeddings'],
    ['/api/v1/chat/completions', '/v1/chat/completions'],
    ['/v1/chat/completions/chat/completions', '/v1/chat/completions'],
    ['/v1/chat/completions/v1/chat/completions', '/v1/chat/completions'],
    ['/v1/messages/v1/messages', '/v1/messages'],
    ['/v1alpha/models/m:generateContent', '/v1beta/models/m:generateContent'],
    ['/models/m:generateContent', '/v1beta/models/m:generateContent'],
    ['/gemini/v1beta/models/m:streamGenerateContent?alt=sse', '/v1beta/models/m:streamGenerateContent?alt=sse'],
  ])('%s is %s', async (path, meant) => {
    lab.models.set('m', aModel('m', lab.models.get('m')!.routes, { dialects: new Set([...lab.models.get('m')!.dialects, 'openai-completions']) }))
    expect((await callLab(lab, { path, body: { ...CHAT_REQUEST, contents: [] } })).status).toBe(200)
    expect(lab.upstream.seen[0]!.path).toBe(meant)
  })
  it('rerank paths are located too', () => {
    for (const path of ['/rerank', '/v1/rerank', '/v2/rerank', '/api/v1/rerank'])
      expect(locate(path).target).toMatchObject({ kind: 'generate', dialect: 'rerank' })
  })

  it('Azure paths name the model, override the body’s and take `api-key`', async () => {
    const headers = { 'authorization': '', 'api-key': TEST_KEY }
    const path = '/openai/deployments/m/chat/completions?api-version=2024-10-21'
    const asked: [object, object][] = [
      [{ messages: [] }, { model: 'm', messages: [] }],
      [{}, { model: 'm' }],
      [{ ...CHAT_REQUEST, model: 'another' }, CHAT_REQUEST],
    ]
    for (const [body, sent] of asked) {
      expect((await callLab(lab, { path, body, headers })).status).toBe(200)
      expect(JSON.parse(lab.upstream.seen.at(-1)!.body)).toEqual(sent)
    }
    expect((await callLab(lab, { path, body: '{"model":"a","model":"m"}', headers })).status).toBe(400)
    expect((await callLab(lab, { path: path.replace('/m/', '/none/'), body: CHAT_REQUEST, headers })).status).toBe(404)
    expect((await callLab(lab, { path: path.replace('/m/', '/m%0d%0a/'), body: CHAT_REQUEST, headers })).status).toBe(400)
  })
  it('a large body gets the model of an Azure path too', async () => {
    const body = { messages: [{ role: 'user', content: 'a"'.repeat(200_000) }] }
    expect((await callLab(lab, { path: '/openai/deployments/m/chat/completions', body })).status).toBe(200)
    expect(JSON.parse(lab.upstream.seen[0]!.body)).toEqual({ model: 'm', ...body })
  })
  it('a form gets the model of an Azure path as a part', async () => {
    lab.models.set('w', aModel('w', [{ ...lab.models.get('m')!.routes[0]!, upstreamModel: 'w' }], { dialects: new Set(['openai-transcriptions']) }))
    const form = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF\r\n--b--\r\n'
    const answer = await callLab(lab, {
      path: '/openai/deployments/w/audio/transcriptions',
      body: form,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    expect(answer.status).toBe(200)
    expect(lab.upstream.seen[0]!.body).toBe(`--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nw\r\n${form}`)
  })

  it.each([
    ['/models', 'openai'],
    ['/openai/v1/models', 'openai'],
    ['/v1beta/openai/models', 'openai'],
    ['/openai/models/m', 'openai'],
    ['/anthropic/v1/models', 'anthropic'],
    ['/v1alpha/models', 'gemini'],
    ['/v1beta/models', 'gemini'],
  ])('%s lists models in the form of %s, to HEAD without a body', async (path, form) => {
    const list = await callLab(lab, { path })
    expect(list.status).toBe(200)
    expect(list.body).toContain(form === 'gemini' ? '"models/m"' : form === 'anthropic' ? '"type":"model"' : '"object":"model"')
    const head = await callLab(lab, { path, method: 'HEAD' })
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', String(list.body.length)])
  })

  it.each([
    ['/openai/whatever', 'openai', ''],
    ['/anthropic/v2/messages', 'anthropic', '/v1/messages on this host'],
    ['/proxy/v1/chat/completions', 'openai', '/v1/chat/completions on this host'],
    ['/v1/projects/p/locations/l/publishers/google/models/m:generateContent', 'gemini', ''],
    ['/v1/nonsense', 'openai', 'base URLs end in /v1'],
  ])('%s is a 404 in shape that says which address is right', async (path, form, address) => {
    const answer = await callLab(lab, { path, body: CHAT_REQUEST, headers: { origin: 'https://x.test' } })
    expect(answer.status).toBe(404)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.body).toContain(address)
    expect(JSON.parse(answer.body)).toMatchObject(form === 'anthropic' ? { type: 'error' } : { error: { message: expect.any(String) } })
  })

  it.each([
    ['/v1/assistants', 'POST /v1/responses'],
    ['/v1/threads/t/runs', 'POST /v1/responses'],
    ['/v1/vector_stores', 'POST /v1/embeddings'],
    ['/v1/fine_tuning/jobs', 'examples'],
    ['/v1/conversations', 'previous_response_id'],
    ['/v1/containers', 'code_interpreter'],
    ['/v1/videos', 'GET /v1/models'],
    ['/v1/evals', 'ordinary calls'],
    ['/v1/edits', 'POST /v1/chat/completions'],
    ['/v1/responses/compact', 'context_management'],
    ['/v1/responses/input_tokens', 'count_tokens'],
    ['/v1beta/models/m:predict', 'POST /v1/images/generations'],
  ])('%s says what serves instead', async (path, instead) => {
    const answer = await callLab(lab, { path, body: '{}' })
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([404, 'false'])
    expect(answer.body).toContain(instead)
  })

  it("the platform's own paths stay the platform's", () => {
    const key = ['authorization', 'Bearer x']
    for (const path of [
      '/',
      '/api',
      '/help',
      '/pricing',
      '/v1/user/deleteAccount',
      '/v1/pay/quote',
      '/images/logo.png',
      '/api/anything',
      '/dashboard',
      '/sandbox/upstream/openai/v1/chat/completions',
      '/user/messages',
    ])
      expect([path, lab.relay.handles(path, key)]).toEqual([path, false])
    for (const path of ['/models', '/user/balance', '/files', '/usage']) {
      expect([path, lab.relay.handles(path, ['accept', 'text/html'])]).toEqual([path, false])
      expect([path, lab.relay.handles(path, key)]).toEqual([path, true])
    }
  })
})

describe('browsers', () => {
  it.each(['/v1/nonsense', '/models', '/user/balance', '/proxy/v1/chat/completions', '/openai/x', '/chat/completions'])(
    'may ask %s whether they may send their key',
    async (path) => {
      const headers = {
        'authorization': '',
        'origin': 'https://x.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type',
      }
      const answer = await callLab(lab, { path, method: 'OPTIONS', headers })
      expect([answer.status, answer.headers['access-control-allow-origin'], answer.headers['access-control-allow-headers']]).toEqual([
        204,
        '*',
        'authorization, content-type',
      ])
    },
  )
})

describe('offers to upgrade the protocol', () => {
  it.each(['h2c', 'TLS/1.2', 'h2c, foo'])('upgrade: %s is ignored, and the body and the next request are served', async (offer) => {
    const socket = rawSocket(lab)
    let got = ''
    socket.on('data', (data) => void (got += data.toString()))
    const body = JSON.stringify(CHAT_REQUEST)
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n`
    socket.write(`${head}connection: Upgrade, HTTP2-Settings\r\nupgrade: ${offer}\r\nhttp2-settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n\r\n${body}`)
    await waitForCondition(() => got.includes('completion_tokens'))
    expect(got).toContain('HTTP/1.1 200')
    expect(lab.upstream.seen[0]!.body).toBe(body)
    got = ''
    socket.write(`${head}\r\n${body}`)
    await waitForCondition(() => got.includes('completion_tokens'))
    socket.destroy()
  })
})

describe('settings of -1 are left out', () => {
  it.each([
    ['/v1/chat/completions', '{"model":"m","top_p": -1 ,"top_k":-1.0,"messages":[]}', { model: 'm', messages: [] }],
    ['/v1/chat/completions', '{"top_p":-1,"model":"m","messages":[],"top_k":-1}', { model: 'm', messages: [] }],
    ['/v1/responses', '{"model":"m","input":"Hi","top_p":-1}', { model: 'm', input: 'Hi' }],
    [
      '/v1/messages',
      '{"model":"m","max_tokens":5,"top_k":-1,"messages":[{"role":"user","content":"\\"top_k\\":-1"}]}',
      { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: '"top_k":-1' }] },
    ],
    ['/v1beta/models/m:generateContent', '{"contents":[],"generationConfig":{"topK":-1,"topP":-1}}', { contents: [], generationConfig: {} }],
    ['/v1/chat/completions', '{"model":"m","top_p":-0.5,"top_k":-10,"messages":[]}', { model: 'm', top_p: -0.5, top_k: -10, messages: [] }],
  ])('%s %s', async (path, body, sent) => {
    expect((await callLab(lab, { path, body })).status).toBe(200)
    expect(JSON.parse(lab.upstream.seen[0]!.body)).toEqual(sent)
  })
})

it('a Messages call without a version gets 2023-06-01; a version that the client names is kept', async () => {
  for (const [headers, version] of [
    [{}, '2023-06-01'],
    [{ 'anthropic-version': '2026-10-21' }, '2026-10-21'],
  ] as const) {
    expect((await callLab(lab, { path: '/v1/messages', body: CHAT_REQUEST, headers })).status).toBe(200)
    expect(lab.upstream.seen.at(-1)!.head.match(/anthropic-version: .*/gi)).toEqual([`anthropic-version: ${version}`])
  }
})

it('none of several credentials is forwarded, whatever their order', async () => {
  const names = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key'] as const
  for (const path of ['/v1/chat/completions', '/v1/messages', '/v1beta/models/m:generateContent', '/openai/deployments/m/chat/completions'])
    for (const first of names) {
      const headers = Object.fromEntries(
        names.map((name) => [name, name === first || first === 'authorization' ? TEST_KEY : name === 'authorization' ? '' : `other-${TEST_KEY}`]),
      )
      await callLab(lab, { path: `${path}?key=${TEST_KEY}`, body: CHAT_REQUEST, headers })
    }
  expect(lab.upstream.seen.length).toBeGreaterThan(4)
  for (const { head, path, body } of lab.upstream.seen) expect(`${path}${head}${body}`).not.toContain(TEST_KEY)
})
