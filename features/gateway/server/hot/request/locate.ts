import { memoizeBySpelling } from '#platform/shared/memoize-by-spelling.ts'
import type { Dialect, Surface } from '../deps.ts'
import { decodePathPart, mayBeModelApi, canonicalizePath, suggestPath } from './path-aliases.ts'

/** Endpoint that a URL names. `method` is the vendor's own verb, if the path has one. */
export type EndpointTarget =
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
  | { readonly kind: 'quote'; readonly surface: Surface | 'by-headers'; readonly verb: 'POST' }
  | { readonly kind: 'funds'; readonly surface: 'openai'; readonly verb: 'GET'; readonly form: FundsFormat }
  | { readonly kind: 'unstored'; readonly surface: Surface; readonly verb: undefined }
  /** `what` is not served: uploads, batches and other objects that a vendor stores for its customer. */
  | { readonly kind: 'unsupported'; readonly surface: Surface | 'by-headers'; readonly verb: undefined; readonly what: UnsupportedFeature }
  /** No endpoint here matches this path, but another one serves the purpose. */
  | { readonly kind: 'unserved'; readonly surface: Surface | 'by-headers'; readonly verb: undefined; readonly what: UnservedEndpoint }
  | { readonly kind: 'unknown'; readonly surface: Surface | 'by-headers'; readonly verb: undefined }

export type UnsupportedFeature = 'upload' | 'batch' | 'cache' | 'variation'
export type UnservedEndpoint =
  | 'assistants'
  | 'vector_stores'
  | 'fine_tuning'
  | 'conversations'
  | 'containers'
  | 'predict'
  | 'compact'
  | 'input_tokens'
  | 'videos'
  | 'evals'
  | 'old_names'
/** Response format for the balance (funds.ts). */
export type FundsFormat = 'subscription' | 'usage' | 'grants' | 'balance' | 'token' | 'credits' | 'key' | 'plain'

export interface LocatedEndpoint {
  readonly target: EndpointTarget
  readonly path: string
  readonly query: string
}

function generate(dialect: Dialect, surface: Surface, method = '', model = '', free = false): EndpointTarget {
  return { kind: 'generate', surface, dialect, verb: 'POST', method, model, free }
}

function unserved(what: UnservedEndpoint, surface: Surface): EndpointTarget {
  return { kind: 'unserved', surface, verb: undefined, what }
}

const funds = (form: FundsFormat): EndpointTarget => ({ kind: 'funds', surface: 'openai', verb: 'GET', form })

function unsupported(what: UnsupportedFeature, surface: Surface | 'by-headers'): EndpointTarget {
  return { kind: 'unsupported', surface, verb: undefined, what }
}

/** Objects that vendors store per account: refused, because all customers share ours (docs/decisions/hostile-input.md). */
const STORED_OBJECT_PATHS: readonly (readonly [RegExp, EndpointTarget])[] = [
  [/^\/v1\/(?:files|uploads)(?:\/|$)/, unsupported('upload', 'by-headers')],
  [/^\/v1\/batches(?:\/|$)/, unsupported('batch', 'by-headers')],
  [/^\/v1\/messages\/batches(?:\/|$)/, unsupported('batch', 'anthropic')],
  [/^\/(?:upload\/v1beta|v1beta\/files)(?:\/|$)/, unsupported('upload', 'gemini')],
  [/^\/v1beta\/(?:batches(?:\/|$)|models\/[^/]+:(?:batchGenerateContent|asyncBatchEmbedContent)$)/, unsupported('batch', 'gemini')],
  [/^\/v1beta\/cachedContents(?:\/|$)/, unsupported('cache', 'gemini')],
]

/** Vendor endpoints that we do not offer, each with its own message (unsupported-routes.ts). */
const UNSERVED_PATHS: readonly (readonly [RegExp, EndpointTarget])[] = [
  [/^\/v1\/(?:assistants|threads)(?:\/|$)/, unserved('assistants', 'openai')],
  [/^\/v1\/vector_stores(?:\/|$)/, unserved('vector_stores', 'openai')],
  [/^\/v1\/(?:fine_tuning|fine-tunes)(?:\/|$)/, unserved('fine_tuning', 'openai')],
  [/^\/v1\/conversations(?:\/|$)/, unserved('conversations', 'openai')],
  [/^\/v1\/(?:containers|skills)(?:\/|$)/, unserved('containers', 'openai')],
  [/^\/v1\/videos(?:\/|$)/, unserved('videos', 'openai')],
  [/^\/v1\/(?:evals|graders)(?:\/|$)/, unserved('evals', 'openai')],
  [/^\/v1\/(?:edits|engines(?:\/.*)?)$/, unserved('old_names', 'openai')],
  [/^\/v1\/responses\/compact$/, unserved('compact', 'openai')],
  [/^\/v1\/responses\/input_tokens$/, unserved('input_tokens', 'openai')],
  [/^\/v1(?:beta)?\/models\/[^/]+:(?:predict|predictLongRunning|generateImages|generateVideos)$/, unserved('predict', 'gemini')],
]

const FIXED: ReadonlyMap<string, EndpointTarget> = new Map<string, EndpointTarget>([
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
  ['/v1/dashboard/billing/subscription', funds('subscription')],
  ['/v1/dashboard/billing/usage', funds('usage')],
  ['/v1/dashboard/billing/credit_grants', funds('grants')],
  ['/user/balance', funds('balance')],
  ['/v1/user/balance', funds('balance')],
  ['/v1/usage', funds('plain')],
  ['/api/usage/token', funds('token')],
  ['/v1/credits', funds('credits')],
  ['/v1/key', funds('key')],
  ['/v1/auth/key', funds('key')],
  ['/v1beta/models', { kind: 'models', surface: 'gemini', verb: 'GET', model: undefined }],
])

const GEMINI_METHODS: Readonly<Record<string, { dialect: Dialect; free: boolean } | undefined>> = {
  generateContent: { dialect: 'gemini-generate', free: false },
  streamGenerateContent: { dialect: 'gemini-generate', free: false },
  countTokens: { dialect: 'gemini-generate', free: true },
  embedContent: { dialect: 'gemini-embed', free: false },
  batchEmbedContents: { dialect: 'gemini-embed', free: false },
}

/** Paths of the platform's API under /v1 (product.md 2.7): never the model API's, regardless of the credential. */
const PLATFORM = /^\/v1\/(?:pay|user(?!\/balance$)|userWrapperApi|tool|service|fission|virtualCard|unAuth)(?:\/|$)/

/** Users paste base URLs with and without /v1, and with an extra slash (wire.md 2). */
function normalizePath(path: string): string {
  let tidied = path.replace(/\/{2,}/g, '/')
  if (tidied.length > 1 && tidied.endsWith('/')) tidied = tidied.slice(0, -1)
  tidied = tidied.replace(/^(?:\/v1(?=\/v1(?:beta)?(?:\/|$)))+/, '')
  return tidied.replace(/^(?:\/v1beta(?=\/v1beta(?:\/|$)))+/, '')
}

const findQueryStart = (url: string): number => {
  const at = url.indexOf('?')
  return at < 0 ? url.length : at
}

/** Target of a URL: in the vendors' spelling, or in one of the ways in which users configure a base URL (path-aliases.ts). */
export function locate(url: string): LocatedEndpoint {
  const end = findQueryStart(url)
  if (end === url.length) return locateByUrl(url)!
  // A query may contain a key: never cache it.
  const { target, path } = locateByUrl(url.slice(0, end))!
  return { target, path, query: url.slice(end) }
}

const locateByUrl = memoizeBySpelling((raw): LocatedEndpoint => {
  const query = ''
  const direct = FIXED.get(raw)
  if (direct !== undefined) return { target: direct, path: raw, query }
  const path = normalizePath(raw)
  const exact = FIXED.get(path)
  if (exact !== undefined) return { target: exact, path, query }
  const { path: own, surface, model } = canonicalizePath(path)
  const target = FIXED.get(own) ?? dynamicTarget(own)
  if (target.kind === 'generate') return { target: model === undefined ? target : { ...target, model }, path: own, query }
  return {
    target: surface !== undefined && target.surface === 'by-headers' ? { ...target, surface } : target,
    path: target.kind === 'unknown' ? path : own,
    query,
  }
})

function dynamicTarget(path: string): EndpointTarget {
  const gemini = /^\/v1(?:beta)?\/(models|tunedModels)\/(.+):([A-Za-z]+)$/.exec(path)
  const method = gemini === null ? undefined : GEMINI_METHODS[gemini[3]!]
  if (gemini !== null && method !== undefined && Object.hasOwn(GEMINI_METHODS, gemini[3]!)) {
    const name = decodePathPart(gemini[2]!)
    const model = gemini[1] === 'tunedModels' ? `tunedModels/${name}` : name.replace(/^models\//, '')
    return generate(method.dialect, 'gemini', gemini[3], model, method.free)
  }
  const kept = STORED_OBJECT_PATHS.find(([pattern]) => pattern.test(path)) ?? UNSERVED_PATHS.find(([pattern]) => pattern.test(path))
  if (kept !== undefined) return kept[1]
  const one = /^\/v1(beta)?\/models\/(.+)$/.exec(path)
  if (one !== null) return { kind: 'models', surface: one[1] === undefined ? 'by-headers' : 'gemini', verb: 'GET', model: decodePathPart(one[2]!) }
  if (path.startsWith('/v1/responses/')) return { kind: 'unstored', surface: 'openai', verb: undefined }
  if (path.startsWith('/v1beta')) return { kind: 'unknown', surface: 'gemini', verb: undefined }
  if (path.startsWith('/v1/messages/') || path === '/v1/complete') return { kind: 'unknown', surface: 'anthropic', verb: undefined }
  return { kind: 'unknown', surface: 'by-headers', verb: undefined }
}

/** Vendor paths: no path of the platform starts with them. */
const VENDORS = /^\/(?:v1beta|v1alpha|v1\/messages|v1\/responses|v1\/chat|openai|anthropic|gemini|google)(?:\/|$)/
/** Paths that browsers may open or the platform uses itself: only model clients are served here. */
const SHARED = /^\/(?:models(?:\/[^:]*)?|user\/balance)$|^\/(?:files|uploads|batches|usage|credits|quote)(?:\/|$)/

/** True for the model API's paths; for other paths only `claims` decides. */
export function isModelPath(url: string): boolean {
  if (!mayBeModelApi(url)) return false
  const end = findQueryStart(url)
  return isVendorPath(end === url.length ? url : url.slice(0, end))!
}

const isVendorPath = memoizeBySpelling((raw): boolean => {
  const { target, path } = locateByUrl(raw)!
  return target.kind === 'unknown' ? VENDORS.test(path) : !SHARED.test(normalizePath(raw))
})

/** The platform's own folders, which may contain vendors' endpoints: the sandbox is one. */
const PLATFORM_FOLDERS = /^\/(?:sandbox|user|help|docs|notify|dev)\//

const SDK_AGENT = /^(?:openai|asyncopenai|anthropic|google-genai|claude-cli|codex|geminicli)/i
const KEY_HEADERS = new Set(['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'])
const ASKS_FOR_KEY = /(?:^|[\s,])(?:authorization|x-api-key|api-key|x-goog-api-key)(?:[\s,]|$)/i

/** True for an ambiguous path requested by a model client: it gets the vendor's answer, not the platform's. */
export function isModelRequest(url: string, rawHeaders: readonly string[]): boolean {
  const path = normalizePath(url.slice(0, findQueryStart(url)))
  const isUnderV1 = path.startsWith('/v1/') || path === '/v1'
  if (isUnderV1 ? PLATFORM.test(path) : !SHARED.test(path) && (PLATFORM_FOLDERS.test(path) || suggestPath(path) === undefined)) return false
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    if (KEY_HEADERS.has(name) || name === 'anthropic-version' || name.startsWith('x-stainless-')) return true
    // A browser's CORS preflight; no other origin requests anything of the platform's on these paths.
    if (name === 'access-control-request-headers' && ASKS_FOR_KEY.test(rawHeaders[i + 1]!)) return true
    if (name === 'origin' && isUnderV1) return true
    if (name === 'user-agent' && SDK_AGENT.test(rawHeaders[i + 1]!)) return true
  }
  return false
}
