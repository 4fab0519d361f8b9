import type { GatewayCall } from '../call.ts'
import type { Dialect, GatewayModel, Surface } from '../deps.ts'
import { isModelAllowed } from '../admission/limits.ts'
import { sendCallRefusal, sendJson } from '../reply/reply.ts'
import { canServeDialect } from '../translate/index.ts'

/** Models that a surface's routes can serve, directly or by translation; retired ones are excluded. */
const SURFACE_DIALECTS: Readonly<Record<Surface, readonly Dialect[]>> = {
  openai: [
    'openai-chat',
    'openai-responses',
    'openai-embeddings',
    'openai-completions',
    'openai-images',
    'openai-image-edits',
    'openai-speech',
    'openai-transcriptions',
    'openai-translations',
    'openai-moderations',
    'rerank',
    'openai-realtime',
  ],
  anthropic: ['anthropic-messages'],
  gemini: ['gemini-generate', 'gemini-embed', 'gemini-live'],
}

function canServeSurface(model: GatewayModel, surface: Surface): boolean {
  return SURFACE_DIALECTS[surface].some((dialect) => canServeDialect(model, dialect))
}

const isNative = (model: GatewayModel, surface: Surface): boolean => SURFACE_DIALECTS[surface].some((dialect) => model.dialects.has(dialect))

/** GET /v1/models, /v1beta/models and single models, in the list format of the caller's SDK (wire.md 6). */
export function answerModels(call: GatewayCall, id: string | undefined): void {
  const allowed = call.apiKey?.limits?.models
  const reached = call.deps
    .listModels()
    .filter((model) => model.lifecycle !== 'retired' && canServeSurface(model, call.surface) && (allowed === undefined || isModelAllowed(allowed, model)))
  // The vendor's own models come first: its clients show the first page.
  const models = [...reached.filter((model) => isNative(model, call.surface)), ...reached.filter((model) => !isNative(model, call.surface))]
  if (id === undefined) {
    sendJson(call, LISTS[call.surface](models, new URLSearchParams(call.located.query)))
    return
  }
  const wanted = call.surface === 'gemini' ? id.replace(/^models\//, '') : id
  const model = models.find((one) => one.id === wanted)
  if (model === undefined)
    sendCallRefusal(call, { cause: 'no_model', field: 'model', message: `The model \`${wanted}\` does not exist, or it is not served on this route.` })
  else sendJson(call, ENTRIES[call.surface](model))
}

const time = (seconds: number | undefined): string | null => (seconds === undefined ? null : new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z'))
const has = (model: GatewayModel, capability: string): { supported: boolean } => ({ supported: model.capabilities.includes(capability) })

/** An additional member, present only if it has content: OpenAI's own list has no place for it. */
const formatDeprecation = (model: GatewayModel): object =>
  model.lifecycle === 'active'
    ? {}
    : { deprecation: { deprecated_at: time(model.deprecatedAt), retires_at: time(model.retiresAt), successor: model.successor ?? null } }

const ENTRIES: Readonly<Record<Surface, (model: GatewayModel) => object>> = {
  openai: (model) => ({ id: model.id, object: 'model', created: model.createdAt, owned_by: model.vendor, ...formatDeprecation(model) }),
  anthropic: (model) => ({
    type: 'model',
    id: model.id,
    display_name: model.displayName,
    created_at: time(model.createdAt),
    lifecycle: model.lifecycle,
    line: null,
    deprecated_at: time(model.deprecatedAt),
    retires_at: time(model.retiresAt),
    max_input_tokens: model.contextTokens ?? null,
    max_tokens: model.maxOutputTokens ?? null,
    capabilities: {
      image_input: has(model, 'vision'),
      pdf_input: has(model, 'pdf'),
      thinking: has(model, 'thinking'),
      structured_outputs: has(model, 'structured_outputs'),
    },
  }),
  gemini: (model) => ({
    name: `models/${model.id}`,
    baseModelId: model.id,
    version: model.id,
    displayName: model.displayName,
    ...(model.contextTokens === undefined ? {} : { inputTokenLimit: model.contextTokens }),
    ...(model.maxOutputTokens === undefined ? {} : { outputTokenLimit: model.maxOutputTokens }),
    supportedGenerationMethods: model.dialects.has('gemini-live')
      ? ['bidiGenerateContent']
      : model.dialects.has('gemini-embed')
        ? ['embedContent', 'batchEmbedContents']
        : ['generateContent', 'streamGenerateContent', 'countTokens'],
  }),
}

function parseBoundedInteger(text: string | null, fallback: number, most: number): number {
  const value = Number(text ?? fallback)
  return Number.isInteger(value) && value > 0 ? Math.min(value, most) : fallback
}

/** `after_id` and `before_id` are exclusive; an unknown one gives an empty page. */
function anthropicList(models: readonly GatewayModel[], query: URLSearchParams): object {
  const limit = parseBoundedInteger(query.get('limit'), 20, 1_000)
  const after = query.get('after_id')
  const before = query.get('before_id')
  const at = (id: string): number => models.findIndex((model) => model.id === id)
  let page: readonly GatewayModel[]
  let hasMore: boolean
  if (before !== null) {
    const earlier = models.slice(0, Math.max(0, at(before)))
    page = earlier.slice(-limit)
    hasMore = earlier.length > page.length
  } else {
    const later = after === null ? models : at(after) < 0 ? [] : models.slice(at(after) + 1)
    page = later.slice(0, limit)
    hasMore = later.length > page.length
  }
  return { data: page.map(ENTRIES.anthropic), has_more: hasMore, first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null }
}

function geminiList(models: readonly GatewayModel[], query: URLSearchParams): object {
  const size = parseBoundedInteger(query.get('pageSize'), 50, 1_000)
  const from = Number(query.get('pageToken') ?? 0) || 0
  const more = from + size < models.length ? { nextPageToken: String(from + size) } : {}
  return { models: models.slice(from, from + size).map(ENTRIES.gemini), ...more }
}

const LISTS: Readonly<Record<Surface, (models: readonly GatewayModel[], query: URLSearchParams) => object>> = {
  openai: (models) => ({ object: 'list', data: models.map(ENTRIES.openai) }),
  anthropic: anthropicList,
  gemini: geminiList,
}
