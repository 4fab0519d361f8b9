import { bySpelling } from '#platform/shared/spellings.ts'
import type { Surface } from '../deps.ts'
import type { Routed } from './route.ts'

/** What the request's headers say, read in one pass. */
export interface Head {
  readonly secret: string | undefined
  /** Headers for the upstream, as they came: name, value, ... */
  readonly forward: string[]
  readonly contentLength: number | undefined
  readonly hasBody: boolean
  /** '' where the client names none. */
  readonly contentType: string
  /** How the body is packed; '' where it is plain. */
  readonly encoding: string
  readonly surface: Surface
  /** A browser asks: CORS headers are due. */
  readonly hasOrigin: boolean
  readonly preflightHeaders: string | undefined
}

const FORWARD = 0,
  DROP = 1,
  AUTHORIZATION = 2,
  X_API_KEY = 3,
  GOOG_KEY = 4,
  LENGTH = 5,
  VERSION = 6,
  AGENT = 7,
  ORIGIN = 8,
  PREFLIGHT = 9,
  TYPE = 10,
  TRANSFER = 11,
  ACCEPT = 12,
  ENCODING = 13,
  AZURE_KEY = 14

const NAMED: Readonly<Record<string, number>> = {
  'accept': ACCEPT,
  'authorization': AUTHORIZATION,
  'x-api-key': X_API_KEY,
  'x-goog-api-key': GOOG_KEY,
  'api-key': AZURE_KEY,
  'content-encoding': ENCODING,
  'content-length': LENGTH,
  'anthropic-version': VERSION,
  'user-agent': AGENT,
  'origin': ORIGIN,
  'access-control-request-headers': PREFLIGHT,
  'content-type': TYPE,
  'transfer-encoding': TRANSFER,
}

/**
 * Headers that go on: what the vendors' SDKs and command-line clients send that a vendor reads or counts, by name. Whatever else a
 * client sends stays here, because a vendor may read it as an order: a field mask (`x-goog-fieldmask`) takes the usage out of an
 * answer, an override changes the method, a second credential or workspace names another account. `idempotency-key` stays too: two
 * customers may choose the same one, and the vendor's account is shared. No accept-encoding: usage is read from plain bytes.
 */
const FORWARDED = new Set([
  'accept-language',
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
  'openai-beta',
  'x-app',
  'x-client-request-id',
  'x-goog-api-client',
  'x-server-timeout',
  'x-openai-subagent',
  'originator',
  'version',
  'session_id',
  'session-id',
  'conversation_id',
  'conversation-id',
  'x-session-id',
  'x-session-affinity',
  'x-conversation-id',
])
const FORWARDED_PREFIXES = ['x-stainless-', 'x-codex-', 'x-claude-code-']

/** What to do with a header. */
const actionFor = bySpelling((name) => {
  const lower = name.toLowerCase()
  if (Object.hasOwn(NAMED, lower)) return NAMED[lower]!
  return FORWARDED.has(lower) || FORWARDED_PREFIXES.some((prefix) => lower.startsWith(prefix)) ? FORWARD : DROP
})

/** Forms that usage can be read from; Google answers in protobuf where that is asked for. */
const READABLE = /^\s*(?:application\/json|application\/octet-stream|text\/event-stream|text\/plain|audio\/[\w.+-]+|\*\/\*)\s*(?:;.*)?$/i
const isReadable = bySpelling((accept) => accept.split(',').every((one) => READABLE.test(one)))

const ANTHROPIC_AGENT = /^(?:async)?anthropic|^claude-cli/i

export function readHead(rawHeaders: readonly string[], routed: Routed): Head {
  const forward: string[] = []
  let bearer = '',
    apiKey = '',
    googKey = '',
    azureKey = '',
    agent = ''
  let contentLength: number | undefined
  let hasVersion = false,
    hasOrigin = false,
    chunked = false
  let contentType = '',
    encoding = ''
  let preflightHeaders: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    const value = rawHeaders[i + 1]!
    switch (actionFor(name)) {
      case FORWARD:
        forward.push(name, value)
        break
      case AUTHORIZATION:
        bearer = bearerOf(value) || bearer
        break
      case X_API_KEY:
        apiKey = value.trim() || apiKey
        break
      case GOOG_KEY:
        googKey = value.trim() || googKey
        break
      case AZURE_KEY:
        azureKey = value.trim() || azureKey
        break
      case ENCODING:
        encoding = value.trim().toLowerCase()
        break
      case LENGTH:
        contentLength = Number(value)
        break
      case VERSION:
        hasVersion = true
        forward.push(name, value)
        break
      case AGENT:
        agent = value
        forward.push(name, value)
        break
      case ORIGIN:
        hasOrigin = true
        break
      case PREFLIGHT:
        preflightHeaders = value
        break
      case ACCEPT:
        if (isReadable(value)) forward.push(name, value)
        break
      case TRANSFER:
        chunked = true
        break
      case TYPE:
        contentType = value
        forward.push(name, value)
        break
      default:
        break
    }
  }
  if (contentType === '') forward.push('content-type', 'application/json')
  // Where several are sent the first of these counts; none of them goes on.
  const secret = bearer || apiKey || googKey || azureKey || (routed.query === '' ? '' : keyInQuery(routed.query))
  const surface =
    routed.target.surface === 'by-headers'
      ? callerOf(hasVersion, agent, googKey !== '' || (bearer === '' && apiKey === '' && azureKey === '' && secret !== ''))
      : routed.target.surface
  if (!hasVersion && isMessages(routed.target)) forward.push('anthropic-version', DEFAULT_VERSION)
  return {
    secret: secret === '' ? undefined : secret,
    forward,
    contentLength,
    hasBody: chunked || (contentLength !== undefined && contentLength > 0),
    contentType,
    encoding: encoding === 'identity' ? '' : encoding,
    surface,
    hasOrigin,
    preflightHeaders,
  }
}

/** Of clients that name none: the version that every SDK before 1.0 names, under which nothing of theirs is refused. */
const DEFAULT_VERSION = '2023-06-01'
const isMessages = (target: Routed['target']): boolean => target.kind === 'generate' && target.dialect === 'anthropic-messages'

/** Whose client asks, on a path that all three vendors have. @google/genai 3 lists models on /v1, told by its way of sending the key. */
function callerOf(hasVersion: boolean, agent: string, googleKey: boolean): Surface {
  if (hasVersion || ANTHROPIC_AGENT.test(agent)) return 'anthropic'
  return googleKey || /^google-genai/i.test(agent) ? 'gemini' : 'openai'
}

/** The whole value is the key when there is no scheme; another scheme than Bearer is no key. */
function bearerOf(value: string): string {
  const text = value.trim()
  if (/^bearer(?:\s|$)/i.test(text)) return text.slice(6).trim()
  return /\s/.test(text) ? '' : text
}

function keyInQuery(query: string): string {
  return new URLSearchParams(query).get('key')?.trim() ?? ''
}

/** Events, not a JSON array, where a Gemini stream is asked for; the vendor reads the last of several. */
export function asksForEvents(query: string): boolean {
  return query === '?alt=sse' || (query.includes('alt=') && new URLSearchParams(query).getAll('alt').at(-1) === 'sse')
}

/**
 * The query for the upstream: the two parameters that the SDKs send. Google takes others that change the answer's form or leave parts
 * of it out (`fields`, `$fields`, `alt=proto`, `callback`), in many spellings; none of them goes on.
 */
export function forwardedQuery(surface: Surface, query: string): string {
  if (query.length < 2) return ''
  if (surface === 'gemini') return asksForEvents(query) ? '?alt=sse' : ''
  return surface === 'anthropic' && new URLSearchParams(query).get('beta') === 'true' ? '?beta=true' : ''
}
