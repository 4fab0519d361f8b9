import type { LabRequest } from './lab.ts'
import { CHAT_STREAM_REQUEST, CHAT_STREAM_USAGE_REQUEST } from './lab.ts'
import { ANTHROPIC_TRANSCRIPT, CHAT_PLAIN, CHAT_USAGE, GEMINI_TRANSCRIPT, GEMINI_ARRAY_TRANSCRIPT, RESPONSES_TRANSCRIPT } from './transcripts.ts'

/** Every kind of stream: name, request, the upstream's bytes, the client's bytes. */
export const STREAMS: readonly [string, LabRequest, string, string][] = [
  ['chat', { body: CHAT_STREAM_USAGE_REQUEST }, CHAT_USAGE, CHAT_USAGE],
  ['chat, usage stripped', { body: CHAT_STREAM_REQUEST }, CHAT_USAGE, CHAT_PLAIN],
  ['responses', { path: '/v1/responses', body: { model: 'm', stream: true } }, RESPONSES_TRANSCRIPT, RESPONSES_TRANSCRIPT],
  ['anthropic', { path: '/v1/messages', body: { model: 'm', max_tokens: 9, stream: true } }, ANTHROPIC_TRANSCRIPT, ANTHROPIC_TRANSCRIPT],
  ['gemini', { path: '/v1beta/models/m:streamGenerateContent?alt=sse', body: {} }, GEMINI_TRANSCRIPT, GEMINI_TRANSCRIPT],
  ['gemini array', { path: '/v1beta/models/m:streamGenerateContent', body: {} }, GEMINI_ARRAY_TRANSCRIPT, GEMINI_ARRAY_TRANSCRIPT],
]
/** How each stream ends when it is cut. */
export const CUT_ENDINGS: Readonly<Record<string, RegExp>> = {
  'chat': /data: {"error":{.*"code":"upstream_cut"}}\n\n$/,
  'chat, usage stripped': /data: {"error":{.*"code":"upstream_cut"}}\n\n$/,
  'responses': /event: error\ndata: {"type":"error".*}\n\n$/,
  'anthropic': /event: error\ndata: {"type":"error","error":{"type":"api_error".*}\n\n$/,
  'gemini': /data: {"error":{"code":503,.*"status":"UNAVAILABLE"}}\n\n$/,
  'gemini array': /{"error":{"code":503,.*"status":"UNAVAILABLE"}}\]$/,
}
