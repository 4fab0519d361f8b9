import type { IncomingHttpHeaders } from 'node:http'
import type { Surface } from './read/ask.ts'

/** Endpoint of a path. `surface` decides the error shape even when nothing is found. */
export interface Endpoint {
  readonly surface: Surface
  /** True under /openai, /anthropic, /google or /cohere: then only that vendor's credentials and paths count. */
  readonly strict: boolean
  readonly action:
    | 'chat'
    | 'responses'
    | 'response-tokens'
    | 'response'
    | 'embeddings'
    | 'completions'
    | 'images'
    | 'image-edits'
    | 'speech'
    | 'transcriptions'
    | 'translations'
    | 'moderations'
    | 'rerank'
    | 'messages'
    | 'count-messages'
    | 'generate'
    | 'stream'
    | 'count-generate'
    | 'embed'
    | 'batch-embed'
    | 'models'
    | 'model'
    | 'book'
    | 'nothing'
  /** Model or response id of the path. */
  readonly id: string
  readonly query: URLSearchParams
}

/** Prefixes under which only one vendor's credentials and paths count. Below any other name the sandbox stands in for what speaks one of the dialects. */
const STRICT: Readonly<Record<string, Surface>> = { openai: 'openai', anthropic: 'anthropic', google: 'gemini', cohere: 'cohere' }
/** OpenAI's endpoints for what is no chat. */
const MEDIA: Readonly<Record<string, Endpoint['action']>> = {
  '/v1/completions': 'completions',
  '/v1/images/generations': 'images',
  '/v1/images/edits': 'image-edits',
  '/v1/audio/speech': 'speech',
  '/v1/audio/transcriptions': 'transcriptions',
  '/v1/audio/translations': 'translations',
  '/v1/moderations': 'moderations',
}
const GEMINI = {
  generateContent: 'generate',
  streamGenerateContent: 'stream',
  countTokens: 'count-generate',
  embedContent: 'embed',
  batchEmbedContents: 'batch-embed',
} as const

export function findEndpoint(url: string, headers: IncomingHttpHeaders): Endpoint {
  const [rawPath = '', rawQuery = ''] = url.split('?', 2)
  const query = new URLSearchParams(rawQuery)
  const inside = rawPath.replace(/^\/sandbox\/upstream(?=\/|$)/, '')
  const prefix = /^\/(?!v\d)([a-z][a-z0-9-]*)(?=\/)/.exec(inside)
  const path = prefix ? inside.slice(prefix[0].length) : inside
  const own = prefix ? STRICT[prefix[1]!] : undefined
  const surface = own ?? guess(path, headers)
  const found = (action: Endpoint['action'], id = '', on: Surface = surface): Endpoint =>
    own && own !== on ? { surface, strict: true, action: 'nothing', id: '', query } : { surface: on, strict: own !== undefined, action, id, query }

  if (path === '/book') return found('book')
  const gemini = /^\/v1(?:beta|alpha)?\/(?:models|tunedModels)\/(.+):([A-Za-z]+)$/.exec(path)
  const method = gemini ? GEMINI[gemini[2] as keyof typeof GEMINI] : undefined
  if (gemini && method) return found(method, decode(gemini[1]!), 'gemini')
  const beta = /^\/v1beta\/models(?:\/(.+))?$/.exec(path)
  if (beta) return found(beta[1] ? 'model' : 'models', decode(beta[1] ?? ''), 'gemini')
  const models = /^\/v1\/models(?:\/(.+))?$/.exec(path)
  if (models) return found(models[1] ? 'model' : 'models', decode(models[1] ?? ''), surface)
  if (path === '/v1/chat/completions') return found('chat', '', 'openai')
  if (path === '/v1/responses') return found('responses', '', 'openai')
  if (path === '/v1/responses/input_tokens') return found('response-tokens', '', 'openai')
  const response = /^\/v1\/responses\/([^/]+)$/.exec(path)
  if (response) return found('response', decode(response[1]!), 'openai')
  if (Object.hasOwn(MEDIA, path)) return found(MEDIA[path]!, '', 'openai')
  if (path === '/v2/rerank') return found('rerank', '', 'cohere')
  if (path === '/v1/embeddings') return found('embeddings', '', 'openai')
  if (path === '/v1/messages') return found('messages', '', 'anthropic')
  if (path === '/v1/messages/count_tokens') return found('count-messages', '', 'anthropic')
  return found('nothing')
}

/** @google/genai 3 asks for /v1/models, as the others do: only its headers tell it apart. */
function guess(path: string, headers: IncomingHttpHeaders): Surface {
  if (path.startsWith('/v1beta') || headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined) return 'gemini'
  return path.startsWith('/v1/messages') || headers['anthropic-version'] !== undefined ? 'anthropic' : 'openai'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The key as this vendor takes it; outside the vendors' prefixes every form will do. */
export function credentialOf(endpoint: Endpoint, headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1]
  const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)?.trim() || undefined
  const google = one(headers['x-goog-api-key']) ?? (endpoint.query.get('key')?.trim() || undefined)
  const anthropic = one(headers['x-api-key'])
  if (!endpoint.strict || endpoint.action === 'book') return bearer ?? anthropic ?? google
  if (endpoint.surface === 'openai' || endpoint.surface === 'cohere') return bearer
  return endpoint.surface === 'anthropic' ? (anthropic ?? bearer) : google
}
