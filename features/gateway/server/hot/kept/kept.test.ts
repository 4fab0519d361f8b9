import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, callLab, openLab } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { findReferences } from './references.ts'

let lab: Lab
const asked: (readonly string[])[] = []
const own = new Set<string>()
beforeEach(async () => {
  asked.length = 0
  own.clear()
  lab = await openLab()
  Object.assign(lab.deps, {
    madeFor: async (_account: bigint, ids: readonly string[]) => {
      asked.push(ids)
      return new Set(ids.filter((id) => own.has(id)))
    },
  })
})
afterEach(() => lab.close())

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  store: true,
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: '"id":"no"' }] },
  ],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
}
function serve(type: string, body: string): void {
  lab.upstream.answer = (_seen, socket) =>
    void socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`)
}
const event = (type: string, value: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`
const respond = (more: object) => callLab(lab, { path: '/v1/responses', body: { model: 'm', input: 'x', ...more } })

describe('ids that belong to an account', () => {
  it('a response’s ids are written with its usage row, whole or streamed', async () => {
    serve('application/json', JSON.stringify(RESPONSE))
    expect((await respond({})).status).toBe(200)
    serve('text/event-stream', event('response.created', { response: { id: 'resp_1' } }) + event('response.completed', { response: RESPONSE }))
    expect((await respond({ stream: true })).status).toBe(200)
    expect(lab.journal.settled.map(({ madeIds }) => madeIds)).toEqual([
      ['resp_1', 'rs_1', 'msg_1'],
      ['resp_1', 'rs_1', 'msg_1'],
    ])
    expect(asked).toEqual([])
  })

  it('a response that is not stored still records the container that its code ran in', async () => {
    const ran = { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', code: '1', outputs: null }
    for (const store of [true, false]) {
      serve('application/json', JSON.stringify({ ...RESPONSE, store, output: [ran] }))
      await respond({ store })
    }
    expect(lab.journal.settled.map(({ madeIds }) => madeIds)).toEqual([['resp_1', 'ci_1', 'cntr_1'], ['cntr_1']])
    own.add('cntr_1')
    serve('application/json', JSON.stringify(RESPONSE))
    expect((await respond({ input: [ran] })).status).toBe(200)
  })

  it('a response that is not stored, or of another dialect, records no ids', async () => {
    serve('application/json', JSON.stringify({ ...RESPONSE, store: false }))
    await respond({ store: false })
    serve('application/json', '{"id":"chatcmpl","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}')
    await callLab(lab, { body: CHAT_REQUEST })
    expect(lab.journal.settled.map(({ madeIds }) => madeIds)).toEqual([undefined, undefined])
  })

  it('an account’s own id passes unchanged', async () => {
    own.add('resp_1').add('msg_1')
    serve('application/json', JSON.stringify(RESPONSE))
    expect((await respond({ previous_response_id: 'resp_1', input: [{ type: 'item_reference', id: 'msg_1' }] })).status).toBe(200)
    expect(asked).toEqual([['resp_1', 'msg_1']])
    expect(JSON.parse(lab.upstream.seen[0]!.body).previous_response_id).toBe('resp_1')
  })

  it('another account’s id is not found, in the vendor’s words, and no money is touched', async () => {
    const { status, body } = await respond({ previous_response_id: 'resp_of_another' })
    expect(status).toBe(400)
    expect(JSON.parse(body).error).toEqual({
      message: "Previous response with id 'resp_of_another' not found.",
      type: 'invalid_request_error',
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    })
    const item = await respond({ input: [{ id: 'msg_of_another' }] })
    expect([item.status, JSON.parse(item.body).error.param]).toEqual([404, 'input'])
    for (const bare of [
      { type: 'reasoning', id: 'rs_of_another', summary: [] },
      { type: 'reasoning', id: 'rs_of_another', summary: [], encrypted_content: null },
      { type: 'reasoning', id: 'rs_of_another', summary: [], encrypted_content: '' },
      { type: 'image_generation_call', id: 'ig_of_another', status: 'completed' },
      { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_of_another', code: '1', outputs: null },
    ])
      expect((await respond({ input: [bare] })).status).toBe(404)
    expect(lab.upstream.seen).toEqual([])
    expect(lab.journal.reserved).toEqual([])
    const twice = '{"model":"m","input":[{"type":"reasoning","id":"rs_of_another","encrypted_content":"x","encrypted_content":null}]}'
    expect((await callLab(lab, { path: '/v1/responses', body: twice })).status).toBe(404)
    expect(lab.upstream.seen).toEqual([])
    own.add('rs_1')
    serve('application/json', JSON.stringify(RESPONSE))
    const whole = { type: 'reasoning', id: 'rs_of_another', summary: [], encrypted_content: 'sealed' }
    expect((await respond({ input: [{ type: 'reasoning', id: 'rs_1', summary: [] }, whole] })).status).toBe(200)
  })

  it('both values of a repeated key are looked up: a vendor may read either', async () => {
    own.add('resp_1')
    const { status } = await callLab(lab, {
      path: '/v1/responses',
      body: '{"model":"m","input":"x","previous_response_id":"resp_of_another","previous_respons\\u0065_id":"resp_1"}',
    })
    expect(status).toBe(400)
  })

  it('a failed lookup refuses the request with 503', async () => {
    Object.assign(lab.deps, { madeFor: () => Promise.reject(new Error('away')) })
    expect((await respond({ previous_response_id: 'resp_1' })).status).toBe(503)
  })
})

describe('ids of objects that are never made here are refused by name', () => {
  const responses = (more: object) => ['/v1/responses', { model: 'm', input: 'x', ...more }] as const
  const part = (content: object) => responses({ input: [{ role: 'user', content: [content] }] })
  const messages = (more: object) => ['/v1/messages', { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }], ...more }] as const
  const gemini = (more: object) => ['/v1beta/models/m:generateContent', { contents: [{ parts: [{ text: 'x' }] }], ...more }] as const
  it.each<readonly [string, readonly [string, object]]>([
    ['conversation', responses({ conversation: { id: 'conv_1' } })],
    ['file_id', part({ type: 'input_file', file_id: 'file-1' })],
    ['file_id', part({ type: 'input_image', file_id: 'file-1' })],
    ['container_id', responses({ input: [{ type: 'shell_call', environment: { type: 'container_reference', container_id: 'cntr_1' } }] })],
    ['file_id', ['/v1/chat/completions', { ...CHAT_REQUEST, messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] }]],
    ['audio.id', ['/v1/chat/completions', { ...CHAT_REQUEST, messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }]],
    ['file_id', messages({ messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }] }] })],
    [
      'file_id',
      messages({
        messages: [
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] },
        ],
      }),
    ],
    ['file_id', messages({ messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'file_1' }] }] })],
    ['container', messages({ container: 'container_1' })],
    ['container.id', messages({ container: { id: 'container_1' } })],
    ['cachedContent', gemini({ cachedContent: 'cachedContents/1' })],
    ['cached_content', gemini({ cached_content: 'cachedContents/1' })],
    ['fileUri', gemini({ contents: [{ parts: [{ fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/1' } }] }] })],
    ['fileUri', gemini({ contents: [{ parts: [{ fileData: { fileUri: 'HTTPS://x@GenerativeLanguage.googleapis.com.:443/files/1' } }] }] })],
    ['file_uri', gemini({ contents: [{ parts: [{ file_data: { file_uri: 'files/1' } }] }] })],
    ['fileUri', gemini({ contents: [{ parts: [{ fileData: { fileUri: 'gs://bucket/1' } }] }] })],
    ['cachedContent', ['/v1beta/models/m:countTokens', { contents: [], cachedContent: 'cachedContents/1' }]],
    ['cachedContent', ['/v1beta/models/m:countTokens', { generateContentRequest: { contents: [], cachedContent: 'cachedContents/1' } }]],
    [
      'file_id',
      ['/v1/messages/count_tokens', messages({ messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] })[1]],
    ],
  ])('%s: %j', async (field, [path, body]) => {
    const answer = await callLab(lab, { path, body })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body).error.message).toContain(`\`${field}\` names`)
    expect(answer.headers['x-should-retry']).toBe('false')
    expect(lab.upstream.seen).toEqual([])
  })

  it.each<readonly [string, readonly [string, object]]>([
    ['`prompt` is kept', responses({ prompt: { id: 'pmpt_1' } })],
    ['`file_search` searches files that are kept', responses({ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] })],
    ['`file_search` searches', responses({ input: [{ type: 'additional_tools', tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }] })],
    ['containers are not kept here', responses({ tools: [{ type: 'code_interpreter', container: 'cntr_1' }] })],
    ['not sold for `m`', responses({ tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } }] })],
    ['`shell` is sold with', responses({ tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: 'cntr_1' } }] })],
    ['is not served here', responses({ tools: [{ type: 'image_generation', input_image_mask: { file_id: 'file-1' } }] })],
    ['`fileSearch` searches files that are kept', gemini({ tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }] })],
  ])('an unserved feature is refused before the ids in it are looked up: %s: %j', async (words, [path, body]) => {
    const answer = await callLab(lab, { path, body })
    expect([answer.status, JSON.parse(answer.body).error.message]).toEqual([400, expect.stringContaining(words)])
    expect(lab.upstream.seen).toEqual([])
  })

  it('a key with escaped letters is recognized', () => {
    for (const key of ['file\\u005fid', '\\u0066ile_id', 'file_i\\u0064']) {
      const body = `{"messages":[{"role":"user","content":[{"type":"file","file":{"${key}":"file-1"}}]}]}`
      expect(findReferences(Buffer.from(body), 'openai-chat')).toMatchObject({ cause: 'not_kept', field: 'file_id' })
    }
  })

  it.each<readonly [string, Parameters<typeof findReferences>[1], object]>([
    [
      'arguments of tools',
      'anthropic-messages',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'n', input: { file_id: 'theirs', source: { type: 'file', file_id: 'x' } } }] },
        ],
      },
    ],
    [
      'schemas of tools',
      'openai-responses',
      { tools: [{ type: 'function', name: 'f', parameters: { properties: { file_id: { const: 'a', file_id: 'b' } } } }] },
    ],
    [
      'history of a vendor’s tools',
      'anthropic-messages',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'code_execution_tool_result', content: { content: [{ type: 'code_execution_output', file_id: 'f' }] } }] },
        ],
      },
    ],
    [
      'citations',
      'openai-responses',
      {
        input: [
          {
            type: 'message',
            role: 'assistant',
            id: 'msg_1',
            content: [{ type: 'output_text', text: 'x', annotations: [{ type: 'file_citation', file_id: 'f' }] }],
          },
        ],
      },
    ],
    ['acknowledged checks', 'openai-responses', { input: [{ type: 'computer_call_output', acknowledged_safety_checks: [{ id: 'sc_1' }] }] }],
    ['messages with an id', 'openai-responses', { input: [{ id: 'msg_1', role: 'assistant', content: 'x' }] }],
    ['new containers and the vendor’s skills', 'anthropic-messages', { container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } }],
    ['new containers', 'openai-responses', { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: [] } }] }],
    ['arguments', 'gemini-generate', { contents: [{ parts: [{ functionCall: { name: 'f', args: { fileUri: 'files/1' } } }] }] }],
    ['public addresses', 'gemini-generate', { contents: [{ parts: [{ fileData: { fileUri: 'https://www.youtube.com/watch?v=1' } }] }] }],
    [
      'schemas of listed tools, and what a shell is given',
      'openai-responses',
      {
        input: [
          { type: 'mcp_list_tools', id: 'mcpl_1', tools: [{ name: 'n', input_schema: { properties: { container_id: { type: 'string' }, file_ids: ['a'] } } }] },
          { type: 'local_shell_call', id: 'lsh_1', action: { type: 'exec', env: { container: 'podman', container_id: 'x' } } },
        ],
      },
    ],
    ['nulls', 'openai-responses', { previous_response_id: null, conversation: null, prompt: null }],
  ])('%s pass', (_, dialect, body) => {
    expect(findReferences(Buffer.from(JSON.stringify(body)), dialect)).toEqual({ previous: [], items: [] })
  })
})
