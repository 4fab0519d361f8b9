import { describe, expect, it } from 'vitest'
import type { Dialect } from '../deps.ts'
import type { Raw } from '../usage/usage.ts'
import type { CallerDialect, AnswerEvent } from './form.ts'
import { CALLER_CODECS, gatherAnswer, translateRequest } from './index.ts'

/** Request to a model of one dialect, and the dropped fields. */
function translateTo(from: CallerDialect, body: Raw, to: Dialect): { body: Raw; dropped: readonly string[] } {
  const made = translateRequest({ id: 'm', dialects: new Set([to]), traits: new Set() }, from, { model: 'm', ...body }, false, 4_096)
  return { body: JSON.parse(made.body.toString()) as Raw, dropped: made.dropped }
}
const chat = (messages: readonly Raw[], to: Dialect = 'anthropic-messages', more: Raw = {}) => translateTo('openai-chat', { messages, ...more }, to)
const user = (content: unknown = 'Hi'): Raw => ({ role: 'user', content })
const aTextBlock = (text: string): Raw => ({ type: 'text', text })

describe('histories', () => {
  it('an empty answer is left out, and its neighbours are one turn', () => {
    for (const content of ['', null, [], [{ type: 'text', text: '' }], ' \n'])
      expect(chat([user('one'), { role: 'assistant', content }, user('two')]).body['messages']).toEqual([
        { role: 'user', content: [aTextBlock('one'), aTextBlock('two')] },
      ])
  })
  it('system messages alone become the user’s', () => {
    for (const to of ['anthropic-messages', 'gemini-generate', 'openai-chat'] as const) {
      const { body } = chat([{ role: 'system', content: 'Count to three.' }], to)
      expect(JSON.stringify(to === 'gemini-generate' ? body['contents'] : body['messages'])).toContain('"role":"user"')
      expect(JSON.stringify(body)).toContain('Count to three.')
      expect(body['system']).toBeUndefined()
      expect(body['systemInstruction']).toBeUndefined()
    }
  })
  it('a conversation that begins with an answer gets a user turn before it', () => {
    const { body } = chat([{ role: 'assistant', content: 'How can I help? ' }, user()])
    expect(body['messages']).toEqual([
      { role: 'user', content: [aTextBlock('.')] },
      { role: 'assistant', content: [aTextBlock('How can I help? ')] },
      { role: 'user', content: [aTextBlock('Hi')] },
    ])
  })
  it('a trailing answer loses the blanks at its end', () =>
    expect(chat([user(), { role: 'assistant', content: 'It is ' }]).body['messages']).toEqual([
      { role: 'user', content: [aTextBlock('Hi')] },
      { role: 'assistant', content: [aTextBlock('It is')] },
    ]))

  const called = (args: unknown) =>
    chat([
      user(),
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: args } }] },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ])
  const input = (args: unknown) => ((called(args).body['messages'] as Raw[])[1]!['content'] as Raw[])[0]!['input']
  it.each([
    ['{"city":"Par', { city: 'Par' }],
    ['{"city":"Paris","days":[1,2', { city: 'Paris', days: [1, 2] }],
    ['{"city":"Paris",', { city: 'Paris' }],
    ['{"city":"a\\"b\\', { city: 'a"b' }],
    ['{"city":', {}],
    ['not JSON', {}],
    ['[1]', {}],
  ])('arguments that were cut off are kept as far as they go: %s', (args, kept) => {
    expect(input(args)).toEqual(kept)
    expect(called(args).dropped).toEqual(['messages[].tool_calls[].function.arguments'])
  })
  it('a megabyte of blanks and backslashes takes no time', () => {
    for (const filler of [' ', ',', '\\', '\\"', '{'])
      expect(called(`{"a":"b"${filler.repeat(500_000)}x`).dropped).toEqual(['messages[].tool_calls[].function.arguments'])
  })
  it('whole arguments stay, an object in the place of its text too', () => {
    expect(input('{"city":"Paris"}')).toEqual({ city: 'Paris' })
    expect(input({ city: 'Paris' })).toEqual({ city: 'Paris' })
    expect(input('')).toEqual({})
    expect(called('{}').dropped).toEqual([])
  })
})

describe('thinking settings in the words of other APIs', () => {
  const thinking = (more: Raw) => chat([user()], 'anthropic-messages', more).body
  it.each<[Raw, unknown]>([
    [{ thinking: { type: 'enabled', budget_tokens: 9_000 } }, 'medium'],
    [{ reasoning: { effort: 'high' } }, 'high'],
    [{ reasoning: { max_tokens: 1_024 } }, 'low'],
    [{ enable_thinking: true, thinking_budget: 20_000 }, 'high'],
    [{ extra_body: { google: { thinking_config: { thinking_budget: 1_024, include_thoughts: true } } } }, 'low'],
    [{ google: { thinking_config: { thinking_level: 'high' } } }, 'high'],
  ])('%j', (more, effort) => {
    expect(thinking(more)).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort } })
  })
  it.each<[Raw]>([
    [{ thinking: { type: 'disabled' } }],
    [{ reasoning: { enabled: false } }],
    [{ enable_thinking: false }],
    [{ chat_template_kwargs: { enable_thinking: false } }],
    [{ extra_body: { google: { thinking_config: { thinking_budget: 0 } } } }],
  ])('%j turns it off', (more) => {
    const { body, dropped } = chat([user()], 'gemini-generate', more)
    expect(body['generationConfig']).toMatchObject({ thinkingConfig: { thinkingBudget: 0 } })
    expect(dropped).toEqual([])
  })
})

describe('mapped fields', () => {
  it('cache marks are kept on a part, a message, a tool and the request', () => {
    const cacheControl = { type: 'ephemeral', ttl: '1h' }
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} }, cache_control: cacheControl }]
    const { body, dropped } = chat(
      [{ role: 'system', content: 'Be brief.', cache_control: cacheControl }, user([{ ...aTextBlock('Hi'), cache_control: cacheControl }])],
      'anthropic-messages',
      {
        tools,
        cache_control: cacheControl,
      },
    )
    expect(body).toMatchObject({
      cache_control: cacheControl,
      system: [{ cache_control: cacheControl }],
      messages: [{ content: [{ text: 'Hi', cache_control: cacheControl }] }],
      tools: [{ name: 'f', cache_control: cacheControl }],
    })
    expect(dropped).toEqual([])
  })
  it('an allowed list of tools leaves the others unnamed', () => {
    const tools = ['f', 'g', 'h'].map((name) => ({ type: 'function', function: { name } }))
    const toolChoice = {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: ['f', 'h'].map((name) => ({ type: 'function', function: { name } })) },
    }
    const { body } = chat([user()], 'anthropic-messages', { tools, tool_choice: toolChoice })
    expect((body['tools'] as Raw[]).map((tool) => tool['name'])).toEqual(['f', 'h'])
    expect(body['tool_choice']).toEqual({ type: 'any' })
  })
  it('of several dialects of a model, the one that expresses most is chosen', () => {
    const model = { id: 'm', dialects: new Set<Dialect>(['openai-responses', 'openai-chat']), traits: new Set<never>() }
    const ask = (more: Raw) => translateRequest(model, 'gemini-generate', { contents: [{ parts: [{ text: 'Hi' }] }], ...more }, false, 9)
    expect(ask({})).toMatchObject({ to: 'openai-responses', dropped: [] })
    expect(ask({ generationConfig: { seed: 5 } })).toMatchObject({ to: 'openai-chat', dropped: [] })
    expect(ask({ generationConfig: { topK: 5 } })).toMatchObject({ to: 'openai-responses', dropped: ['generationConfig.topK'] })
  })
  it('a setting of -1 is left out', () => {
    const { body, dropped } = chat([user()], 'gemini-generate', { top_k: -1, top_p: -1, max_tokens: -1, logit_bias: {} })
    expect(body['generationConfig']).toEqual({})
    expect(dropped).toEqual([])
  })
  it('names that a header cannot hold are masked, and at most 32 are listed', () => {
    expect(chat([user()], 'gemini-generate', { 'a\r\nb: c': 1, '温度': 1 }).dropped).toEqual(['a??b??c', '??'])
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`field_${at}`, 1]))
    expect(chat([user()], 'gemini-generate', many).dropped).toHaveLength(32)
  })
})

describe('functions, the older form of tools', () => {
  const functions = [{ name: 'f', parameters: { type: 'object', properties: {} } }]
  const history = [
    user(),
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
    { role: 'function', name: 'f', content: 'done' },
  ]
  it('are tools, their calls and results too, one at a time', () => {
    const { body, dropped } = chat(history, 'anthropic-messages', { functions, function_call: { name: 'f' } })
    expect(body).toMatchObject({ tools: [{ name: 'f' }], tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true } })
    expect(JSON.stringify(body['messages'])).toContain('{"type":"tool_use","id":"call_1","name":"f","input":{"a":1}}')
    expect(JSON.stringify(body['messages'])).toContain('{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"done"}]}')
    expect(dropped).toEqual([])
  })
  it('are called as functions in the answer, streamed or not', () => {
    const head = { id: 'x', model: 'm', created: 1, functions: true }
    const said: readonly AnswerEvent[] = [
      { kind: 'call', id: 'c', name: 'f', seal: undefined },
      { kind: 'args', text: '{}' },
      { kind: 'stop', stop: 'tools', sequence: undefined },
    ]
    const whole = JSON.parse(JSON.stringify(CALLER_CODECS['openai-chat'].writeAnswer(gatherAnswer(said), head))) as { choices: Raw[] }
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'function_call', message: { content: null, function_call: { name: 'f', arguments: '{}' } } })
    expect(JSON.stringify(whole)).not.toContain('tool_calls')
    const writer = CALLER_CODECS['openai-chat'].streamWriter(head, { usage: false, sse: true })
    const stream = said.map((one) => writer.said(one)).join('') + writer.end()
    expect(stream).toContain('"function_call":{"name":"f","arguments":""}')
    expect(stream).toContain('"function_call":{"arguments":"{}"}')
    expect(stream).toContain('"finish_reason":"function_call"')
    expect(stream).not.toContain('tool_calls')
  })
})
