import { describe, expect, it } from 'vitest'
import { aModel } from '../testing/fake-deps.ts'
import { computeAnthropicBounds } from './anthropic/messages.ts'
import { computeMaxInput } from '../bounds/bounds.ts'
import type { InputBounds } from '../bounds/bounds.ts'
import { computeGeminiBounds } from './gemini/gemini.ts'
import { computeChatBounds, computeEmbeddingBounds, computeResponsesBounds } from './openai/bounds.ts'

const WINDOW = 1_000_000
const model = aModel('m', [])
const DATA = 'iVBORw0KGgo'.repeat(1_000)
const bytes = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const chat = (content: unknown, more: object = {}): InputBounds =>
  computeChatBounds(bytes({ model: 'm', messages: [{ role: 'user', content }], ...more }), model)
const responses = (input: unknown, more: object = {}): InputBounds => computeResponsesBounds(bytes({ model: 'm', input, ...more }), model)
const parts = (...content: object[]): InputBounds => responses([{ role: 'user', content }])
const claude = (content: unknown, more: object = {}): InputBounds =>
  computeAnthropicBounds(bytes({ model: 'm', messages: [{ role: 'user', content }], ...more }))
const gemini = (part: object, more: object = {}): InputBounds => computeGeminiBounds(bytes({ contents: [{ role: 'user', parts: [part] }], ...more }))
const most = (bounds: InputBounds): number => computeMaxInput(bounds, WINDOW)

describe('text', () => {
  it('is a token a byte, whatever it is made of', () => {
    for (const text of ['hello', '0123456789'.repeat(50), '👩‍👩‍👧‍👦'.repeat(20), '天天中彩票']) {
      for (const bounds of [chat(text), responses(text), claude(text), gemini({ text })]) {
        expect(most(bounds)).toBeGreaterThanOrEqual(Buffer.byteLength(text))
        expect(most(bounds)).toBeLessThan(Buffer.byteLength(text) + 1_000)
      }
    }
  })
  it('is never more than the window holds', () => {
    expect(most(chat('x'.repeat(2_000_000)))).toBe(WINDOW)
  })
  it('of embeddings is not bounded by the window of one text, and numbers of tokens are counted', () => {
    expect(computeMaxInput(computeEmbeddingBounds(bytes({ model: 'm', input: Array.from({ length: 100 }, () => 'x'.repeat(1_000)) })), 8_191)).toBeGreaterThan(
      100_000,
    )
    const numbers = computeEmbeddingBounds(bytes({ model: 'm', input: [Array.from({ length: 1_000 }, (_, i) => 100_000 + i), [1, 2]] }))
    expect(numbers.text).toBe(1_002)
    expect(computeEmbeddingBounds(bytes({ model: 'm', input: ['a,b,c'] })).text).toBeGreaterThan(20)
  })
})

describe('pictures', () => {
  const url = `data:image/png;base64,${DATA}`
  it.each<[string, InputBounds]>([
    ['chat', chat([{ type: 'image_url', image_url: { url } }])],
    ['Responses', parts({ type: 'input_image', image_url: url })],
    ['a result of a tool', responses([{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: url }] }])],
    ['a screenshot', responses([{ type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: url } }])],
    ['Claude', claude([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } }])],
    [
      'Claude, from a tool',
      claude([{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } }] }]),
    ],
    ['Gemini', gemini({ inlineData: { mimeType: 'image/png', data: DATA } })],
    ['Gemini, in its other spelling', gemini({ inline_data: { mime_type: 'image/png', data: DATA } })],
    ['Gemini, from a function', gemini({ functionResponse: { name: 'f', response: {}, parts: [{ inlineData: { mimeType: 'image/png', data: DATA } }] } })],
  ])('%s: the vendor’s maximum, not its bytes', (_, bounds) => {
    expect(bounds.text).toBeLessThan(400)
    expect(bounds.omitted).toHaveLength(1)
    expect(bounds.added).toBe(0)
    expect(bounds.media).toBeGreaterThanOrEqual(2_000)
    expect(most(bounds)).toBeLessThan(18_000)
  })
  it.each<[string, InputBounds]>([
    ['chat', chat([{ type: 'image_url', image_url: { url: 'https://example.test/a.png' } }])],
    ['Responses', parts({ type: 'input_image', image_url: 'https://example.test/a.png' })],
    ['Claude', claude([{ type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } }])],
  ])('%s: the same where the vendor fetches it', (_, bounds) => {
    expect(bounds.added).toBe(0)
    expect(bounds.media).toBeGreaterThanOrEqual(4_000)
  })
  it('cost more tokens at gpt-4o-mini', () => {
    const body = bytes({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] })
    expect(computeChatBounds(body, aModel('gpt-4o-mini', [])).media).toBeGreaterThan(48_000)
  })
})

describe('content that cannot be counted here counts as the window', () => {
  const tool = (type: string) => ({ tools: [{ type }] })
  it.each<[string, InputBounds]>([
    ['a file by URL', parts({ type: 'input_file', file_url: 'https://example.test/a.pdf' })],
    ['a file by id', parts({ type: 'input_file', file_id: 'file-1' })],
    ['a file in the body', parts({ type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${DATA}` })],
    ['a file in chat', chat([{ type: 'file', file: { file_id: 'file-1' } }])],
    ['an earlier answer in sound', computeChatBounds(bytes({ messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }), model)],
    ['a previous response', responses('x', { previous_response_id: 'resp_1' })],
    ['a conversation', responses('x', { conversation: 'conv_1' })],
    ['a stored prompt', responses(undefined, { prompt: { id: 'pmpt_1' } })],
    ['a reference to an earlier item', responses([{ type: 'item_reference', id: 'msg_1' }])],
    ['an item without a type', responses([{ id: 'msg_1' }])],
    ['a stored thought by its id', responses([{ type: 'reasoning', id: 'rs_1', summary: [] }])],
    ['a stored thought whose text is empty', responses([{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: '' }])],
    ['a part of unknown type', parts({ type: 'input_hologram', url: 'x' })],
    ['an escaped key', computeChatBounds(bytes('{"messages":[{"role":"user","content":[{"type":"file","f\\u0069le":{"file_id":"f"}}]}]}'), model)],
    ['an escaped type', computeChatBounds(bytes('{"messages":[{"role":"user","content":[{"ty\\u0070e":"f\\u0069le","file":{"file_id":"f"}}]}]}'), model)],
    [
      'a type that comes twice',
      computeChatBounds(bytes('{"messages":[{"role":"user","content":[{"type":"file","type":"text","text":"x","file":{"file_id":"f"}}]}]}'), model),
    ],
    ['messages that come twice', computeChatBounds(bytes('{"messages":[{"role":"user","content":[{"type":"file"}]}],"messages":[]}'), model)],
    [
      'a byte order mark before it',
      computeChatBounds(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes({ messages: [{ content: [{ type: 'file' }] }] })]), model),
    ],
    ['more parts than are looked at', chat(Array.from({ length: 30_000 }, () => ({ type: 'text', text: '' })))],
    ['a PDF at Claude', claude([{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: DATA } }])],
    ['a document by URL at Claude', claude([{ type: 'document', source: { type: 'url', url: 'https://example.test/a.pdf' } }])],
    ['a container at Claude', claude('x', { container: 'container_1' })],
    ['an upload at Claude', claude([{ type: 'container_upload', file_id: 'f' }])],
    ['a fetched page, sent back', claude([{ type: 'web_fetch_tool_result', tool_use_id: 't', content: {} }])],
    ['a file at Gemini', gemini({ fileData: { fileUri: 'https://www.youtube.com/watch?v=1', mimeType: 'video/mp4' } })],
    ['a film at Gemini', gemini({ inlineData: { mimeType: 'video/mp4', data: DATA } })],
    ['sound that packs silence', gemini({ inlineData: { mimeType: 'audio/flac', data: Buffer.from('fLaC'.repeat(100)).toString('base64') } })],
    ['cached content of Gemini', gemini({ text: 'x' }, { cachedContent: 'cachedContents/1' })],
    ['a Gemini part of unknown type', gemini({ hologram: { uri: 'x' } })],
    ['code at OpenAI', responses('x', { ...tool('code_interpreter'), max_tool_calls: 0 })],
  ])('%s', (_, bounds) => {
    expect(most(bounds)).toBe(WINDOW)
  })
})

describe('the vendor’s own tools', () => {
  it('read the context again each time, as often as the request lets them', () => {
    expect(responses('x', { tools: [{ type: 'mcp', server_url: 'https://example.test' }], max_tool_calls: 3 })).toMatchObject({ reads: 4, isLoose: false })
    expect(responses('x', { tools: [{ type: 'mcp', server_url: 'https://example.test' }] })).toMatchObject({ reads: 11, isLoose: true })
    expect(most(responses('x', { tools: [{ type: 'web_search' }], max_tool_calls: 1 }))).toBeLessThan(2 * 131_000)
    expect(most(claude('x', { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }] }))).toBe(2 * WINDOW)
    expect(most(claude('x', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }))).toBe(10 * WINDOW)
    expect(most(claude('x', { mcp_servers: [{ type: 'url', url: 'https://example.test' }] }))).toBe(10 * WINDOW)
    expect(most(gemini({ text: 'x' }, { tools: [{ googleSearch: {} }] }))).toBe(2 * WINDOW)
    expect(most(gemini({ text: 'x' }, { tools: [{ code_execution: {} }] }))).toBe(6 * WINDOW)
  })
  it('differ from those of the client, which cost their words', () => {
    const schema = { type: 'object', properties: { url: { type: 'string' }, file_id: { type: 'string' } } }
    const all = [
      chat('x', { tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] }),
      responses('x', {
        tools: [
          { type: 'function', name: 'f', parameters: schema },
          { type: 'custom', name: 'c' },
        ],
      }),
      claude('x', {
        tools: [
          { name: 'f', input_schema: schema },
          { type: 'bash_20250124', name: 'bash' },
        ],
      }),
      claude([{ type: 'tool_use', id: 't', name: 'f', input: { url: 'https://example.test', file_id: 'f', data: DATA } }]),
      gemini({ text: 'x' }, { tools: [{ functionDeclarations: [{ name: 'f', parameters: schema }] }] }),
      gemini({ functionCall: { name: 'f', args: { fileUri: 'https://example.test' } } }),
    ]
    for (const bounds of all) {
      expect(bounds).toMatchObject({ reads: 1, added: 0, omitted: [] })
      expect(most(bounds)).toBeLessThan(DATA.length + 4_000)
    }
  })
})

describe('sound', () => {
  const wav = (rate: number, seconds: number): string => {
    const data = Buffer.alloc(44 + rate * seconds)
    data.write('RIFF', 0, 'latin1')
    data.writeUInt32LE(data.length - 8, 4)
    data.write('WAVEfmt ', 8, 'latin1')
    data.writeUInt32LE(16, 16)
    data.writeUInt16LE(1, 20)
    data.writeUInt16LE(1, 22)
    data.writeUInt32LE(rate, 24)
    data.writeUInt32LE(rate, 28)
    data.writeUInt16LE(1, 32)
    data.writeUInt16LE(8, 34)
    data.write('data', 36, 'latin1')
    data.writeUInt32LE(rate * seconds, 40)
    return data.toString('base64')
  }
  it('counts by its length', () => {
    const minute = gemini({ inlineData: { mimeType: 'audio/wav', data: wav(8_000, 60) } })
    expect(most(minute)).toBeGreaterThanOrEqual(60 * 32)
    expect(most(minute)).toBeLessThan(60 * 32 + 1_000)
    const mp3 = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(60_000)]).toString('base64')
    expect(most(chat([{ type: 'input_audio', input_audio: { format: 'mp3', data: mp3 } }]))).toBeGreaterThanOrEqual(600)
  })
})
