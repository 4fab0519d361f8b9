import type { Duplex } from 'node:stream'
import type { GatewayCall } from '../call.ts'
import type { Surface } from '../deps.ts'
import { formatRefusal } from '../errors.ts'
import type { ApiErrorCause } from '../errors.ts'
import { sendWholeAnswer, sendCallRefusal } from '../reply/reply.ts'
import { suggestPath } from '../request/path-aliases.ts'
import type { UnservedEndpoint, UnsupportedFeature } from '../request/locate.ts'

/** CORS preflight of SDKs in a browser: allows all of their own headers; credentials are never cookies here. */
export function answerPreflight(call: GatewayCall): void {
  const allowed = call.head.preflightHeaders ?? '*'
  call.status = 204
  sendWholeAnswer(
    call,
    204,
    [
      'access-control-allow-origin',
      '*',
      'access-control-allow-methods',
      'GET, HEAD, POST, DELETE, OPTIONS',
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
const forEverySurface = (message: string): Readonly<Record<Surface, string>> => ({ openai: message, anthropic: message, gemini: message })

/** Each message names the supported alternative. */
const UNSUPPORTED: Readonly<Record<UnsupportedFeature, Readonly<Record<Surface, string>>>> = {
  upload: {
    openai: `Files are not stored here. ${INLINE.openai}`,
    anthropic: `Files are not stored here. ${INLINE.anthropic}`,
    gemini: `File uploads are not supported here. ${INLINE.gemini}`,
  },
  batch: forEverySurface(
    'Batches are not supported here: they end hours later, and money would have to be held all that time. Send the requests one by one; many at once are welcome.',
  ),
  cache: forEverySurface(
    'Cached contents are not stored here. Repeat the same beginning in each request: vendors cache it by themselves, and cached tokens are billed as such.',
  ),
  variation: forEverySurface('Image variations were retired with their models. Use /v1/images/edits with a prompt.'),
}

const COUNTING_HINT = 'POST /v1/messages/count_tokens (max_tokens may be 1) or POST /v1beta/models/{model}:countTokens; models of other vendors are estimated'
/** Messages for unsupported endpoints, each with the alternative. */
const UNSERVED: Readonly<Record<UnservedEndpoint, string>> = {
  assistants:
    'Assistants and threads are not served: the vendor has retired them. Send the conversation with each call to POST /v1/responses or POST /v1/chat/completions.',
  vector_stores:
    'Vector stores are not served: nothing is kept here. Make vectors with POST /v1/embeddings, keep them on your side, and order what you find with POST /v1/rerank.',
  fine_tuning: 'Fine-tuning is not served. Put examples at the beginning of the prompt: what is repeated there is cached and costs a fraction.',
  conversations: 'Conversations are not stored here. Send the earlier turns as `input` of POST /v1/responses, or name `previous_response_id`.',
  containers: 'Containers and skills are not kept here. POST /v1/responses with the tool `code_interpreter` and `container: {"type": "auto"}` runs code.',
  predict: '`:predict` and the models behind it are not served. Make pictures with POST /v1/images/generations, text with :generateContent.',
  compact: 'Compaction as a call of its own is not served. Send `context_management` with POST /v1/responses, or ask any model for a summary.',
  input_tokens: `Tokens of a Responses request are not counted ahead. Count with ${COUNTING_HINT}.`,
  videos: 'Videos are not made here. GET /v1/models lists what is served; pictures come from POST /v1/images/generations.',
  evals: 'Evaluations are not run here. Send the samples as ordinary calls and grade the answers on your side.',
  old_names: 'This route was retired by its vendor. Use POST /v1/chat/completions; GET /v1/models lists the models.',
}

/** Paths without a model behind them, in the surface's own shape. */
export function answerUnsupportedRoute(call: GatewayCall): void {
  const { path, target } = call.located
  switch (target.kind) {
    case 'unstored':
      sendCallRefusal(call, {
        cause: 'not_stored',
        message: `Responses are not stored here, so ${call.req.method} ${path} finds nothing. Send what you need with POST /v1/responses.`,
      })
      break
    case 'unsupported':
      sendCallRefusal(call, { cause: 'unsupported', message: UNSUPPORTED[target.what][call.surface] })
      break
    case 'unserved':
      sendCallRefusal(call, { cause: 'not_served', message: UNSERVED[target.what] })
      break
    default:
      sendCallRefusal(call, { cause: 'no_route', message: describeUnknownUrl(call) })
  }
}

function describeUnknownUrl(call: GatewayCall): string {
  const { path } = call.located
  const right = suggestPath(path)
  const address = right === undefined ? 'Check the URL for typos;' : `The address is ${right} on this host;`
  return `Unknown request URL: ${call.req.method} ${path}. ${address} base URLs end in /v1 for OpenAI clients and in the host name for Anthropic and Gemini clients.`
}

const RAW_MESSAGES: Readonly<Record<string, string>> = {
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
export function writeRawRefusal(socket: Duplex, cause: ApiErrorCause): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, body } = formatRefusal('openai', { cause, message: RAW_MESSAGES[cause] ?? 'The request was refused.' }, '')
  const upgrade = status === 426 ? 'upgrade: HTTP/1.1\r\n' : ''
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nconnection: close\r\n${upgrade}content-type: application/json; charset=utf-8\r\nx-should-retry: false\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
