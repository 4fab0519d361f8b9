import { describe, expect, it } from 'vitest'
import type { Trait } from '../deps.ts'
import { parseEventJson } from '../dialects/sse.ts'
import type { Raw } from '../usage/usage.ts'
import { collectDropped } from './dropped.ts'
import type { AnswerEvent, ModelDialect } from './form.ts'
import { SAMPLE_REQUESTS } from './samples.ts'
import { DIALECT_CODECS, gatherAnswer } from './index.ts'

const HEAD = { id: 'abc', model: 'm', created: 1_700_000_000 }
const plain = (value: unknown): Raw => JSON.parse(JSON.stringify(value)) as Raw

/** The request of one dialect, translated to another. */
function writeRequestAs(from: ModelDialect, more: Raw, to: ModelDialect, traits: readonly Trait[] = []): Raw {
  return plain(
    DIALECT_CODECS[to].writeAsk(DIALECT_CODECS[from].readAsk({ ...SAMPLE_REQUESTS[from], ...more }, false), {
      model: 'm',
      mostOutput: 64_000,
      traits: new Set(traits),
    }),
  )
}

/** Splits a stream's bytes into the events that its dialect's reader expects. */
function parseStreamEvents(dialect: ModelDialect, bytes: string): AnswerEvent[] {
  const reader = DIALECT_CODECS[dialect].streamReader()
  return bytes.split(/\r?\n\r?\n/).flatMap((block) => {
    const json = parseEventJson(Buffer.from(`${block}\n\n`))
    return json === undefined ? [] : [...reader(json)]
  })
}
function writeEventsAs(
  dialect: ModelDialect,
  said: readonly AnswerEvent[],
  spaces = DIALECT_CODECS[dialect].readAsk(SAMPLE_REQUESTS[dialect], true).spaces,
): string {
  const writer = DIALECT_CODECS[dialect].streamWriter({ ...HEAD, spaces }, { usage: true, sse: true })
  return said.map((one) => writer.said(one)).join('') + writer.end()
}

const TWO: readonly AnswerEvent[] = [
  { kind: 'text', text: 'one' },
  { kind: 'choice', index: 1 },
  { kind: 'call', id: 'c1', name: 'weather', seal: undefined },
  { kind: 'args', text: '{"city":' },
  { kind: 'choice', index: 0 },
  { kind: 'text', text: ' more' },
  { kind: 'choice', index: 1 },
  { kind: 'args', text: '"Paris"}' },
  { kind: 'stop', stop: 'tools', sequence: undefined },
  { kind: 'choice', index: 0 },
  { kind: 'stop', stop: 'length', sequence: undefined },
]

describe.each(['openai-chat', 'gemini-generate'] as const)('several answers in %s', (dialect) => {
  const expectTwo = (said: readonly AnswerEvent[]): void => {
    const answer = gatherAnswer(said)
    expect(answer.parts.map((part) => ('text' in part ? part.text : '')).join('')).toBe('one more')
    expect(answer.stop).toBe('length')
    expect(answer.others).toHaveLength(1)
    expect(answer.others[0]!.parts.find((part) => part.kind === 'call')).toMatchObject({ name: 'weather', args: '{"city":"Paris"}' })
    expect(answer.others[0]!.stop).toBe('tools')
  }
  it('stay separate when interleaved in a stream', () => expectTwo(parseStreamEvents(dialect, writeEventsAs(dialect, TWO))))
  it('stay separate in a whole answer', () =>
    expectTwo(DIALECT_CODECS[dialect].readAnswer(plain(DIALECT_CODECS[dialect].writeAnswer(gatherAnswer(TWO), HEAD)))))
  it('are asked for', () => {
    const other = dialect === 'openai-chat' ? 'gemini-generate' : 'openai-chat'
    const more = dialect === 'openai-chat' ? { n: 3 } : { generationConfig: { candidateCount: 3 } }
    expect(writeRequestAs(dialect, more, other)).toMatchObject(other === 'openai-chat' ? { n: 3 } : { generationConfig: { candidateCount: 3 } })
  })
})

const LOGPROBS = [{ token: '你', logprob: -0.25, top: [{ token: '好', logprob: -1.5 }] }]

describe.each(['openai-chat', 'openai-responses', 'gemini-generate'] as const)('log probabilities in %s', (dialect) => {
  const said: readonly AnswerEvent[] = [
    { kind: 'text', text: '你', logprobs: LOGPROBS },
    { kind: 'stop', stop: 'end', sequence: undefined },
  ]
  const found = (all: readonly AnswerEvent[]) => gatherAnswer(all).parts.flatMap((part) => (part.kind === 'text' ? part.logprobs : []))
  it('go both ways', () => {
    expect(found(parseStreamEvents(dialect, writeEventsAs(dialect, said)))).toEqual(LOGPROBS)
    expect(found(DIALECT_CODECS[dialect].readAnswer(plain(DIALECT_CODECS[dialect].writeAnswer(gatherAnswer(said), HEAD))))).toEqual(LOGPROBS)
  })
  it('are asked for, and only then', () => {
    const wishes: Readonly<Record<string, Raw>> = {
      'openai-chat': { logprobs: true, top_logprobs: 2 },
      'openai-responses': { include: ['message.output_text.logprobs'], top_logprobs: 2 },
      'gemini-generate': { generationConfig: { responseLogprobs: true, logprobs: 2 } },
    }
    for (const to of Object.keys(wishes) as ModelDialect[]) {
      if (to === dialect) continue
      expect(JSON.stringify(writeRequestAs(dialect, wishes[dialect]!, to))).toContain(to === 'gemini-generate' ? '"logprobs":2' : '"top_logprobs":2')
      expect(JSON.stringify(writeRequestAs(dialect, {}, to))).not.toContain('logprobs')
    }
  })
})

describe('thinking of Claude models by their age', () => {
  const think = (effort: string, traits: readonly Trait[], cap?: number) => {
    const more = { reasoning_effort: effort, max_completion_tokens: cap ?? 20_000 }
    const { thinking, output_config: outputConfig } = writeRequestAs('openai-chat', { ...more, response_format: undefined }, 'anthropic-messages', traits)
    return { thinking, output_config: outputConfig }
  }
  it('is set by effort since 4.6, by tokens before', () => {
    expect(think('high', [])).toEqual({ thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } })
    expect(think('high', ['thinks-by-budget'])).toEqual({ thinking: { type: 'enabled', budget_tokens: 16_384 }, output_config: undefined })
  })
  it('the budget stays below the cap, which may leave no room', () => {
    expect(think('high', ['thinks-by-budget'], 5_000).thinking).toEqual({ type: 'enabled', budget_tokens: 4_999 })
    expect(think('high', ['thinks-by-budget'], 1_000).thinking).toBeUndefined()
  })
  it('is turned off by effort none where possible', () => {
    expect(think('none', []).thinking).toBeUndefined()
    expect(think('none', ['thinks-unless-told']).thinking).toEqual({ type: 'disabled' })
    expect(collectDropped(() => think('none', ['always-thinks']).thinking)).toEqual({ value: undefined, dropped: ['reasoning_effort'] })
  })
})

describe('a cap that the caller did not name', () => {
  it('is the most that the model can say', () => {
    expect(writeRequestAs('openai-chat', { max_completion_tokens: undefined }, 'anthropic-messages')).toMatchObject({ max_tokens: 64_000 })
  })
})

describe('settings at their defaults', () => {
  it('are left out, and not reported as dropped', () => {
    const usual = { temperature: 1, topP: 0.95, topK: 64 }
    expect(writeRequestAs('gemini-generate', { generationConfig: usual }, 'openai-responses')).not.toHaveProperty('temperature')
    expect(collectDropped(() => writeRequestAs('gemini-generate', { generationConfig: { topK: 40 } }, 'openai-responses')).dropped).toEqual([
      'generationConfig.topK',
    ])
    expect(collectDropped(() => writeRequestAs('gemini-generate', { generationConfig: usual }, 'openai-responses')).dropped).toEqual([])
    expect(writeRequestAs('openai-chat', { temperature: 1, top_p: 1 }, 'anthropic-messages')).not.toHaveProperty('temperature')
  })
})

describe('requests of Claude Code', () => {
  const system = { role: 'system', content: 'Be careful.' }
  const messages = [{ role: 'user', content: 'Hi' }, system]
  it('system messages among the turns keep their place or join the first ones', () => {
    expect(writeRequestAs('anthropic-messages', { messages }, 'openai-chat')['messages']).toMatchObject([{ role: 'system' }, { role: 'user' }, system])
    expect(writeRequestAs('anthropic-messages', { messages }, 'gemini-generate')).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be careful.' }] },
      contents: [{ role: 'user' }],
    })
    const chat = { messages: [{ role: 'user', content: 'Hi' }, system, { role: 'user', content: 'Ho' }] }
    expect(writeRequestAs('openai-chat', chat, 'anthropic-messages')).toMatchObject({ system: [{ text: 'Be careful.' }], messages: [{ role: 'user' }] })
    expect(writeRequestAs('openai-chat', { messages }, 'anthropic-messages', ['system-turns'])).toMatchObject({
      messages: [{ role: 'user' }, { role: 'system' }],
    })
  })
  it('a system message for one turn is gone after it', () => {
    const once = { ...system, clear_at: 'next_user_message' }
    expect(writeRequestAs('anthropic-messages', { messages: [messages[0], once] }, 'openai-chat')['messages']).toHaveLength(3)
    expect(writeRequestAs('anthropic-messages', { messages: [messages[0], once, messages[0]] }, 'openai-chat')['messages']).toHaveLength(2)
  })
  it('a deferred tool is there once a result refers to it', () => {
    const search = { name: 'ToolSearch', input_schema: { type: 'object' } }
    const tools = [search, { name: 'Fetch', input_schema: { type: 'object' }, defer_loading: true }]
    const names = (more: Raw) => (writeRequestAs('anthropic-messages', { tools, tool_choice: undefined, ...more }, 'openai-chat')['tools'] as Raw[]).length
    expect(names({ messages })).toBe(1)
    const found = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: 'Fetch' }] }
    const used = { type: 'tool_use', id: 't1', name: 'ToolSearch', input: {} }
    expect(names({ messages: [messages[0], { role: 'assistant', content: [used] }, { role: 'user', content: [found] }] })).toBe(2)
  })
  it('a setting for the thoughts to keep changes nothing', () => {
    const edits = [{ type: 'clear_thinking_20251015', keep: 'all' }]
    expect(writeRequestAs('anthropic-messages', { context_management: { edits } }, 'openai-chat')).toEqual(
      writeRequestAs('anthropic-messages', {}, 'openai-chat'),
    )
  })
})

describe('sound', () => {
  const wav = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }
  const heardBy = (from: ModelDialect, more: Raw, to: ModelDialect) => JSON.stringify(writeRequestAs(from, more, to))
  const chat = { messages: [{ role: 'user', content: [wav] }] }
  const gemini = { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } }] }] }
  it('goes between the two dialects that take it', () => {
    expect(heardBy('openai-chat', chat, 'gemini-generate')).toContain('"inlineData":{"mimeType":"audio/wav","data":"UklGRg=="}')
    expect(heardBy('gemini-generate', gemini, 'openai-chat')).toContain(JSON.stringify(wav))
    const mp3 = { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'audio/mpeg', data: 'SUQz' } }] }] }
    expect(heardBy('gemini-generate', mp3, 'openai-chat')).toContain('"format":"mp3"')
  })
  it('is refused by name where it cannot be expressed, in and out', () => {
    expect(() => writeRequestAs('openai-chat', chat, 'anthropic-messages')).toThrow('messages[0].content[0]')
    expect(() =>
      writeRequestAs('gemini-generate', { contents: [{ parts: [{ inlineData: { mimeType: 'audio/flac', data: 'AA==' } }] }] }, 'openai-chat'),
    ).toThrow('parts[0]')
    expect(() => writeRequestAs('openai-chat', { modalities: ['text', 'audio'] }, 'gemini-generate')).toThrow('modalities')
    expect(() => writeRequestAs('gemini-generate', { generationConfig: { responseModalities: ['AUDIO'] } }, 'openai-chat')).toThrow('responseModalities')
  })
})

describe('a picture in a tool result', () => {
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } }
  const used = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'dot.png' }, picture] }] }
  const more = { messages: [{ role: 'user', content: 'Look' }, used, result] }
  it('goes where results can hold one, and comes back', () => {
    const gemini = writeRequestAs('anthropic-messages', more, 'gemini-generate', ['media-results'])
    expect(gemini['contents']).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { response: { output: 'dot.png' }, parts: [{ inlineData: { data: 'iVBORw0=' } }] } }] },
    ])
    expect(writeRequestAs('gemini-generate', { contents: gemini['contents'] }, 'anthropic-messages')['messages']).toMatchObject([
      {},
      {},
      { content: [{ content: [{ text: 'dot.png' }, picture] }] },
    ])
    expect(JSON.stringify(writeRequestAs('anthropic-messages', more, 'openai-responses'))).toContain('"input_image"')
  })
  it('is refused by name elsewhere', () => {
    expect(() => writeRequestAs('anthropic-messages', more, 'gemini-generate')).toThrow('messages[2].content[0].content[1]')
    expect(() => writeRequestAs('anthropic-messages', more, 'openai-chat')).toThrow('messages[2].content[0].content[1]')
  })
})

describe('requests of Gemini CLI', () => {
  it('a repeated result counts once', () => {
    const call = { functionCall: { id: 'c1', name: 'read_file', args: {} } }
    const result = { functionResponse: { id: 'c1', name: 'read_file', response: { output: '3' } } }
    const body = (...results: readonly Raw[]) => ({ contents: [{ parts: [{ text: 'Hi' }] }, { role: 'model', parts: [call] }, { parts: results }] })
    expect(writeRequestAs('gemini-generate', body(result, result), 'openai-chat')).toEqual(writeRequestAs('gemini-generate', body(result), 'openai-chat'))
    const other = { functionResponse: { ...result.functionResponse, response: { output: '4' } } }
    expect(() => writeRequestAs('gemini-generate', body(result, other), 'openai-chat')).toThrow('contents[2].parts[1].functionResponse')
  })
})

describe('requests of Codex', () => {
  const tools = [
    { type: 'namespace', name: 'agents', description: 'Agents.', tools: [{ type: 'function', name: 'spawn', description: 'Spawns.', parameters: {} }] },
  ]
  const call = { type: 'function_call', call_id: 'c1', namespace: 'agents', name: 'spawn', arguments: '{}' }
  const input = [{ role: 'user', content: 'Go' }, call, { type: 'function_call_output', call_id: 'c1', output: 'ok' }]
  const more = { tools, tool_choice: 'auto', input }
  it('grouped tools are flat elsewhere', () => {
    expect(writeRequestAs('openai-responses', more, 'anthropic-messages')).toMatchObject({
      tools: [{ name: 'agents__spawn', description: 'Agents.\n\nSpawns.' }],
      messages: [{}, { content: [{ type: 'tool_use', name: 'agents__spawn' }] }, {}],
    })
  })
  it('grouped tools are called by both names', () => {
    const { spaces } = DIALECT_CODECS['openai-responses'].readAsk({ ...SAMPLE_REQUESTS['openai-responses'], ...more }, true)
    const said: readonly AnswerEvent[] = [{ kind: 'call', id: 'c2', name: 'agents__spawn', seal: undefined }]
    expect(writeEventsAs('openai-responses', said, spaces)).toContain('"call_id":"c2","name":"spawn","namespace":"agents"')
  })
})

describe('cache marks', () => {
  const marks = (from: ModelDialect, more: Raw) => writeRequestAs(from, more, 'anthropic-messages')['cache_control']
  it('are set for a conversation that continues, as the callers’ own APIs cache by themselves', () => {
    expect(marks('openai-chat', {})).toEqual({ type: 'ephemeral' })
    expect(marks('openai-chat', { messages: [{ role: 'user', content: 'Hi' }], tools: undefined, tool_choice: undefined })).toBeUndefined()
  })
})
