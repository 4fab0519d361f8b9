import { SHAPE_PNG, SHAPE_QUESTION, SHAPE_WEATHER_SCHEMA, buildChatShape, buildCompletionsShape, buildUserMessage } from './shape.ts'
import type { RequestShape, ShapeVendor } from './shape.ts'

const TRANSLATED: readonly ShapeVendor[] = ['anthropic', 'google']
const ALL_VENDORS: readonly ShapeVendor[] = ['openai', 'anthropic', 'google']
const tool = { type: 'function', function: { name: 'get_weather', description: 'The weather', parameters: SHAPE_WEATHER_SCHEMA } }
const cacheControl = { type: 'ephemeral' }
const call = (args: unknown, more: object = {}) => ({ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: args }, ...more })
const buildToolExchange = (args: unknown, more: object = {}) => ({
  messages: [
    buildUserMessage('What is the weather in Paris?'),
    { role: 'assistant', content: null, tool_calls: [call(args, more)] },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  ],
  tools: [tool],
})
const image = (imageUrl: unknown) => ({
  messages: [
    buildUserMessage([
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: imageUrl },
    ]),
  ],
})
/** Our substitute for a signature that another vendor's model produced. */
const CARRIED_SIGNATURE = Buffer.from('mx1 openai-responses signature abc').toString('base64')
const pngUrl = `data:image/png;base64,${SHAPE_PNG}`

/** Chat Completions, as SDKs, frameworks, desktop apps and editors send them. */
export const CHAT_SHAPES: readonly RequestShape[] = [
  buildChatShape('a question'),
  buildChatShape('a system prompt in the developer role', { messages: [{ role: 'developer', content: 'Be brief.' }, buildUserMessage()] }),
  buildChatShape('usage asked for in a stream', { stream: true, stream_options: { include_usage: true } }),
  buildChatShape('content in parts', { messages: [buildUserMessage([{ type: 'text', text: SHAPE_QUESTION }])] }),
  buildChatShape('bookkeeping: user, metadata, store, cache key', {
    user: 'u1',
    metadata: { a: 'b' },
    store: false,
    prompt_cache_key: 'k',
    safety_identifier: 's',
  }),
  buildChatShape('sampling: temperature and top_p', { temperature: 0.7, top_p: 0.9 }),
  buildChatShape('temperature above one', { temperature: 1.4 }),
  buildChatShape('penalties and seed', { presence_penalty: 0.2, frequency_penalty: 0.3, seed: 7 }),
  buildChatShape('defaults of a desktop app: penalties of zero', { temperature: 0.5, presence_penalty: 0, frequency_penalty: 0, top_p: 1 }),
  buildChatShape('unset numbers sent as -1', { top_p: -1, top_k: -1 }),
  buildChatShape('an empty logit_bias', { logit_bias: {} }),
  buildChatShape('a logit_bias', { logit_bias: { 50256: -100 } }, TRANSLATED),
  buildChatShape('a hint of open models: top_k', { top_k: 40 }),
  buildChatShape('repetition_penalty and min_p', { repetition_penalty: 1.1, min_p: 0.05 }),
  buildChatShape('verbosity', { verbosity: 'low' }),
  buildChatShape('reasoning_effort', { reasoning_effort: 'low' }),
  buildChatShape('thinking as Claude has it', { thinking: { type: 'enabled', budget_tokens: 1_024 } }),
  buildChatShape('thinking switched off as GLM and Doubao have it', { thinking: { type: 'disabled' } }),
  buildChatShape('enable_thinking with a budget', { enable_thinking: true, thinking_budget: 2_048 }),
  buildChatShape('enable_thinking off in a template', { chat_template_kwargs: { enable_thinking: false } }),
  buildChatShape('reasoning as a router has it', { reasoning: { effort: 'high', exclude: false } }),
  buildChatShape('thinking in extra_body.google', { extra_body: { google: { thinking_config: { thinking_budget: 1_024, include_thoughts: true } } } }),
  buildChatShape('usage as a router has it', { usage: { include: true } }),
  buildChatShape('a router’s order of providers', { provider: { order: ['a'] }, transforms: [], route: 'fallback' }),
  buildChatShape('a prediction', { prediction: { type: 'content', content: SHAPE_QUESTION } }),
  buildChatShape('the priority tier', { service_tier: 'priority' }, ['openai']),
  buildChatShape('a tier that costs less', { service_tier: 'flex' }, ALL_VENDORS),
  buildChatShape('stop words', { stop: ['\nObservation:'] }),
  buildChatShape('a stop word of blanks', { stop: '\n\n' }),
  buildChatShape('several answers', { n: 2 }, ['anthropic']),
  buildChatShape('log probabilities', { logprobs: true, top_logprobs: 2 }, ['anthropic']),
  buildChatShape('JSON mode without a schema', { response_format: { type: 'json_object' }, messages: [buildUserMessage('Name a colour, as JSON.')] }),
  buildChatShape('JSON mode in a stream', { response_format: { type: 'json_object' }, stream: true, messages: [buildUserMessage('Name a colour, as JSON.')] }),
  buildChatShape('JSON by a schema', { response_format: { type: 'json_schema', json_schema: { name: 'city', schema: SHAPE_WEATHER_SCHEMA, strict: true } } }),
  buildChatShape('a grammar of open models', { guided_json: SHAPE_WEATHER_SCHEMA }, TRANSLATED),
  buildChatShape('the vendor’s own search', { web_search_options: {} }, ALL_VENDORS),
  buildChatShape('marks of the cache on a part', { messages: [buildUserMessage([{ type: 'text', text: SHAPE_QUESTION, cache_control: cacheControl }])] }),
  buildChatShape('marks of the cache on a message', { messages: [{ role: 'system', content: 'Be brief.', cache_control: cacheControl }, buildUserMessage()] }),
  buildChatShape('marks of the cache on a tool', { tools: [{ ...tool, cache_control: { type: 'ephemeral', ttl: '1h' } }] }),
  buildChatShape('a name on a message', { messages: [{ role: 'user', name: 'Ann', content: SHAPE_QUESTION }] }),
  buildChatShape('an answer sent back with its annotations and refusal', {
    messages: [buildUserMessage(), { role: 'assistant', content: 'A book.', annotations: [], refusal: null }, buildUserMessage('And now?')],
  }),
  buildChatShape('an answer sent back with its thoughts', {
    messages: [buildUserMessage(), { role: 'assistant', content: 'A book.', reasoning_content: 'Hm.', reasoning: 'Hm.' }, buildUserMessage('And now?')],
  }),
  buildChatShape('an answer sent back with an id and a time', {
    messages: [buildUserMessage(), { role: 'assistant', content: 'A book.', id: 'm1', created_at: 1 }, buildUserMessage('And now?')],
  }),
  buildChatShape('a history with an empty answer', { messages: [buildUserMessage(), { role: 'assistant', content: '' }, buildUserMessage('And now?')] }),
  buildChatShape('a history that begins with the answer', { messages: [{ role: 'assistant', content: 'How can I help?' }, buildUserMessage()] }),
  buildChatShape('system messages alone', { messages: [{ role: 'system', content: SHAPE_QUESTION }] }),
  buildChatShape('system messages among the turns', {
    messages: [buildUserMessage(), { role: 'assistant', content: 'A book.' }, { role: 'system', content: 'Be brief.' }, buildUserMessage('And now?')],
  }),
  buildChatShape('a history that ends with blanks of the answer', { messages: [buildUserMessage(), { role: 'assistant', content: 'It is ' }] }),
  buildChatShape('a tool', { tools: [tool], messages: [buildUserMessage('What is the weather in Paris?')] }),
  buildChatShape('tools in a stream', { tools: [tool], stream: true, messages: [buildUserMessage('What is the weather in Paris?')] }),
  buildChatShape('a tool that must be called', { tools: [tool], tool_choice: { type: 'function', function: { name: 'get_weather' } } }),
  buildChatShape('any tool, in another vendor’s word', { tools: [tool], tool_choice: 'any' }),
  buildChatShape('one tool at a time', { tools: [tool], parallel_tool_calls: false }),
  buildChatShape('an empty list of tools', { tools: [] }),
  buildChatShape('results of tools', buildToolExchange('{"city":"Paris"}')),
  buildChatShape('results of tools with their names', {
    messages: [...buildToolExchange('{"city":"Paris"}').messages.slice(0, 2), { role: 'tool', tool_call_id: 'call_1', name: 'get_weather', content: 'sunny' }],
    tools: [tool],
  }),
  buildChatShape(
    'calls with an index and our own extra_content',
    buildToolExchange('{"city":"Paris"}', { index: 0, extra_content: { google: { thought_signature: CARRIED_SIGNATURE } } }),
  ),
  buildChatShape('arguments that were cut off', buildToolExchange('{"city":"Par')),
  buildChatShape('empty arguments', buildToolExchange('')),
  buildChatShape('a result without its call', { messages: [buildUserMessage(), { role: 'tool', tool_call_id: 'nobody', content: 'x' }] }, ALL_VENDORS),
  buildChatShape('functions, the older name of tools', { functions: [{ name: 'f', parameters: SHAPE_WEATHER_SCHEMA }], function_call: 'auto' }),
  buildChatShape('functions and their results', {
    functions: [{ name: 'f', parameters: SHAPE_WEATHER_SCHEMA }],
    messages: [
      buildUserMessage(),
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'x' },
    ],
  }),
  buildChatShape('a picture', image({ url: pngUrl })),
  buildChatShape('a picture with how closely to look', image({ url: pngUrl, detail: 'low' })),
  buildChatShape('a picture as a text', image(pngUrl)),
  buildChatShape('a picture of the type image/jpg', image({ url: pngUrl.replace('image/png', 'image/jpg') })),
  buildChatShape('parts in the words of Responses', { messages: [buildUserMessage([{ type: 'input_text', text: SHAPE_QUESTION }])] }),
  buildChatShape('an unknown field', { never_heard_of: 1 }),
  buildChatShape('without /v1', {}, [], { path: () => '/chat/completions' }),
  buildChatShape('under /v1/v1', {}, [], { path: () => '/v1/v1/chat/completions' }),
  buildChatShape('under a base URL that is a whole endpoint', {}, [], { path: () => '/v1/chat/completions/chat/completions' }),
  buildChatShape('under Google’s compatible base URL', {}, [], { path: () => '/v1beta/openai/chat/completions' }),
  buildChatShape('under a router’s base URL', {}, [], { path: () => '/api/v1/chat/completions' }),
  buildChatShape('under Azure’s base URL, with a model in the path alone', {}, [], {
    path: (model) => `/openai/deployments/${model}/chat/completions?api-version=2024-10-21`,
    body: () => ({ messages: [buildUserMessage()] }),
  }),
  buildCompletionsShape('a legacy prompt'),
  buildCompletionsShape('a legacy prompt with its settings', { max_tokens: 50, stop: ['END'], temperature: 0.2, user: 'u' }),
]
