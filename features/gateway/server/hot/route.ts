import type { Dialect, Surface } from './deps.ts'

/** What a URL asks for. `method` is the vendor's own verb where the path has one. */
export type Target =
  | {
      readonly kind: 'generate'
      readonly surface: Surface
      readonly dialect: Dialect
      readonly verb: 'POST'
      readonly method: string
      readonly model: string
      readonly free: boolean
    }
  | { readonly kind: 'models'; readonly surface: Surface | 'by-headers'; readonly verb: 'GET'; readonly model: string | undefined }
  | { readonly kind: 'quote'; readonly surface: 'by-headers'; readonly verb: 'POST' }
  | { readonly kind: 'unstored'; readonly surface: Surface; readonly verb: undefined }
  /** `what` is not served: uploads, batches and what else a vendor keeps for its customer. */
  | { readonly kind: 'unsupported'; readonly surface: Surface | 'by-headers'; readonly verb: undefined; readonly what: Unsupported }
  | { readonly kind: 'unknown'; readonly surface: Surface | 'by-headers'; readonly verb: undefined }

export type Unsupported = 'upload' | 'batch' | 'cache' | 'variation'

export interface Routed {
  readonly target: Target
  readonly path: string
  readonly query: string
}

function generate(dialect: Dialect, surface: Surface, method = '', model = '', free = false): Target {
  return { kind: 'generate', surface, dialect, verb: 'POST', method, model, free }
}

function unsupported(what: Unsupported, surface: Surface | 'by-headers'): Target {
  return { kind: 'unsupported', surface, verb: undefined, what }
}

/** What vendors keep for an account: theirs is shared here, so nothing may be kept (decision 0015). */
const KEPT: readonly (readonly [RegExp, Target])[] = [
  [/^\/v1\/(?:files|uploads)(?:\/|$)/, unsupported('upload', 'by-headers')],
  [/^\/v1\/batches(?:\/|$)/, unsupported('batch', 'by-headers')],
  [/^\/v1\/messages\/batches(?:\/|$)/, unsupported('batch', 'anthropic')],
  [/^\/(?:upload\/v1beta|v1beta\/files)(?:\/|$)/, unsupported('upload', 'gemini')],
  [/^\/v1beta\/(?:batches(?:\/|$)|models\/[^/]+:(?:batchGenerateContent|asyncBatchEmbedContent)$)/, unsupported('batch', 'gemini')],
  [/^\/v1beta\/cachedContents(?:\/|$)/, unsupported('cache', 'gemini')],
]

const FIXED: ReadonlyMap<string, Target> = new Map<string, Target>([
  ['/v1/chat/completions', generate('openai-chat', 'openai')],
  ['/v1/responses', generate('openai-responses', 'openai')],
  ['/v1/embeddings', generate('openai-embeddings', 'openai')],
  ['/v1/completions', generate('openai-completions', 'openai')],
  ['/v1/images/generations', generate('openai-images', 'openai')],
  ['/v1/images/edits', generate('openai-image-edits', 'openai')],
  ['/v1/images/variations', unsupported('variation', 'openai')],
  ['/v1/audio/speech', generate('openai-speech', 'openai')],
  ['/v1/audio/transcriptions', generate('openai-transcriptions', 'openai')],
  ['/v1/audio/translations', generate('openai-translations', 'openai')],
  ['/v1/moderations', generate('openai-moderations', 'openai')],
  ['/v1/rerank', generate('rerank', 'openai')],
  ['/v1/messages', generate('anthropic-messages', 'anthropic')],
  ['/v1/messages/count_tokens', generate('anthropic-messages', 'anthropic', 'count_tokens', '', true)],
  ['/v1/quote', { kind: 'quote', surface: 'by-headers', verb: 'POST' }],
  ['/v1/models', { kind: 'models', surface: 'by-headers', verb: 'GET', model: undefined }],
  ['/v1beta/models', { kind: 'models', surface: 'gemini', verb: 'GET', model: undefined }],
])

const GEMINI_METHODS: Readonly<Record<string, { dialect: Dialect; free: boolean } | undefined>> = {
  generateContent: { dialect: 'gemini-generate', free: false },
  streamGenerateContent: { dialect: 'gemini-generate', free: false },
  countTokens: { dialect: 'gemini-generate', free: true },
  embedContent: { dialect: 'gemini-embed', free: false },
  batchEmbedContents: { dialect: 'gemini-embed', free: false },
}

/** Paths of the platform's own API under /v1 (specification 2): never ours, whatever the credential. */
const PLATFORM = /^\/v1\/(?:pay|user|userWrapperApi|tool|fission|virtualCard|unAuth)(?:\/|$)/

/** People paste base URLs with and without /v1, and with a slash too many (wire.md, section 2). */
function tidy(path: string): string {
  let tidied = path.replace(/\/{2,}/g, '/')
  if (tidied.length > 1 && tidied.endsWith('/')) tidied = tidied.slice(0, -1)
  tidied = tidied.replace(/^(?:\/v1(?=\/v1(?:beta)?(?:\/|$)))+/, '')
  return tidied.replace(/^(?:\/v1beta(?=\/v1beta(?:\/|$)))+/, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const cutQuery = (url: string): number => {
  const at = url.indexOf('?')
  return at < 0 ? url.length : at
}

/** The target of a URL under /v1, /v1beta or /upload/v1beta. */
export function route(url: string): Routed {
  const end = cutQuery(url)
  const raw = end === url.length ? url : url.slice(0, end)
  const query = url.slice(end)
  const direct = FIXED.get(raw)
  if (direct !== undefined) return { target: direct, path: raw, query }
  const path = tidy(raw)
  return { target: FIXED.get(path) ?? dynamicTarget(path), path, query }
}

function dynamicTarget(path: string): Target {
  const gemini = /^\/v1(?:beta)?\/(models|tunedModels)\/(.+):([A-Za-z]+)$/.exec(path)
  const method = gemini === null ? undefined : GEMINI_METHODS[gemini[3]!]
  if (gemini !== null && method !== undefined && Object.hasOwn(GEMINI_METHODS, gemini[3]!)) {
    const name = decoded(gemini[2]!)
    const model = gemini[1] === 'tunedModels' ? `tunedModels/${name}` : name.replace(/^models\//, '')
    return generate(method.dialect, 'gemini', gemini[3], model, method.free)
  }
  const kept = KEPT.find(([pattern]) => pattern.test(path))
  if (kept !== undefined) return kept[1]
  const one = /^\/v1(beta)?\/models\/(.+)$/.exec(path)
  if (one !== null) return { kind: 'models', surface: one[1] === undefined ? 'by-headers' : 'gemini', verb: 'GET', model: decoded(one[2]!) }
  if (path.startsWith('/v1/responses/')) return { kind: 'unstored', surface: 'openai', verb: undefined }
  if (path.startsWith('/v1beta')) return { kind: 'unknown', surface: 'gemini', verb: undefined }
  if (path.startsWith('/v1/messages/') || path === '/v1/complete') return { kind: 'unknown', surface: 'anthropic', verb: undefined }
  return { kind: 'unknown', surface: 'by-headers', verb: undefined }
}

/** True for the model API's paths; for other paths under /v1 only `claims` decides. */
export function isModelPath(url: string): boolean {
  if (!url.startsWith('/v1') && !url.startsWith('//') && !url.startsWith('/upload/v1beta/')) return false
  const { target, path } = route(url)
  if (target.kind !== 'unknown') return true
  return path.startsWith('/v1beta') || path.startsWith('/v1/messages') || path.startsWith('/v1/responses') || path.startsWith('/v1/chat')
}

const SDK_AGENT = /^(?:openai|asyncopenai|anthropic|google-genai|claude-cli|codex|geminicli)/i

/** An unknown path under /v1 that a model client asks for: it gets the vendor's 404, not the platform's. */
export function claims(url: string, rawHeaders: readonly string[]): boolean {
  const path = tidy(url.slice(0, cutQuery(url)))
  if (!path.startsWith('/v1/') && path !== '/v1') return false
  if (PLATFORM.test(path)) return false
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    if (name === 'authorization' || name === 'x-api-key' || name === 'x-goog-api-key' || name === 'anthropic-version' || name.startsWith('x-stainless-'))
      return true
    if (name === 'user-agent' && SDK_AGENT.test(rawHeaders[i + 1]!)) return true
  }
  return false
}
