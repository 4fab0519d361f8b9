import type { Ask } from './lab.ts'
import { CHAT_STREAM, CHAT_STREAM_USAGE } from './lab.ts'
import { ANTHROPIC, CHAT_PLAIN, CHAT_USAGE, GEMINI, GEMINI_ARRAY, RESPONSES } from './transcripts.ts'

/** Every kind of stream: name, request, what the upstream sends, what the client gets. */
export const STREAMS: readonly [string, Ask, string, string][] = [
  ['chat', { body: CHAT_STREAM_USAGE }, CHAT_USAGE, CHAT_USAGE],
  ['chat, usage stripped', { body: CHAT_STREAM }, CHAT_USAGE, CHAT_PLAIN],
  ['responses', { path: '/v1/responses', body: { model: 'm', stream: true } }, RESPONSES, RESPONSES],
  ['anthropic', { path: '/v1/messages', body: { model: 'm', max_tokens: 9, stream: true } }, ANTHROPIC, ANTHROPIC],
  ['gemini', { path: '/v1beta/models/m:streamGenerateContent?alt=sse', body: {} }, GEMINI, GEMINI],
  ['gemini array', { path: '/v1beta/models/m:streamGenerateContent', body: {} }, GEMINI_ARRAY, GEMINI_ARRAY],
]
/** How each ends when it is cut. */
export const ERRORS: Readonly<Record<string, RegExp>> = {
  'chat': /data: {"error":{.*"code":"upstream_cut"}}\n\n$/,
  'chat, usage stripped': /data: {"error":{.*"code":"upstream_cut"}}\n\n$/,
  'responses': /event: error\ndata: {"type":"error".*}\n\n$/,
  'anthropic': /event: error\ndata: {"type":"error","error":{"type":"api_error".*}\n\n$/,
  'gemini': /data: {"error":{"code":503,.*"status":"UNAVAILABLE"}}\n\n$/,
  'gemini array': /{"error":{"code":503,.*"status":"UNAVAILABLE"}}\]$/,
}
