import type { Dialect } from '../deps.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import type { DialectRules } from './dialect.ts'
import { geminiEmbed, geminiGenerate } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { openaiResponses } from './openai-responses.ts'
import { geminiLive, openaiRealtime } from './realtime.ts'

export const DIALECTS: Readonly<Record<Dialect, DialectRules>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'openai-embeddings': openaiEmbeddings,
  'anthropic-messages': anthropicMessages,
  'gemini-generate': geminiGenerate,
  'gemini-embed': geminiEmbed,
  'openai-realtime': openaiRealtime,
  'gemini-live': geminiLive,
}
