import { gzipSync } from 'node:zlib'
import { PNG, QUESTION, WEATHER, gemini, messages, responses, user } from './shape.ts'
import type { Shape, Vendor } from './shape.ts'

const EVERYWHERE: readonly Vendor[] = ['openai', 'anthropic', 'google']
const message = (content: unknown, role = 'user') => ({ type: 'message', role, content })
const called = [
  message('What is the weather in Paris?'),
  { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{"city":"Paris"}' },
  { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
]
const TOOL = { type: 'function', name: 'get_weather', parameters: WEATHER, strict: false }

/** Responses, as SDKs and command-line clients send them. */
export const RESPONSES_SHAPES: readonly Shape[] = [
  responses('a question'),
  responses('a stream', { stream: true }),
  responses('instructions and items', { instructions: 'Be brief.', input: [message(QUESTION)] }),
  responses('a developer among the items', { input: [message('Be brief.', 'developer'), message(QUESTION)] }),
  responses('reasoning with its summary and its proof', {
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    store: false,
  }),
  responses('verbosity', { text: { verbosity: 'low' } }),
  responses('more to be included', { include: ['web_search_call.action.sources'] }),
  responses('truncation of what is too long', { truncation: 'auto' }),
  responses('compaction by the vendor', { context_management: [{ type: 'compaction', compact_threshold: 100_000 }] }),
  responses('tools in a conversation', { input: called, tools: [TOOL] }),
  responses('grouped tools', { tools: [{ type: 'namespace', name: 'fs', description: 'Files', tools: [{ ...TOOL, name: 'read' }] }] }),
  responses('the vendor’s own search', { tools: [{ type: 'web_search' }] }, EVERYWHERE),
  responses('JSON mode', { text: { format: { type: 'json_object' } }, input: 'Name a colour, as JSON.' }),
  responses('a picture with how closely to look', {
    input: [
      message([
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'high' },
      ]),
    ],
  }),
  responses('sampling, tier and cache', { temperature: 0.4, service_tier: 'auto', prompt_cache_key: 'k', prompt_cache_retention: '24h' }),
  responses('a response that does not exist', { previous_response_id: 'resp_none' }, EVERYWHERE),
  responses('in the background', { background: true }, EVERYWHERE),
  responses('without /v1', {}, [], { path: () => '/responses' }),
]

const cache_control = { type: 'ephemeral' }
const tool = { name: 'get_weather', description: 'The weather', input_schema: WEATHER }
const use = (input: unknown) => [
  user('What is the weather in Paris?'),
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input }] },
]
const result = (content: unknown) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] })

/** Messages, as SDKs and command-line clients send them. */
export const MESSAGES_SHAPES: readonly Shape[] = [
  messages('a question'),
  messages('a question without a version', {}, [], { headers: {} }),
  messages('a question with the newest version and a beta', {}, [], {
    headers: { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'context-management-2025-06-27' },
    path: () => '/v1/messages?beta=true',
  }),
  messages('a stream', { stream: true }),
  messages('a system prompt in marked blocks', { system: [{ type: 'text', text: 'Be brief.', cache_control }] }),
  messages('marks of the cache for an hour', { system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }] }),
  messages('metadata of a user', { metadata: { user_id: 'u' } }),
  messages('top_k and top_p', { top_k: 40, top_p: 0.9 }),
  messages('unset numbers sent as -1', { top_k: -1, top_p: -1 }),
  messages('stop sequences', { stop_sequences: ['END'] }),
  messages('thinking by effort', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }),
  messages('which thoughts are kept', { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } }),
  messages('which results are cleared', { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }),
  messages('diagnostics', { diagnostics: { previous_message_id: null } }),
  messages('a tool', { tools: [tool], messages: [user('What is the weather in Paris?')] }),
  messages('tools in a stream', { stream: true, tools: [tool], messages: [user('What is the weather in Paris?')] }),
  messages('any tool, one at a time', { tools: [tool], tool_choice: { type: 'any', disable_parallel_tool_use: true } }),
  messages('results of tools', { tools: [tool], messages: [...use({ city: 'Paris' }), result('sunny')] }),
  messages('results of tools in blocks', { tools: [tool], messages: [...use({ city: 'Paris' }), result([{ type: 'text', text: 'sunny' }])] }),
  messages('a picture', {
    messages: [
      user([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
        { type: 'text', text: 'What is this?' },
      ]),
    ],
  }),
  messages('the vendor’s own search', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, ['openai', 'google']),
  messages('a server of tools', { mcp_servers: [{ type: 'url', url: 'https://x.test', name: 'x' }] }, ['openai', 'google']),
  messages('under /anthropic', {}, [], { path: () => '/anthropic/v1/messages' }),
  messages('without /v1', {}, [], { path: () => '/messages' }),
  messages('a packed body', {}, [], {
    headers: { 'content-encoding': 'gzip' },
    body: (model) => Uint8Array.from(gzipSync(JSON.stringify({ model, max_tokens: 2_048, messages: [user()] }))),
  }),
]

const turn = (role: string, ...parts: readonly object[]) => ({ role, parts })
const CALL = { functionCall: { name: 'get_weather', args: { city: 'Paris' } }, thoughtSignature: 'skip_thought_signature_validator' }
const declared = [
  { functionDeclarations: [{ name: 'get_weather', description: 'The weather', parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } } } }] },
]

/** generateContent, as SDKs and command-line clients send it. */
export const GEMINI_SHAPES: readonly Shape[] = [
  gemini('a question'),
  gemini('a stream of events', {}, [], { path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse` }),
  gemini('a stream as a list', {}, [], { path: (model) => `/v1beta/models/${model}:streamGenerateContent` }),
  gemini('a system instruction in snake case', { system_instruction: { parts: [{ text: 'Be brief.' }] }, generation_config: { max_output_tokens: 2_048 } }),
  gemini('the defaults of a command-line client', { generationConfig: { temperature: 1, topP: 0.95, topK: 64 } }),
  gemini('topK and seed', { generationConfig: { topK: 5, seed: 3 } }),
  gemini('unset numbers sent as -1', { generationConfig: { topK: -1, topP: -1 } }),
  gemini('filters that are off', { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] }),
  gemini('filters that are on', { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }] }),
  gemini('thinking by a budget', { generationConfig: { thinkingConfig: { thinkingBudget: 1_024, includeThoughts: true } } }),
  gemini('the resolution of media', { generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' } }),
  gemini('JSON mode without a schema', {
    generationConfig: { responseMimeType: 'application/json' },
    contents: [turn('user', { text: 'Name a colour, as JSON.' })],
  }),
  gemini('JSON by a schema', {
    generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'OBJECT', properties: { city: { type: 'STRING' } } } },
  }),
  gemini('a tool', { tools: declared, contents: [turn('user', { text: 'What is the weather in Paris?' })] }),
  gemini('results of tools without ids', {
    tools: declared,
    contents: [
      turn('user', { text: 'What is the weather in Paris?' }),
      turn('model', CALL),
      turn('user', { functionResponse: { name: 'get_weather', response: { output: 'sunny' } } }),
    ],
  }),
  gemini('the vendor’s own search', { tools: [{ googleSearch: {} }] }, ['openai', 'anthropic']),
  gemini('a cached content', { cachedContent: 'cachedContents/x' }, EVERYWHERE),
  gemini('sound as the answer', { generationConfig: { responseModalities: ['AUDIO'] } }, ['openai', 'anthropic']),
  gemini('under /v1alpha', {}, [], { path: (model) => `/v1alpha/models/${model}:generateContent` }),
  gemini('without a version', {}, [], { path: (model) => `/models/${model}:generateContent` }),
]
