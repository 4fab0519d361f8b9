import type { Dialect } from '../deps.ts'
import { anthropicMessages } from './anthropic/messages.ts'
import type { DialectRules } from './dialect.ts'
import { geminiEmbed, geminiGenerate } from './gemini/gemini.ts'
import { openaiChat } from './openai/chat.ts'
import { openaiCompletions } from './openai/completions.ts'
import { openaiEmbeddings } from './openai/embeddings.ts'
import { openaiImageEdits, openaiImages } from './openai/images.ts'
import { openaiModerations } from './openai/moderations.ts'
import { openaiResponses } from './openai/responses.ts'
import { geminiLive, openaiRealtime } from './realtime.ts'
import { openaiSpeech } from './openai/speech.ts'
import { openaiTranscriptions, openaiTranslations } from './openai/transcriptions.ts'
import { rerank } from './rerank.ts'

export const DIALECTS: Readonly<Record<Dialect, DialectRules>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'openai-embeddings': openaiEmbeddings,
  'openai-completions': openaiCompletions,
  'openai-images': openaiImages,
  'openai-image-edits': openaiImageEdits,
  'openai-speech': openaiSpeech,
  'openai-transcriptions': openaiTranscriptions,
  'openai-translations': openaiTranslations,
  'openai-moderations': openaiModerations,
  rerank,
  'anthropic-messages': anthropicMessages,
  'gemini-generate': geminiGenerate,
  'gemini-embed': geminiEmbed,
  'openai-realtime': openaiRealtime,
  'gemini-live': geminiLive,
}
