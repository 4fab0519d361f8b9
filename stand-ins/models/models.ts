import { Refused } from './write/errors.ts'
import { num, type JsonObject } from './read/json.ts'
import { thinks } from './read/gemini.ts'

/** Models that the sandbox lists. It answers to any other name too, but for those that begin with "missing". */
const LISTED = {
  openai: ['gpt-6.2-sol', 'gpt-6.1-terra', 'gpt-5.2', 'gpt-4.1', 'gpt-4.1-mini', 'o3', 'text-embedding-3-small', 'text-embedding-3-large'],
  anthropic: ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
  gemini: ['gemini-4-argon', 'gemini-3.8-flash', 'gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-embedding-001', 'gemini-embedding-2'],
} as const
const RELEASED = 1_767_225_600

export function checkModel(model: string): void {
  if (!model.startsWith('missing')) return
  throw new Refused('not-found', { message: `The model \`${model}\` does not exist or you do not have access to it.` })
}

export function openaiModels(): JsonObject {
  return { object: 'list', data: LISTED.openai.map((id) => openaiModel(id)) }
}

export function openaiModel(id: string): JsonObject {
  checkModel(id)
  return { id, object: 'model', created: RELEASED, owned_by: 'sandbox' }
}

const yes = { supported: true }
const no = { supported: false }

export function anthropicModel(id: string): JsonObject {
  checkModel(id)
  const line = ['opus', 'sonnet', 'haiku'].find((name) => id.includes(name)) ?? null
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(RELEASED * 1000).toISOString(),
    line,
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    max_input_tokens: 200_000,
    max_tokens: 64_000,
    capabilities: {
      batch: no,
      citations: no,
      code_execution: no,
      image_input: yes,
      pdf_input: yes,
      structured_outputs: yes,
      context_management: { supported: false, clear_thinking_20251015: null, clear_tool_uses_20250919: null, compact_20260112: null },
      effort: { supported: true, low: yes, medium: yes, high: yes, max: yes, xhigh: yes },
      server_tools: { supported: false, code_execution: no, web_search: no },
      thinking: { supported: true, types: { adaptive: yes, between_tools: yes, disabled: yes, enabled: yes } },
    },
  }
}

/** One page; `after_id` and `before_id` are model ids. */
export function anthropicModels(query: URLSearchParams): JsonObject {
  const limit = Math.min(1000, Math.max(1, Number(query.get('limit') ?? 20) || 20))
  const all: readonly string[] = LISTED.anthropic
  const after = query.get('after_id')
  const before = query.get('before_id')
  const from = after ? all.indexOf(after) + 1 : before ? Math.max(0, all.indexOf(before) - limit) : 0
  const to = before ? Math.max(0, all.indexOf(before)) : all.length
  const page = all.slice(from, Math.min(to, from + limit))
  return {
    data: page.map(anthropicModel),
    has_more: before ? from > 0 : from + page.length < all.length,
    first_id: page[0] ?? null,
    last_id: page.at(-1) ?? null,
  }
}

export function geminiModel(id: string): JsonObject {
  checkModel(id)
  const embedding = id.includes('embedding')
  return {
    name: `models/${id}`,
    version: '001',
    displayName: id,
    description: 'A model of the sandbox.',
    inputTokenLimit: embedding ? 8192 : 1_048_576,
    outputTokenLimit: embedding ? 1 : 65_536,
    supportedGenerationMethods: embedding ? ['embedContent', 'batchEmbedContents', 'countTokens'] : ['generateContent', 'countTokens', 'streamGenerateContent'],
    ...(embedding ? {} : { temperature: 1, topP: 0.95, topK: 64, maxTemperature: 2, thinking: thinks(id) }),
  }
}

export function geminiModels(query: URLSearchParams): JsonObject {
  const size = Math.min(1000, Math.max(1, num(Number(query.get('pageSize') ?? 50)) || 50))
  const from = Number(Buffer.from(query.get('pageToken') ?? '', 'base64url').toString()) || 0
  const to = from + size
  const models = LISTED.gemini.slice(from, to).map(geminiModel)
  return { models, ...(to < LISTED.gemini.length ? { nextPageToken: Buffer.from(String(to)).toString('base64url') } : {}) }
}
