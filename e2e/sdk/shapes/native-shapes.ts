import { gzipSync } from 'node:zlib'
import { SHAPE_PNG, SHAPE_QUESTION, SHAPE_WEATHER_SCHEMA, buildGeminiShape, buildMessagesShape, buildResponsesShape, buildUserMessage } from './shape.ts'
import type { RequestShape, ShapeVendor } from './shape.ts'

const ALL_VENDORS: readonly ShapeVendor[] = ['openai', 'anthropic', 'google']
const message = (content: unknown, role = 'user') => ({ type: 'message', role, content })
const functionCallItems = [
  message('What is the weather in Paris?'),
  { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{"city":"Paris"}' },
  { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
]
const TOOL = { type: 'function', name: 'get_weather', parameters: SHAPE_WEATHER_SCHEMA, strict: false }

/** Responses, as SDKs and command-line clients send them. */
export const RESPONSES_SHAPES: readonly RequestShape[] = [
  buildResponsesShape('a question'),
  buildResponsesShape('a stream', { stream: true }),
  buildResponsesShape('instructions and items', { instructions: 'Be brief.', input: [message(SHAPE_QUESTION)] }),
  buildResponsesShape('a developer among the items', { input: [message('Be brief.', 'developer'), message(SHAPE_QUESTION)] }),
  buildResponsesShape('reasoning with its summary and its proof', {
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    store: false,
  }),
  buildResponsesShape('verbosity', { text: { verbosity: 'low' } }),
  buildResponsesShape('more to be included', { include: ['web_search_call.action.sources'] }),
  buildResponsesShape('truncation of what is too long', { truncation: 'auto' }),
  buildResponsesShape('compaction by the vendor', { context_management: [{ type: 'compaction', compact_threshold: 100_000 }] }),
  buildResponsesShape('tools in a conversation', { input: functionCallItems, tools: [TOOL] }),
  buildResponsesShape('grouped tools', { tools: [{ type: 'namespace', name: 'fs', description: 'Files', tools: [{ ...TOOL, name: 'read' }] }] }),
  buildResponsesShape('the vendor’s own search', { tools: [{ type: 'web_search' }] }, ALL_VENDORS),
  buildResponsesShape('JSON mode', { text: { format: { type: 'json_object' } }, input: 'Name a colour, as JSON.' }),
  buildResponsesShape('a picture with how closely to look', {
    input: [
      message([
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: `data:image/png;base64,${SHAPE_PNG}`, detail: 'high' },
      ]),
    ],
  }),
  buildResponsesShape('sampling, tier and cache', { temperature: 0.4, service_tier: 'auto', prompt_cache_key: 'k', prompt_cache_retention: '24h' }),
  buildResponsesShape('a response that does not exist', { previous_response_id: 'resp_none' }, ALL_VENDORS),
  buildResponsesShape('in the background', { background: true }, ALL_VENDORS),
  buildResponsesShape('without /v1', {}, [], { path: () => '/responses' }),
]

const cacheControl = { type: 'ephemeral' }
const tool = { name: 'get_weather', description: 'The weather', input_schema: SHAPE_WEATHER_SCHEMA }
const buildToolUse = (input: unknown) => [
  buildUserMessage('What is the weather in Paris?'),
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input }] },
]
const result = (content: unknown) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] })

/** Messages, as SDKs and command-line clients send them. */
export const MESSAGES_SHAPES: readonly RequestShape[] = [
  buildMessagesShape('a question'),
  buildMessagesShape('a question without a version', {}, [], { headers: {} }),
  buildMessagesShape('a question with the newest version and a beta', {}, [], {
    headers: { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'context-management-2025-06-27' },
    path: () => '/v1/messages?beta=true',
  }),
  buildMessagesShape('a stream', { stream: true }),
  buildMessagesShape('a system prompt in marked blocks', { system: [{ type: 'text', text: 'Be brief.', cache_control: cacheControl }] }),
  buildMessagesShape('marks of the cache for an hour', { system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }] }),
  buildMessagesShape('metadata of a user', { metadata: { user_id: 'u' } }),
  buildMessagesShape('top_k and top_p', { top_k: 40, top_p: 0.9 }),
  buildMessagesShape('unset numbers sent as -1', { top_k: -1, top_p: -1 }),
  buildMessagesShape('stop sequences', { stop_sequences: ['END'] }),
  buildMessagesShape('thinking by effort', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }),
  buildMessagesShape('which thoughts are kept', { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } }),
  buildMessagesShape('which results are cleared', { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }),
  buildMessagesShape('diagnostics', { diagnostics: { previous_message_id: null } }),
  buildMessagesShape('a tool', { tools: [tool], messages: [buildUserMessage('What is the weather in Paris?')] }),
  buildMessagesShape('tools in a stream', { stream: true, tools: [tool], messages: [buildUserMessage('What is the weather in Paris?')] }),
  buildMessagesShape('any tool, one at a time', { tools: [tool], tool_choice: { type: 'any', disable_parallel_tool_use: true } }),
  buildMessagesShape('results of tools', { tools: [tool], messages: [...buildToolUse({ city: 'Paris' }), result('sunny')] }),
  buildMessagesShape('results of tools in blocks', {
    tools: [tool],
    messages: [...buildToolUse({ city: 'Paris' }), result([{ type: 'text', text: 'sunny' }])],
  }),
  buildMessagesShape('a picture', {
    messages: [
      buildUserMessage([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: SHAPE_PNG } },
        { type: 'text', text: 'What is this?' },
      ]),
    ],
  }),
  buildMessagesShape('the vendor’s own search', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, ['openai', 'google']),
  buildMessagesShape('a server of tools', { mcp_servers: [{ type: 'url', url: 'https://x.test', name: 'x' }] }, ['openai', 'google']),
  buildMessagesShape('under /anthropic', {}, [], { path: () => '/anthropic/v1/messages' }),
  buildMessagesShape('without /v1', {}, [], { path: () => '/messages' }),
  buildMessagesShape('a packed body', {}, [], {
    headers: { 'content-encoding': 'gzip' },
    body: (model) => Uint8Array.from(gzipSync(JSON.stringify({ model, max_tokens: 2_048, messages: [buildUserMessage()] }))),
  }),
]

const turn = (role: string, ...parts: readonly object[]) => ({ role, parts })
const CALL = { functionCall: { name: 'get_weather', args: { city: 'Paris' } }, thoughtSignature: 'skip_thought_signature_validator' }
const declaredTools = [
  { functionDeclarations: [{ name: 'get_weather', description: 'The weather', parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } } } }] },
]

/** generateContent, as SDKs and command-line clients send it. */
export const GEMINI_SHAPES: readonly RequestShape[] = [
  buildGeminiShape('a question'),
  buildGeminiShape('a stream of events', {}, [], { path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse` }),
  buildGeminiShape('a stream as a list', {}, [], { path: (model) => `/v1beta/models/${model}:streamGenerateContent` }),
  buildGeminiShape('a system instruction in snake case', {
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    generation_config: { max_output_tokens: 2_048 },
  }),
  buildGeminiShape('the defaults of a command-line client', { generationConfig: { temperature: 1, topP: 0.95, topK: 64 } }),
  buildGeminiShape('topK and seed', { generationConfig: { topK: 5, seed: 3 } }),
  buildGeminiShape('unset numbers sent as -1', { generationConfig: { topK: -1, topP: -1 } }),
  buildGeminiShape('filters that are off', { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] }),
  buildGeminiShape('filters that are on', { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }] }),
  buildGeminiShape('thinking by a budget', { generationConfig: { thinkingConfig: { thinkingBudget: 1_024, includeThoughts: true } } }),
  buildGeminiShape('the resolution of media', { generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' } }),
  buildGeminiShape('JSON mode without a schema', {
    generationConfig: { responseMimeType: 'application/json' },
    contents: [turn('user', { text: 'Name a colour, as JSON.' })],
  }),
  buildGeminiShape('JSON by a schema', {
    generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'OBJECT', properties: { city: { type: 'STRING' } } } },
  }),
  buildGeminiShape('a tool', { tools: declaredTools, contents: [turn('user', { text: 'What is the weather in Paris?' })] }),
  buildGeminiShape('results of tools without ids', {
    tools: declaredTools,
    contents: [
      turn('user', { text: 'What is the weather in Paris?' }),
      turn('model', CALL),
      turn('user', { functionResponse: { name: 'get_weather', response: { output: 'sunny' } } }),
    ],
  }),
  buildGeminiShape('the vendor’s own search', { tools: [{ googleSearch: {} }] }, ['openai', 'anthropic']),
  buildGeminiShape('a cached content', { cachedContent: 'cachedContents/x' }, ALL_VENDORS),
  buildGeminiShape('sound as the answer', { generationConfig: { responseModalities: ['AUDIO'] } }, ['openai', 'anthropic']),
  buildGeminiShape('under /v1alpha', {}, [], { path: (model) => `/v1alpha/models/${model}:generateContent` }),
  buildGeminiShape('without a version', {}, [], { path: (model) => `/models/${model}:generateContent` }),
]
