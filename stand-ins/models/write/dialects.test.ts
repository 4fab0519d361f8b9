import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../read/json.ts'
import { startModelStandIn, type RunningModelStandIn } from '../test-server.ts'

let box: RunningModelStandIn
beforeAll(async () => void (box = await startModelStandIn()))
afterAll(() => box.stop())

interface Answered {
  readonly status: number
  readonly body: JsonObject & { readonly error?: JsonObject }
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answered> {
  const answer = await fetch(box.url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'authorization': 'Bearer sandbox', 'anthropic-version': '2023-06-01', ...headers },
  })
  return { status: answer.status, body: (await answer.json()) as Answered['body'] }
}
const get = async (path: string, headers: Record<string, string> = { authorization: 'Bearer sandbox' }) => {
  const answer = await fetch(box.url + path, { headers })
  return { status: answer.status, body: (await answer.json()) as JsonObject & { readonly data?: readonly JsonObject[] } }
}
const user = (content: Json): JsonObject[] => [{ role: 'user', content }]

describe("under a vendor's prefix", () => {
  const chat = { model: 'm', messages: user('Hi') }
  test.each([
    ['/openai/v1/chat/completions', { 'x-api-key': 'sandbox' }, 401],
    ['/openai/v1/chat/completions', { authorization: 'Bearer sandbox' }, 200],
    ['/openai/v1/chat/completions', { authorization: 'Bearer other' }, 401],
    ['/openai/v1/messages', { authorization: 'Bearer sandbox' }, 404],
    ['/google/v1/chat/completions', { 'x-goog-api-key': 'sandbox' }, 404],
  ] as const)('%s with %o is %i', async (path, headers, status) => {
    const answer = await fetch(box.url + path, { method: 'POST', body: JSON.stringify(chat), headers })
    expect(answer.status).toBe(status)
  })

  test('the list of models follows the prefix', async () => {
    expect((await get('/openai/v1/models')).body).toMatchObject({ object: 'list' })
    expect((await get('/anthropic/v1/models')).body).toMatchObject({ has_more: false })
    expect((await get('/google/v1/models?key=sandbox')).body).toHaveProperty('models')
  })
})

describe('openai', () => {
  test('tool turns must answer each other', async () => {
    const call = { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }] }
    const orphan = await post('/v1/chat/completions', { model: 'm', messages: [...user('Hi'), { role: 'tool', tool_call_id: 'c1', content: 'x' }] })
    expect(orphan).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error', param: 'messages[1].role' } } })
    expect((await post('/v1/chat/completions', { model: 'm', messages: [...user('Hi'), call, ...user('?')] })).status).toBe(400)
  })

  test('responses are stored: previous_response_id, item references, GET, DELETE', async () => {
    const first = await post('/v1/responses', { model: 'm', input: 'My word is Tangerine' })
    const id = String(first.body['id'])
    const next = await post('/v1/responses', { model: 'm', previous_response_id: id, input: 'And now?' })
    const alone = await post('/v1/responses', { model: 'm', input: 'And now?' })
    const tokens = (it: Answered) => Number((it.body['usage'] as JsonObject)['input_tokens'])
    expect(tokens(next)).toBeGreaterThan(tokens(alone))
    const item = String((first.body['output'] as JsonObject[])[0]!['id'])
    expect((await post('/v1/responses', { model: 'm', input: [{ type: 'item_reference', id: item }, ...user('?')] })).status).toBe(200)
    expect((await get(`/v1/responses/${id}`)).body).toMatchObject({ id, status: 'completed' })
    expect((await fetch(`${box.url}/v1/responses/${id}`, { method: 'DELETE', headers: { authorization: 'Bearer sandbox' } })).status).toBe(200)
    expect((await get(`/v1/responses/${id}`)).status).toBe(404)
    expect((await post('/v1/responses', { model: 'm', previous_response_id: id, input: 'x' })).body.error).toMatchObject({
      code: 'previous_response_not_found',
    })
    expect((await post('/v1/responses/input_tokens', { model: 'm', input: 'And now?' })).body).toEqual({
      object: 'response.input_tokens',
      input_tokens: tokens(alone),
    })
  })

  test('invalid JSON, too small limits, no messages', async () => {
    expect((await post('/v1/chat/completions', '{"model":')).status).toBe(400)
    expect((await post('/v1/chat/completions', { model: 'm' })).body.error).toMatchObject({ param: 'messages', code: 'missing_required_parameter' })
    expect((await post('/v1/responses', { model: 'm', input: 'x', max_output_tokens: 3 })).body.error).toMatchObject({ code: 'integer_below_min_value' })
    expect((await post('/openai/v1/nothing', {})).body.error).toMatchObject({ code: 'unknown_url' })
  })
})

describe('anthropic', () => {
  const ask = (more: JsonObject, headers = {}) => post('/v1/messages', { model: 'claude', max_tokens: 100, messages: user('Hi'), ...more }, headers)
  test.each([
    ['no version', {}, { 'anthropic-version': '' }, 'header is required'],
    ['no cap', { max_tokens: undefined }, {}, 'max_tokens'],
    ['five breakpoints', { system: Array.from({ length: 5 }, () => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } })) }, {}, 'maximum of 4'],
    ['a small budget', { thinking: { type: 'enabled', budget_tokens: 10 } }, {}, '1024'],
    ['a budget above the cap', { thinking: { type: 'enabled', budget_tokens: 2048 } }, {}, 'max_tokens'],
    ['thinking with a forced tool', { thinking: { type: 'adaptive' }, tool_choice: { type: 'any' } }, {}, 'forces tool use'],
    ['a result without a call', { messages: user([{ type: 'tool_result', tool_use_id: 'x', content: 'y' }]) }, {}, 'tool_use_id'],
    [
      'a document of the assistant',
      { messages: [...user('Hi'), { role: 'assistant', content: [{ type: 'document' }] }, ...user('?')] },
      { 'anthropic-version': '2026-10-21' },
      'document',
    ],
    ['citations of the user', { messages: user([{ type: 'text', text: 'Hi', citations: [{}] }]) }, { 'anthropic-version': '2026-10-21' }, 'citations'],
    ['top_k', { top_k: 3 }, { 'anthropic-version': '2026-10-21' }, 'top_k: Extra inputs'],
  ] as const)('%s is refused', async (_, more, headers, text) => {
    const answer = await ask(more as unknown as JsonObject, headers)
    expect(answer).toMatchObject({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message: expect.stringContaining(text) }, request_id: expect.stringMatching(/^req_/) },
    })
  })

  test('an omitted thought is empty, signed, and may come back', async () => {
    const thinking = { type: 'adaptive', display: 'omitted' }
    const { body } = await ask({ thinking })
    const content = body['content'] as JsonObject[]
    expect(content[0]).toMatchObject({ type: 'thinking', thinking: '', signature: expect.any(String) })
    expect((await ask({ thinking, messages: [...user('Hi'), { role: 'assistant', content }, ...user('?')] })).status).toBe(200)
  })

  test('pages of models, forwards and backwards', async () => {
    const first = await get('/anthropic/v1/models?limit=2')
    expect(first.body).toMatchObject({ has_more: true })
    const second = await get(`/anthropic/v1/models?limit=2&after_id=${String(first.body['last_id'])}`)
    expect(second.body).toMatchObject({ has_more: false })
    const back = await get(`/anthropic/v1/models?limit=2&before_id=${String(second.body['first_id'])}`)
    expect(back.body.data).toEqual(first.body.data)
  })
})

describe('gemini', () => {
  test('both spellings of a field; a Gemini 3 call must keep its signature', async () => {
    const snake = {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generation_config: { max_output_tokens: 3, thinking_config: { thinking_budget: 0 } },
    }
    expect((await post('/v1beta/models/gemini-2.5-flash:generateContent', snake)).body['usageMetadata']).toMatchObject({ candidatesTokenCount: 3 })
    const turns = (model: JsonObject) => ({
      contents: [snake.contents[0], { role: 'model', parts: [model] }, { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] }],
    })
    const bare = await post('/v1beta/models/gemini-3.8-flash:generateContent', turns({ functionCall: { name: 'f', args: {} } }))
    expect(bare).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT', message: expect.stringContaining('thought_signature') } } })
    expect((await post('/v1beta/models/gemini-2.5-flash:generateContent', turns({ functionCall: { name: 'f', args: {} } }))).status).toBe(200)
  })

  test('a model name may hold slashes and be encoded', async () => {
    const body = { contents: [{ parts: [{ text: 'Hi' }] }] }
    expect((await post('/v1beta/models/my%2Fmodel:generateContent', body)).body['modelVersion']).toBe('my/model')
    expect((await post('/v1beta/tunedModels/x:countTokens', body)).body['totalTokens']).toBeGreaterThan(0)
  })
})

test('the book lists from a moment on', async () => {
  const before = Date.now()
  await post('/v1/embeddings', { model: 'e', input: ['a', 'b c'] }, { 'x-mingxi-call-id': 'listed' })
  const { body } = await get(`/book?since=${before}`)
  expect(body['entries']).toEqual(expect.arrayContaining([expect.objectContaining({ callId: 'listed', dialect: 'openai-embeddings', status: 'finished' })]))
  expect((await get('/book?since=0', {})).status).toBe(401)
  expect((await get('/book')).status).toBe(400)
})
