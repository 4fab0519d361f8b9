import { expect, test } from 'vitest'
import type { Dialect } from '../../hot/deps.ts'
import { buildSmallCall, pickTestDialect, parseTestUsage } from './small-call.ts'

test.each([
  ['openai-chat', '/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'Reply with OK.' }] }],
  ['anthropic-messages', '/v1/messages', { model: 'm', max_tokens: 16 }],
  ['openai-responses', '/v1/responses', { model: 'm', input: 'Reply with OK.', max_output_tokens: 16 }],
  ['gemini-generate', '/v1beta/models/m:generateContent', { contents: [{ role: 'user' }], generationConfig: { maxOutputTokens: 16 } }],
  ['openai-embeddings', '/v1/embeddings', { model: 'm', input: 'Reply with OK.' }],
] as const)('%s is asked at %s, its answer cut short', (dialect, path, body) => {
  const call = buildSmallCall(dialect, 'm')
  expect(call.path).toBe(path)
  expect(JSON.parse(call.body)).toMatchObject(body)
})

test('a chat’s answer is bounded by the field that its dialect has', () => {
  const body = JSON.parse(buildSmallCall('openai-chat', 'm').body) as Record<string, unknown>
  expect(Object.values(body)).toContain(16)
})

test('a test uses the most usual dialect of both the model and the upstream, and none for pictures and sound', () => {
  expect(pickTestDialect(['openai-responses', 'openai-chat'], ['openai-responses', 'openai-chat'])).toBe('openai-chat')
  expect(pickTestDialect(['openai-responses', 'openai-chat'], ['openai-responses'])).toBe('openai-responses')
  expect(pickTestDialect(['openai-images'], ['openai-images', 'openai-chat'])).toBeUndefined()
})

test('usage is read from an answer, and is undefined if it has none', () => {
  const used = (dialect: Dialect, answer: object | string) => parseTestUsage(dialect, Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)))
  expect(used('openai-chat', { usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } })).toMatchObject({ input: 9, output: 2 })
  expect(used('anthropic-messages', { usage: { input_tokens: 9, output_tokens: 2 } })).toMatchObject({ input: 9, output: 2 })
  expect(used('gemini-generate', { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2, totalTokenCount: 11 } })).toMatchObject({
    input: 9,
    output: 2,
  })
  for (const answer of ['', 'nonsense', '[]', {}, { usage: null }]) expect(used('openai-chat', answer)).toBeUndefined()
})
