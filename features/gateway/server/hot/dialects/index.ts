import type { Dialect } from '../deps.ts'
import { anthropicMessagesDialect } from './anthropic/messages.ts'
import type { DialectRules } from './dialect.ts'
import { geminiEmbedDialect, geminiGenerateDialect } from './gemini/gemini.ts'
import { openaiChatDialect } from './openai/chat.ts'
import { openaiCompletionsDialect } from './openai/completions.ts'
import { openaiEmbeddingsDialect } from './openai/embeddings.ts'
import { openaiImageEditsDialect, openaiImagesDialect } from './openai/images.ts'
import { openaiModerationsDialect } from './openai/moderations.ts'
import { openaiResponsesDialect } from './openai/responses.ts'
import { geminiLiveDialect, openaiRealtimeDialect } from './realtime.ts'
import { openaiSpeechDialect } from './openai/speech.ts'
import { openaiTranscriptionsDialect, openaiTranslationsDialect } from './openai/transcriptions.ts'
import { rerankDialect } from './rerank.ts'

export const DIALECTS: Readonly<Record<Dialect, DialectRules>> = {
  'openai-chat': openaiChatDialect,
  'openai-responses': openaiResponsesDialect,
  'openai-embeddings': openaiEmbeddingsDialect,
  'openai-completions': openaiCompletionsDialect,
  'openai-images': openaiImagesDialect,
  'openai-image-edits': openaiImageEditsDialect,
  'openai-speech': openaiSpeechDialect,
  'openai-transcriptions': openaiTranscriptionsDialect,
  'openai-translations': openaiTranslationsDialect,
  'openai-moderations': openaiModerationsDialect,
  'rerank': rerankDialect,
  'anthropic-messages': anthropicMessagesDialect,
  'gemini-generate': geminiGenerateDialect,
  'gemini-embed': geminiEmbedDialect,
  'openai-realtime': openaiRealtimeDialect,
  'gemini-live': geminiLiveDialect,
}
