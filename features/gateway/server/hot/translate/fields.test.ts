import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  BLOCK_TYPES,
  ALL_CHAT_FIELDS,
  ALL_GEMINI_FIELDS,
  ALL_GEMINI_CONFIG,
  ALL_GEMINI_PARTS,
  ALL_GEMINI_TOOLS,
  ITEM_TYPES,
  ALL_MESSAGES_FIELDS,
  ALL_RESPONSES_FIELDS,
  TOOL_TYPES,
} from '../testing/fields.ts'
import type { Raw } from '../usage/usage.ts'
import { collectDropped } from './dropped.ts'
import { UntranslatableError } from './form.ts'
import type { ModelDialect } from './form.ts'
import { DIALECT_CODECS } from './index.ts'

/**
 * Every field of the SDKs (testing/fields.ts), one at a time, in every other dialect: translated, refused or dropped by its name, or listed
 * here as harmless.
 */
type Asked = readonly [path: string, body: Raw, base: Raw]
const listFieldCases = (prefix: string, base: Raw, fields: Raw): Asked[] =>
  Object.entries(fields).map(([name, value]) => [prefix + name, { ...base, [name]: value }, base])
const listTypeCases = (name: string, bodies: Readonly<Record<string, Raw>>, base: Raw): Asked[] =>
  Object.entries(bodies).map(([type, body]) => [`${name}=${type}`, body, base])
const types = (names: readonly string[], make: (type: string) => Raw): Record<string, Raw> => Object.fromEntries(names.map((name) => [name, make(name)]))

const user = { role: 'user', content: 'Hi' }
const BASE: Readonly<Record<ModelDialect, Raw>> = {
  'openai-chat': { model: 'm', messages: [user] },
  'openai-responses': { model: 'm', input: 'Hi' },
  'anthropic-messages': { model: 'm', max_tokens: 5_000, messages: [user] },
  'gemini-generate': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
}

const ASKED: Readonly<Record<ModelDialect, readonly Asked[]>> = {
  'openai-chat': [
    ...listFieldCases('', BASE['openai-chat'], ALL_CHAT_FIELDS),
    ...listTypeCases(
      'messages[0].content[0].type',
      types(['image_url', 'input_audio', 'file', 'refusal', 'video'], (type) => ({
        ...BASE['openai-chat'],
        messages: [
          {
            role: 'user',
            content: [
              {
                type,
                image_url: { url: 'https://x/y.png' },
                ...(type === 'input_audio' ? { input_audio: { data: 'AAAA', format: 'wav' } } : {}),
                ...(type === 'refusal' ? { refusal: 'No' } : {}),
              },
            ],
          },
        ],
      })),
      BASE['openai-chat'],
    ),
    ...listTypeCases(
      'tools[0].type',
      types(['custom'], (type) => ({ ...BASE['openai-chat'], tools: [{ type, custom: { name: 'c' } }] })),
      BASE['openai-chat'],
    ),
    ...listTypeCases(
      'messages[0].role',
      types(['developer', 'system', 'function', 'critic'], (role) => ({ ...BASE['openai-chat'], messages: [{ role, content: 'x' }, user] })),
      BASE['openai-chat'],
    ),
  ],
  'openai-responses': [
    ...listFieldCases('', BASE['openai-responses'], ALL_RESPONSES_FIELDS),
    ...listTypeCases(
      'input[0].type',
      types(ITEM_TYPES, (type) => ({
        ...BASE['openai-responses'],
        input: [
          { type, role: 'user', content: 'Ho', call_id: 'c', name: 'f', arguments: '{}', output: 'x', ...(type === 'reasoning' ? { summary: [] } : {}) },
          { role: 'user', content: 'Hi' },
        ],
      })),
      { ...BASE['openai-responses'], input: [{ role: 'user', content: 'Hi' }] },
    ),
    ...listTypeCases(
      'tools[0].type',
      types(TOOL_TYPES, (type) => ({ ...BASE['openai-responses'], tools: [{ type }] })),
      BASE['openai-responses'],
    ),
  ],
  'anthropic-messages': [
    ...listFieldCases('', BASE['anthropic-messages'], ALL_MESSAGES_FIELDS),
    ...listTypeCases(
      'messages[0].content[0].type',
      types(BLOCK_TYPES, (type) => ({ ...BASE['anthropic-messages'], messages: [{ role: 'user', content: [{ type }] }] })),
      BASE['anthropic-messages'],
    ),
    ...listTypeCases(
      'tools[0].type',
      types(['web_search_20250305', 'bash_20250124', 'code_execution_20250522', 'memory_20250818'], (type) => ({
        ...BASE['anthropic-messages'],
        tools: [{ type, name: 't' }],
      })),
      BASE['anthropic-messages'],
    ),
  ],
  'gemini-generate': [
    ...listFieldCases('', BASE['gemini-generate'], ALL_GEMINI_FIELDS),
    ...listFieldCases('generationConfig.', {}, ALL_GEMINI_CONFIG).map(([path, config]): Asked => [
      path,
      { ...BASE['gemini-generate'], generationConfig: config },
      BASE['gemini-generate'],
    ]),
    ...listFieldCases('contents[0].parts[0].', {}, ALL_GEMINI_PARTS).map(([path, part]): Asked => [
      path,
      { contents: [{ role: 'user', parts: [path.endsWith('thoughtSignature') ? { text: 'Hi', ...part } : part] }] },
      BASE['gemini-generate'],
    ]),
    ...listFieldCases('tools[0].', {}, ALL_GEMINI_TOOLS).map(([path, tool]): Asked => [
      path,
      { ...BASE['gemini-generate'], tools: [tool] },
      BASE['gemini-generate'],
    ]),
  ],
}

/** Fields that may be ignored, each with the reason why it cannot affect the answer. */
const HARMLESS: Readonly<Record<ModelDialect, Readonly<Record<string, string>>>> = {
  'openai-chat': {
    model: 'the gateway’s own',
    metadata: 'bookkeeping',
    prompt_cache_key: 'where a cache is, not what is said',
    prompt_cache_options: 'as above',
    prompt_cache_retention: 'as above',
    safety_identifier: 'who asks, for the vendor’s own checks',
    user: 'as above',
    store: 'nothing is stored here',
    stream: 'how the answer comes: the relay’s',
    stream_options: 'as above',
    top_logprobs: 'of log probabilities that are not asked for',
    parallel_tool_calls: 'without tools',
    tool_choice: 'without tools',
    function_call: 'without functions',
  },
  'openai-responses': {
    model: 'the gateway’s own',
    metadata: 'bookkeeping',
    max_tool_calls: 'counts hosted tools, which are refused',
    prompt_cache_key: 'where a cache is, not what is said',
    prompt_cache_options: 'as above',
    prompt_cache_retention: 'as above',
    safety_identifier: 'who asks, for the vendor’s own checks',
    user: 'as above',
    store: 'nothing is stored here',
    stream: 'how the answer comes: the relay’s',
    stream_options: 'as above',
    top_logprobs: 'of log probabilities that are not asked for',
    parallel_tool_calls: 'without tools',
    tool_choice: 'without tools',
    background: 'refused by the relay before anything is translated',
  },
  'anthropic-messages': {
    model: 'the gateway’s own',
    metadata: 'bookkeeping',
    cache_control: 'other vendors cache by themselves',
    diagnostics: 'tells why a cache was missed',
    service_tier: 'the tier that there is',
    stream: 'how the answer comes: the relay’s',
    thinking: 'adaptive without effort leaves it to the model, as others do',
    tool_choice: 'without tools',
  },
  'gemini-generate': {
    'labels': 'bookkeeping',
    'toolConfig': 'without tools',
    'generationConfig.logprobs': 'of log probabilities that are not asked for',
    'contents[0].parts[0].thoughtSignature': 'another vendor’s proof',
  },
}

type Fate = 'translated' | 'refused' | 'dropped' | 'harmless'

function writeRequestAs(from: ModelDialect, body: Raw, to: ModelDialect): string {
  return JSON.stringify(DIALECT_CODECS[to].writeAsk(DIALECT_CODECS[from].readAsk(body, false), { model: 'm', mostOutput: 4_096, traits: new Set() }))
}

describe.each(Object.keys(DIALECT_CODECS) as ModelDialect[])('every field of %s', (from) => {
  const others = (Object.keys(DIALECT_CODECS) as ModelDialect[]).filter((to) => to !== from)
  const fates = ASKED[from].map(([path, body, base]) => {
    const row = others.map((to): Fate => {
      try {
        const { value, dropped } = collectDropped(() => writeRequestAs(from, body, to))
        if (dropped.length === 0) return value === writeRequestAs(from, base, to) ? 'harmless' : 'translated'
        expect(dropped.join(), `${path} for ${to}`).toContain(
          path
            .replace(/\[\d+\]/g, '[]')
            .split('=')[0]!
            .split('.')
            .at(-1),
        )
        return 'dropped'
      } catch (error) {
        expect(error, `${path} for ${to}`).toBeInstanceOf(UntranslatableError)
        expect((error as UntranslatableError).field, `${path} for ${to}`).toContain(path.split(/[=[.]/)[0])
        return 'refused'
      }
    })
    return [path, row] as const
  })

  it('no field is ignored that is not on the list', () => {
    const silent = fates.filter(([path, row]) => row.includes('harmless') && !(path in HARMLESS[from])).map(([path]) => path)
    expect(silent).toEqual([])
  })
  it('every field on the list is ignored', () => {
    const spoken = Object.keys(HARMLESS[from]).filter((path) => !fates.some(([one, row]) => one === path && row.includes('harmless')))
    expect(spoken).toEqual([])
  })
  it('matches the golden table', async () => {
    const lines = fates.map(([path, row]) => `${path.padEnd(52)} ${row.join(' ')}`)
    await expect(`${' '.repeat(52)} ${others.join(' ')}\n${lines.join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden', `fields-${from}.txt`))
  })
})
