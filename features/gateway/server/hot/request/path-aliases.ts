/** Canonical form of a path that is not spelled as in the vendors' documentation. */
export interface CanonicalPath {
  readonly path: string
  /** Determined by the prefix: the caller's error and list format. */
  readonly surface?: 'openai' | 'anthropic' | 'gemini'
  /** Model in the path, as in Azure's. */
  readonly model?: string
}

/** First segments of OpenAI's, Anthropic's and Cohere's endpoints that are unambiguous without `/v1` too. */
const ENDPOINTS =
  'chat|completions|responses|embeddings|messages|complete|moderations|rerank|images|audio|models|files|uploads|batches|assistants|threads|vector_stores|fine_tuning|conversations|dashboard|credits|usage|quote|realtime'
const BARE = new RegExp(`^/(?:${ENDPOINTS})(?:/|$)`)
const GEMINI_METHOD = /^\/(?:models|tunedModels)\/.+:[A-Za-z]+$/

/** Prefixes of configured base URLs, longest first, and their canonical forms. */
const PREFIXES: readonly (readonly [RegExp, string, CanonicalPath['surface']])[] = [
  [/^\/v1beta\/openai(?:\/v1)?(?=\/|$)/, '/v1', 'openai'],
  [/^\/openai(?:\/v1)?(?=\/|$)/, '/v1', 'openai'],
  [/^\/anthropic(?:\/v1)?(?=\/|$)/, '/v1', 'anthropic'],
  [/^\/(?:gemini|google)(?:\/v1(?:alpha|beta))?(?=\/|$)/, '/v1beta', 'gemini'],
  [/^\/v1alpha(?=\/|$)/, '/v1beta', 'gemini'],
  [/^\/api\/v1(?=\/|$)/, '/v1', undefined],
  [/^\/v2(?=\/rerank$)/, '/v1', undefined],
]
const AZURE = /^\/openai\/deployments\/([^/]+)\/(.+)$/
/** A whole endpoint pasted as a base URL: clients append theirs to it. */
const REPEATED_ENDPOINT =
  /^\/v1\/(?:chat\/completions|messages|responses|embeddings)(?:\/v1)?(?=\/(?:chat\/completions|messages|responses|embeddings|models)(?:\/count_tokens)?$)/

/** First segments of paths that may be the model API's: pages and the platform's API cost one lookup. */
const FIRST_SEGMENTS = new Set(['', 'v1', 'v1beta', 'v1alpha', 'v2', 'upload', 'openai', 'anthropic', 'gemini', 'google', 'api', ...ENDPOINTS.split('|')])

export function mayBeModelApi(url: string): boolean {
  let end = 1
  while (end < url.length && url[end] !== '/' && url[end] !== '?') end++
  return FIRST_SEGMENTS.has(url.slice(1, end))
}

/** Converts a path to the vendors' spelling. Slashes are already normalized. */
export function canonicalizePath(path: string): CanonicalPath {
  const azure = AZURE.exec(path)
  if (azure !== null) return { path: `/v1/${azure[2]}`, surface: 'openai', model: decodePathPart(azure[1]!) }
  for (const [prefix, stands, surface] of PREFIXES) {
    const found = prefix.exec(path)
    if (found !== null) return { path: removeRepeatedEndpoint(stands + path.slice(found[0].length)), ...(surface && { surface }) }
  }
  if (GEMINI_METHOD.test(path)) return { path: `/v1beta${path}` }
  return { path: removeRepeatedEndpoint(BARE.test(path) ? `/v1${path}` : path) }
}

const removeRepeatedEndpoint = (path: string): string => path.replace(REPEATED_ENDPOINT, '/v1')

export function decodePathPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const KNOWN_END =
  /\/(chat\/completions|completions|responses|embeddings|messages\/count_tokens|messages|models|rerank|moderations|images\/(?:generations|edits)|audio\/(?:speech|transcriptions|translations))$/

/** Suggested address for a path with a known end; undefined without one. */
export function suggestPath(path: string): string | undefined {
  const method = /\/models\/[^/]+:(?:streamGenerateContent|generateContent|countTokens|embedContent|batchEmbedContents)$/.exec(path)
  if (method !== null) return `/v1beta${method[0]}`
  const end = KNOWN_END.exec(path)
  return end === null ? undefined : `/v1/${end[1]}`
}
