import type { Raw } from '../usage/usage.ts'
import type { ModelDialect } from './form.ts'

/** For the tests: one request in each dialect that uses every feature common to the four. */
const PNG = 'iVBORw0KGgo='
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const shape = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
const [PARIS, LONDON] = ['{"city":"Paris"}', '{"city":"London"}']

export const SAMPLE_REQUESTS: Readonly<Record<ModelDialect, Raw>> = {
  'openai-chat': {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: PARIS } },
          { id: 'call_2', type: 'function', function: { name: 'weather', arguments: LONDON } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
      { role: 'tool', tool_call_id: 'call_2', content: 'rain' },
      { role: 'user', content: 'And now?' },
    ],
    tools: [{ type: 'function', function: { name: 'weather', description: 'The weather', parameters: schema } }],
    tool_choice: { type: 'function', function: { name: 'weather' } },
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: shape } },
    reasoning_effort: 'medium',
    max_completion_tokens: 500,
    temperature: 0.5,
    top_p: 0.9,
    stream: true,
  },
  'openai-responses': {
    model: 'm',
    instructions: 'Be brief.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: PARIS },
      { type: 'function_call', call_id: 'call_2', name: 'weather', arguments: LONDON },
      { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
      { type: 'function_call_output', call_id: 'call_2', output: 'rain' },
      { role: 'user', content: 'And now?' },
    ],
    tools: [{ type: 'function', name: 'weather', description: 'The weather', parameters: schema, strict: false }],
    tool_choice: { type: 'function', name: 'weather' },
    text: { format: { type: 'json_schema', name: 'answer', schema: shape } },
    reasoning: { effort: 'medium', summary: 'auto' },
    max_output_tokens: 500,
    temperature: 0.5,
    top_p: 0.9,
    stream: true,
  },
  'anthropic-messages': {
    model: 'm',
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Two cities.', signature: 'proof' },
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Paris' } },
          { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'London' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'sunny' },
          { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: 'rain' }], is_error: true },
          { type: 'text', text: 'And now?' },
        ],
      },
    ],
    tools: [{ name: 'weather', description: 'The weather', input_schema: schema }],
    tool_choice: { type: 'tool', name: 'weather' },
    output_config: { effort: 'medium', format: { type: 'json_schema', schema: shape } },
    thinking: { type: 'adaptive' },
    max_tokens: 500,
    temperature: 0.5,
    top_p: 0.9,
    stream: true,
  },
  'gemini-generate': {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Look.' }, { inlineData: { mimeType: 'image/png', data: PNG } }] },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Paris' } }, thoughtSignature: 'cHJvb2Y=' },
          { functionCall: { id: 'call_2', name: 'weather', args: { city: 'London' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'weather', response: { output: 'sunny' } } },
          { functionResponse: { id: 'call_2', name: 'weather', response: { output: 'rain' } } },
          { text: 'And now?' },
        ],
      },
    ],
    tools: [{ functionDeclarations: [{ name: 'weather', description: 'The weather', parametersJsonSchema: schema }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
    generationConfig: {
      maxOutputTokens: 500,
      temperature: 0.5,
      topP: 0.9,
      responseMimeType: 'application/json',
      responseJsonSchema: shape,
      thinkingConfig: { thinkingBudget: 8_192, includeThoughts: true },
    },
  },
}
