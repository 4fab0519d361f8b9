import { memoizeBySpelling } from '#platform/shared/memoize-by-spelling.ts'
import type { Surface } from '../deps.ts'
import { readQueryKey } from '../http/query.ts'
import type { LocatedEndpoint } from './locate.ts'

/** Request headers, read in one pass. */
export interface CallHead {
  readonly secret: string | undefined
  /** Headers for the upstream, as received: names and values alternating. */
  readonly forward: string[]
  readonly contentLength: number | undefined
  readonly hasBody: boolean
  /** Empty if the client sends none. */
  readonly contentType: string
  /** Content encoding of the body; '' if it is plain. */
  readonly encoding: string
  readonly surface: Surface
  /** The request comes from a browser: CORS headers are required. */
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

const HEADER_ACTIONS: Readonly<Record<string, number>> = {
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
 * Headers that are forwarded, by name: those of the vendors' SDKs and command-line clients that a vendor reads or counts. Others are
 * dropped, because a vendor may obey them: a field mask (`x-goog-fieldmask`) removes the usage from an answer, an override changes
 * the method, a second credential or workspace selects another account. So is `idempotency-key`: two customers may choose the same
 * one, and the vendor's account is shared. No accept-encoding: usage is read from plain bytes.
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

/** Action per header name, case-insensitive. */
const resolveHeaderAction = memoizeBySpelling((name) => {
  const lower = name.toLowerCase()
  if (Object.hasOwn(HEADER_ACTIONS, lower)) return HEADER_ACTIONS[lower]!
  return FORWARDED.has(lower) || FORWARDED_PREFIXES.some((prefix) => lower.startsWith(prefix)) ? FORWARD : DROP
})

/** Response formats that usage can be read from; Google answers in protobuf if requested. */
const READABLE = /^\s*(?:application\/json|application\/octet-stream|text\/event-stream|text\/plain|audio\/[\w.+-]+|\*\/\*)\s*(?:;.*)?$/i
const isReadable = memoizeBySpelling((accept) => accept.split(',').every((one) => READABLE.test(one)))

const ANTHROPIC_AGENT = /^(?:async)?anthropic|^claude-cli/i

/** Raw header values, before precedence is applied. */
interface RawHead {
  readonly forward: string[]
  bearer: string
  apiKey: string
  googKey: string
  azureKey: string
  agent: string
  contentLength: number | undefined
  hasVersion: boolean
  hasOrigin: boolean
  chunked: boolean
  contentType: string
  encoding: string
  preflightHeaders: string | undefined
}

export function readCallHead(rawHeaders: readonly string[], located: LocatedEndpoint): CallHead {
  const seen: RawHead = {
    forward: [],
    bearer: '',
    apiKey: '',
    googKey: '',
    azureKey: '',
    agent: '',
    contentLength: undefined,
    hasVersion: false,
    hasOrigin: false,
    chunked: false,
    contentType: '',
    encoding: '',
    preflightHeaders: undefined,
  }
  for (let i = 0; i < rawHeaders.length; i += 2) readHeader(seen, rawHeaders[i]!, rawHeaders[i + 1]!)
  const { forward, contentLength, hasVersion, contentType, encoding } = seen
  if (contentType === '') forward.push('content-type', 'application/json')
  // The first credential in this order counts; none is forwarded.
  const secret = seen.bearer || seen.apiKey || seen.googKey || seen.azureKey || (located.query === '' ? '' : readQueryKey(located.query))
  if (!hasVersion && isMessages(located.target)) forward.push('anthropic-version', DEFAULT_VERSION)
  return {
    secret: secret === '' ? undefined : secret,
    forward,
    contentLength,
    hasBody: seen.chunked || (contentLength !== undefined && contentLength > 0),
    contentType,
    encoding: encoding === 'identity' ? '' : encoding,
    surface: located.target.surface === 'by-headers' ? detectSurface(seen, secret) : located.target.surface,
    hasOrigin: seen.hasOrigin,
    preflightHeaders: seen.preflightHeaders,
  }
}

function readHeader(seen: RawHead, name: string, value: string): void {
  switch (resolveHeaderAction(name)) {
    case FORWARD:
      seen.forward.push(name, value)
      break
    case AUTHORIZATION:
      seen.bearer = parseBearer(value) || seen.bearer
      break
    case X_API_KEY:
      seen.apiKey = value.trim() || seen.apiKey
      break
    case GOOG_KEY:
      seen.googKey = value.trim() || seen.googKey
      break
    case AZURE_KEY:
      seen.azureKey = value.trim() || seen.azureKey
      break
    case ENCODING:
      seen.encoding = value.trim().toLowerCase()
      break
    case LENGTH:
      seen.contentLength = Number(value)
      break
    case VERSION:
      seen.hasVersion = true
      seen.forward.push(name, value)
      break
    case AGENT:
      seen.agent = value
      seen.forward.push(name, value)
      break
    case ORIGIN:
      seen.hasOrigin = true
      break
    case PREFLIGHT:
      seen.preflightHeaders = value
      break
    case ACCEPT:
      if (isReadable(value)) seen.forward.push(name, value)
      break
    case TRANSFER:
      seen.chunked = true
      break
    case TYPE:
      seen.contentType = value
      seen.forward.push(name, value)
      break
    default:
      break
  }
}

/** Version for clients that send none: the one that every SDK before 1.0 sends, under which none of their requests is refused. */
const DEFAULT_VERSION = '2023-06-01'
const isMessages = (target: LocatedEndpoint['target']): boolean => target.kind === 'generate' && target.dialect === 'anthropic-messages'

/** Vendor of the client, for paths that all three vendors have. @google/genai 3 lists models on /v1; it is recognized by how it sends the key. */
function detectSurface({ hasVersion, agent, bearer, apiKey, googKey, azureKey }: RawHead, secret: string): Surface {
  if (hasVersion || ANTHROPIC_AGENT.test(agent)) return 'anthropic'
  const isGoogleKey = googKey !== '' || (bearer === '' && apiKey === '' && azureKey === '' && secret !== '')
  return isGoogleKey || /^google-genai/i.test(agent) ? 'gemini' : 'openai'
}

/** Without a scheme, the whole value is the key; a scheme other than Bearer carries no key. */
function parseBearer(value: string): string {
  if (value.startsWith('Bearer ')) return value.slice(7).trim()
  const text = value.trim()
  if (/^bearer(?:\s|$)/i.test(text)) return text.slice(6).trim()
  return /\s/.test(text) ? '' : text
}
