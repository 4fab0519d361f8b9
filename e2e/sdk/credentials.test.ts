import { describe, expect, test } from 'vitest'
import { SDK_MODELS, useSdkTarget } from './target.ts'

const target = useSdkTarget()

/** Every form of credentials that a client may use (wire.md 1). */
const FORMS: Readonly<Record<string, (key: string) => { headers?: Record<string, string>; query?: string }>> = {
  'authorization': (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  'authorization, lower case, spaces': (key) => ({ headers: { authorization: `bearer   ${key} ` } }),
  'x-api-key': (key) => ({ headers: { 'x-api-key': key } }),
  'x-goog-api-key': (key) => ({ headers: { 'x-goog-api-key': key } }),
  '?key=': (key) => ({ query: `key=${encodeURIComponent(key)}` }),
  'two forms that differ: authorization wins': (key) => ({ headers: { 'authorization': `Bearer ${key}`, 'x-api-key': 'placeholder' } }),
  'an empty bearer beside a key': (key) => ({ headers: { 'authorization': 'Bearer ', 'x-api-key': key } }),
}

const user = [{ role: 'user', content: 'Hi' }]
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const version = { 'anthropic-version': '2023-06-01' }
interface Asked {
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly shape: 'openai' | 'anthropic' | 'gemini'
}
const ROUTES: Readonly<Record<string, Asked>> = {
  'chat': { path: '/v1/chat/completions', body: { model: SDK_MODELS.chat, messages: user }, shape: 'openai' },
  'responses': { path: '/v1/responses', body: { model: SDK_MODELS.chat, input: 'Hi' }, shape: 'openai' },
  'embeddings': { path: '/v1/embeddings', body: { model: SDK_MODELS.embedding, input: 'Hi' }, shape: 'openai' },
  'messages': { path: '/v1/messages?beta=true', body: { model: SDK_MODELS.claude, max_tokens: 20, messages: user }, headers: version, shape: 'anthropic' },
  'count_tokens': { path: '/v1/messages/count_tokens', body: { model: SDK_MODELS.claude, messages: user }, headers: version, shape: 'anthropic' },
  'generateContent': { path: `/v1beta/models/${SDK_MODELS.gemini}:generateContent`, body: { contents }, shape: 'gemini' },
  'generateContent, v1': { path: `/v1/models/${SDK_MODELS.gemini}:generateContent`, body: { contents }, shape: 'gemini' },
  'streamGenerateContent': { path: `/v1beta/models/${SDK_MODELS.gemini}:streamGenerateContent?alt=sse`, body: { contents }, shape: 'gemini' },
  'countTokens': { path: `/v1beta/models/${SDK_MODELS.gemini}:countTokens`, body: { contents }, shape: 'gemini' },
  'embedContent': { path: `/v1beta/models/${SDK_MODELS.geminiEmbedding}:embedContent`, body: { content: contents[0] }, shape: 'gemini' },
  'models, Gemini': { path: '/v1beta/models', shape: 'gemini' },
  'models, Anthropic': { path: '/v1/models', headers: version, shape: 'anthropic' },
}

async function send(asked: Asked, { headers = {}, query = '' }: { headers?: Record<string, string>; query?: string }): Promise<Response> {
  const path = query ? `${asked.path}${asked.path.includes('?') ? '&' : '?'}${query}` : asked.path
  return fetch(target.baseUrl + path, {
    method: asked.body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...asked.headers, ...headers },
    ...(asked.body ? { body: JSON.stringify(asked.body) } : {}),
  })
}

describe.each(Object.keys(ROUTES))('%s', (name) => {
  const asked = ROUTES[name]!

  test.each(Object.keys(FORMS))('takes %s', async (form) => {
    const answer = await send(asked, FORMS[form]!(target.apiKey))
    expect(answer.status, await answer.text()).toBe(200)
  })

  test.each([
    ['no key', {}],
    ['a wrong key', { headers: { authorization: 'Bearer sk-wrong' } }],
  ] as const)("refuses %s in the vendor's shape", async (_, credential) => {
    const answer = await send(asked, credential)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toContain('application/json')
    const body = (await answer.json()) as Record<string, Record<string, unknown>>
    if (asked.shape === 'anthropic') expect(body).toMatchObject({ type: 'error', error: { type: 'authentication_error', message: expect.any(String) } })
    else if (asked.shape === 'gemini') expect(body).toMatchObject({ error: { code: 401, status: 'UNAUTHENTICATED', message: expect.any(String) } })
    else
      expect(body).toMatchObject({ error: { message: expect.any(String), type: expect.any(String), code: 'headers' in credential ? 'invalid_api_key' : null } })
  })
})

test('the list of models has the form of its caller', async () => {
  const list = async (headers: Record<string, string>) =>
    (await send({ path: '/v1/models', shape: 'openai' }, { headers })).json() as Promise<Record<string, unknown>>
  const authorization = `Bearer ${target.apiKey}`
  expect(await list({ authorization })).toMatchObject({ object: 'list' })
  expect(await list({ authorization, ...version })).toMatchObject({ has_more: expect.any(Boolean), first_id: expect.any(String) })
  // @google/genai 3 lists models on /v1 too.
  expect(await list({ 'x-goog-api-key': target.apiKey })).toMatchObject({ models: expect.any(Array) })
})
