import { bySpelling } from '#platform/shared/spellings.ts'
import type { Surface } from './deps.ts'
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
  TRANSFER = 11

const NAMED: Readonly<Record<string, number>> = {
  'authorization': AUTHORIZATION,
  'x-api-key': X_API_KEY,
  'x-goog-api-key': GOOG_KEY,
  'content-length': LENGTH,
  'anthropic-version': VERSION,
  'user-agent': AGENT,
  'origin': ORIGIN,
  'access-control-request-headers': PREFLIGHT,
  'content-type': TYPE,
  'transfer-encoding': TRANSFER,
}

/**
 * Never forwarded: hop-by-hop fields, credentials, what describes the client's network or browser, account selectors of
 * a vendor account that is not the client's. `idempotency-key` too: two customers may choose the same one, and the
 * vendor's account is shared. No accept-encoding: usage is read from plain bytes.
 */
const DROPPED = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
  'cookie',
  'referer',
  'forwarded',
  'via',
  'x-real-ip',
  'true-client-ip',
  'openai-organization',
  'openai-project',
  'x-goog-user-project',
  'idempotency-key',
  'access-control-request-method',
  'dnt',
  'priority',
  'accesstoken',
  'access-token',
])
const DROPPED_PREFIXES = ['x-forwarded-', 'cf-', 'sec-', 'proxy-', 'x-mingxi-', 'x-amz-', 'x-envoy-', 'fly-']

/** What to do with a header. */
const actionFor = bySpelling((name) => {
  const lower = name.toLowerCase()
  const dropped = DROPPED.has(lower) || DROPPED_PREFIXES.some((prefix) => lower.startsWith(prefix))
  return Object.hasOwn(NAMED, lower) ? NAMED[lower]! : dropped ? DROP : FORWARD
})

const ANTHROPIC_AGENT = /^(?:async)?anthropic|^claude-cli/i

export function readHead(rawHeaders: readonly string[], routed: Routed): Head {
  const forward: string[] = []
  let bearer = '',
    apiKey = '',
    googKey = '',
    agent = ''
  let contentLength: number | undefined
  let hasVersion = false,
    hasOrigin = false,
    chunked = false
  let contentType = ''
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
  const secret = bearer || apiKey || googKey || (routed.query === '' ? '' : keyInQuery(routed.query))
  const surface =
    routed.target.surface === 'by-headers'
      ? callerOf(hasVersion, agent, googKey !== '' || (bearer === '' && apiKey === '' && secret !== ''))
      : routed.target.surface
  return {
    secret: secret === '' ? undefined : secret,
    forward,
    contentLength,
    hasBody: chunked || (contentLength !== undefined && contentLength > 0),
    contentType,
    surface,
    hasOrigin,
    preflightHeaders,
  }
}

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

/** The query for the upstream: as it came, without the key. */
export function forwardedQuery(query: string): string {
  if (query.length < 2) return ''
  const kept = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && pair !== 'key' && !pair.startsWith('key='))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}
