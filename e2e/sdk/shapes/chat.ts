import { PNG, QUESTION, WEATHER, chat, completions, user } from './shape.ts'
import type { Shape, Vendor } from './shape.ts'

const TRANSLATED: readonly Vendor[] = ['anthropic', 'google']
const EVERYWHERE: readonly Vendor[] = ['openai', 'anthropic', 'google']
const tool = { type: 'function', function: { name: 'get_weather', description: 'The weather', parameters: WEATHER } }
const cache_control = { type: 'ephemeral' }
const call = (args: unknown, more: object = {}) => ({ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: args }, ...more })
const used = (args: unknown, more: object = {}) => ({
  messages: [
    user('What is the weather in Paris?'),
    { role: 'assistant', content: null, tool_calls: [call(args, more)] },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  ],
  tools: [tool],
})
const image = (image_url: unknown) => ({
  messages: [
    user([
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url },
    ]),
  ],
})
/** Our substitute for a signature that another vendor's model produced. */
const CARRIED = Buffer.from('mx1 openai-responses signature abc').toString('base64')
const url = `data:image/png;base64,${PNG}`

/** Chat Completions, as SDKs, frameworks, desktop apps and editors send them. */
export const CHAT_SHAPES: readonly Shape[] = [
  chat('a question'),
  chat('a system prompt in the developer role', { messages: [{ role: 'developer', content: 'Be brief.' }, user()] }),
  chat('usage asked for in a stream', { stream: true, stream_options: { include_usage: true } }),
  chat('content in parts', { messages: [user([{ type: 'text', text: QUESTION }])] }),
  chat('bookkeeping: user, metadata, store, cache key', { user: 'u1', metadata: { a: 'b' }, store: false, prompt_cache_key: 'k', safety_identifier: 's' }),
  chat('sampling: temperature and top_p', { temperature: 0.7, top_p: 0.9 }),
  chat('temperature above one', { temperature: 1.4 }),
  chat('penalties and seed', { presence_penalty: 0.2, frequency_penalty: 0.3, seed: 7 }),
  chat('defaults of a desktop app: penalties of zero', { temperature: 0.5, presence_penalty: 0, frequency_penalty: 0, top_p: 1 }),
  chat('unset numbers sent as -1', { top_p: -1, top_k: -1 }),
  chat('an empty logit_bias', { logit_bias: {} }),
  chat('a logit_bias', { logit_bias: { 50256: -100 } }, TRANSLATED),
  chat('a hint of open models: top_k', { top_k: 40 }),
  chat('repetition_penalty and min_p', { repetition_penalty: 1.1, min_p: 0.05 }),
  chat('verbosity', { verbosity: 'low' }),
  chat('reasoning_effort', { reasoning_effort: 'low' }),
  chat('thinking as Claude has it', { thinking: { type: 'enabled', budget_tokens: 1_024 } }),
  chat('thinking switched off as GLM and Doubao have it', { thinking: { type: 'disabled' } }),
  chat('enable_thinking with a budget', { enable_thinking: true, thinking_budget: 2_048 }),
  chat('enable_thinking off in a template', { chat_template_kwargs: { enable_thinking: false } }),
  chat('reasoning as a router has it', { reasoning: { effort: 'high', exclude: false } }),
  chat('thinking in extra_body.google', { extra_body: { google: { thinking_config: { thinking_budget: 1_024, include_thoughts: true } } } }),
  chat('usage as a router has it', { usage: { include: true } }),
  chat('a router’s order of providers', { provider: { order: ['a'] }, transforms: [], route: 'fallback' }),
  chat('a prediction', { prediction: { type: 'content', content: QUESTION } }),
  chat('the priority tier', { service_tier: 'priority' }, ['openai']),
  chat('a tier that costs less', { service_tier: 'flex' }, EVERYWHERE),
  chat('stop words', { stop: ['\nObservation:'] }),
  chat('a stop word of blanks', { stop: '\n\n' }),
  chat('several answers', { n: 2 }, ['anthropic']),
  chat('log probabilities', { logprobs: true, top_logprobs: 2 }, ['anthropic']),
  chat('JSON mode without a schema', { response_format: { type: 'json_object' }, messages: [user('Name a colour, as JSON.')] }),
  chat('JSON mode in a stream', { response_format: { type: 'json_object' }, stream: true, messages: [user('Name a colour, as JSON.')] }),
  chat('JSON by a schema', { response_format: { type: 'json_schema', json_schema: { name: 'city', schema: WEATHER, strict: true } } }),
  chat('a grammar of open models', { guided_json: WEATHER }, TRANSLATED),
  chat('the vendor’s own search', { web_search_options: {} }, EVERYWHERE),
  chat('marks of the cache on a part', { messages: [user([{ type: 'text', text: QUESTION, cache_control }])] }),
  chat('marks of the cache on a message', { messages: [{ role: 'system', content: 'Be brief.', cache_control }, user()] }),
  chat('marks of the cache on a tool', { tools: [{ ...tool, cache_control: { type: 'ephemeral', ttl: '1h' } }] }),
  chat('a name on a message', { messages: [{ role: 'user', name: 'Ann', content: QUESTION }] }),
  chat('an answer sent back with its annotations and refusal', {
    messages: [user(), { role: 'assistant', content: 'A book.', annotations: [], refusal: null }, user('And now?')],
  }),
  chat('an answer sent back with its thoughts', {
    messages: [user(), { role: 'assistant', content: 'A book.', reasoning_content: 'Hm.', reasoning: 'Hm.' }, user('And now?')],
  }),
  chat('an answer sent back with an id and a time', {
    messages: [user(), { role: 'assistant', content: 'A book.', id: 'm1', created_at: 1 }, user('And now?')],
  }),
  chat('a history with an empty answer', { messages: [user(), { role: 'assistant', content: '' }, user('And now?')] }),
  chat('a history that begins with the answer', { messages: [{ role: 'assistant', content: 'How can I help?' }, user()] }),
  chat('system messages alone', { messages: [{ role: 'system', content: QUESTION }] }),
  chat('system messages among the turns', {
    messages: [user(), { role: 'assistant', content: 'A book.' }, { role: 'system', content: 'Be brief.' }, user('And now?')],
  }),
  chat('a history that ends with blanks of the answer', { messages: [user(), { role: 'assistant', content: 'It is ' }] }),
  chat('a tool', { tools: [tool], messages: [user('What is the weather in Paris?')] }),
  chat('tools in a stream', { tools: [tool], stream: true, messages: [user('What is the weather in Paris?')] }),
  chat('a tool that must be called', { tools: [tool], tool_choice: { type: 'function', function: { name: 'get_weather' } } }),
  chat('any tool, in another vendor’s word', { tools: [tool], tool_choice: 'any' }),
  chat('one tool at a time', { tools: [tool], parallel_tool_calls: false }),
  chat('an empty list of tools', { tools: [] }),
  chat('results of tools', used('{"city":"Paris"}')),
  chat('results of tools with their names', {
    messages: [...used('{"city":"Paris"}').messages.slice(0, 2), { role: 'tool', tool_call_id: 'call_1', name: 'get_weather', content: 'sunny' }],
    tools: [tool],
  }),
  chat('calls with an index and our own extra_content', used('{"city":"Paris"}', { index: 0, extra_content: { google: { thought_signature: CARRIED } } })),
  chat('arguments that were cut off', used('{"city":"Par')),
  chat('empty arguments', used('')),
  chat('a result without its call', { messages: [user(), { role: 'tool', tool_call_id: 'nobody', content: 'x' }] }, EVERYWHERE),
  chat('functions, the older name of tools', { functions: [{ name: 'f', parameters: WEATHER }], function_call: 'auto' }),
  chat('functions and their results', {
    functions: [{ name: 'f', parameters: WEATHER }],
    messages: [user(), { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }, { role: 'function', name: 'f', content: 'x' }],
  }),
  chat('a picture', image({ url })),
  chat('a picture with how closely to look', image({ url, detail: 'low' })),
  chat('a picture as a text', image(url)),
  chat('a picture of the type image/jpg', image({ url: url.replace('image/png', 'image/jpg') })),
  chat('parts in the words of Responses', { messages: [user([{ type: 'input_text', text: QUESTION }])] }),
  chat('an unknown field', { never_heard_of: 1 }),
  chat('without /v1', {}, [], { path: () => '/chat/completions' }),
  chat('under /v1/v1', {}, [], { path: () => '/v1/v1/chat/completions' }),
  chat('under a base URL that is a whole endpoint', {}, [], { path: () => '/v1/chat/completions/chat/completions' }),
  chat('under Google’s compatible base URL', {}, [], { path: () => '/v1beta/openai/chat/completions' }),
  chat('under a router’s base URL', {}, [], { path: () => '/api/v1/chat/completions' }),
  chat('under Azure’s base URL, with a model in the path alone', {}, [], {
    path: (model) => `/openai/deployments/${model}/chat/completions?api-version=2024-10-21`,
    body: () => ({ messages: [user()] }),
  }),
  completions('a legacy prompt'),
  completions('a legacy prompt with its settings', { max_tokens: 50, stop: ['END'], temperature: 0.2, user: 'u' }),
]
