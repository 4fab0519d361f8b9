import type { Duplex } from 'node:stream'
import type { Call } from './call.ts'
import type { Surface } from './deps.ts'
import { shape } from './errors.ts'
import type { Cause } from './errors.ts'
import { finish, refuse } from './reply.ts'
import type { Unsupported } from './route.ts'

/** CORS preflight of SDKs in a browser: their own headers are all allowed; credentials are never cookies here. */
export function answerPreflight(call: Call): void {
  const allowed = call.head.preflightHeaders ?? '*'
  call.status = 204
  finish(
    call,
    204,
    [
      'access-control-allow-origin',
      '*',
      'access-control-allow-methods',
      'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers',
      allowed,
      'access-control-max-age',
      '86400',
      'vary',
      'access-control-request-headers',
      call.deps.brand.header,
      call.requestId,
    ],
    '',
  )
}

const INLINE: Readonly<Record<Surface, string>> = {
  openai: 'Send files inline: pictures and PDFs as data URLs in the message, audio as `input_audio` or to /v1/audio/transcriptions.',
  anthropic: 'Send files inline: a `base64` source in the content block.',
  gemini: 'Send files inline (inlineData).',
}
const every = (message: string): Readonly<Record<Surface, string>> => ({ openai: message, anthropic: message, gemini: message })

/** Each names the way that works here. */
const UNSUPPORTED: Readonly<Record<Unsupported, Readonly<Record<Surface, string>>>> = {
  upload: {
    openai: `Files are not stored here. ${INLINE.openai}`,
    anthropic: `Files are not stored here. ${INLINE.anthropic}`,
    gemini: `File uploads are not supported here. ${INLINE.gemini}`,
  },
  batch: every(
    'Batches are not supported here: they end hours later, and money would have to be held all that time. Send the requests one by one; many at once are welcome.',
  ),
  cache: every(
    'Cached contents are not stored here. Repeat the same beginning in each request: vendors cache it by themselves, and cached tokens are billed as such.',
  ),
  variation: every('Image variations were retired with their models. Use /v1/images/edits with a prompt.'),
}

/** Paths without a model behind them, in the surface's own shape. */
export function answerUnknown(call: Call): void {
  const { path, target } = call.routed
  switch (target.kind) {
    case 'unstored':
      refuse(call, {
        cause: 'not_stored',
        message: `Responses are not stored here, so ${call.req.method} ${path} finds nothing. Send what you need with POST /v1/responses.`,
      })
      break
    case 'unsupported':
      refuse(call, { cause: 'unsupported', message: UNSUPPORTED[target.what][call.surface] })
      break
    default:
      refuse(call, {
        cause: 'no_route',
        message: `Unknown request URL: ${call.req.method} ${path}. Check the URL for typos; base URLs end in /v1 for OpenAI clients and in the host name for Anthropic and Gemini clients.`,
      })
  }
}

const RAW: Readonly<Record<string, string>> = {
  headers_too_large: 'The request headers are too large.',
  body_timeout: 'The request took too long to arrive.',
  bad_request: 'The request is not valid HTTP.',
  upgrade: 'There is no WebSocket on this path; use HTTPS.',
}
const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  426: 'Upgrade Required',
  431: 'Request Header Fields Too Large',
}

/** Answers on a socket that has no request object, in OpenAI's shape, and closes it. */
export function rawRefusal(socket: Duplex, cause: Cause): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, body } = shape('openai', { cause, message: RAW[cause] ?? 'The request was refused.' }, '')
  const upgrade = status === 426 ? 'upgrade: HTTP/1.1\r\n' : ''
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nconnection: close\r\n${upgrade}content-type: application/json; charset=utf-8\r\nx-should-retry: false\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
