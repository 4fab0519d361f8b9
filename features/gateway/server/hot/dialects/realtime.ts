import { NO_USAGE, readTokenCount, isRaw, readObjectPart, isSaneUsage, takeAtMost } from '../usage/usage.ts'
import type { Raw, Usage } from '../usage/usage.ts'
import { REALTIME_USAGE } from '../terms/openai-media.ts'
import { findUnknownNumber } from '../terms/unknown-usage.ts'
import type { DialectRules } from './dialect.ts'
import { readGeminiExtras } from './gemini/usage-extras.ts'

/**
 * A response's usage (`input_token_details`, with singular `token`): totals include their classes, and cached tokens are itemized by class
 * too. Also the usage of a transcription, which has no cached ones. https://developers.openai.com/api/docs/guides/realtime-costs
 */
export function parseRealtimeUsage(raw: Raw): Usage | undefined {
  const input = readTokenCount(raw, 'input_tokens')
  if (input === undefined) return parseDurationUsage(raw)
  const total = readTokenCount(raw, 'total_tokens')
  const output = readTokenCount(raw, 'output_tokens') ?? Math.max(0, (total ?? input) - input)
  const given = readObjectPart(raw, 'input_token_details')
  const spoken = readObjectPart(raw, 'output_token_details')
  const kept = readObjectPart(given, 'cached_tokens_details')
  const cached = takeAtMost(input, readTokenCount(given, 'cached_tokens') ?? 0)
  const cachedAudio = takeAtMost(cached, readTokenCount(kept, 'audio_tokens') ?? 0)
  const cachedImage = takeAtMost(cached - cachedAudio, readTokenCount(kept, 'image_tokens') ?? 0)
  const audioInput = takeAtMost(input - cached, Math.max(0, (readTokenCount(given, 'audio_tokens') ?? 0) - cachedAudio))
  const imageInput = takeAtMost(input - cached - audioInput, Math.max(0, (readTokenCount(given, 'image_tokens') ?? 0) - cachedImage))
  const audioOutput = takeAtMost(output, readTokenCount(spoken, 'audio_tokens') ?? 0)
  const reasoning = takeAtMost(output - audioOutput, readTokenCount(spoken, 'reasoning_tokens') ?? 0)
  const usage: Usage = {
    ...NO_USAGE,
    input: input - cached - audioInput - imageInput,
    cachedInput: cached - cachedAudio - cachedImage,
    cachedAudio,
    cachedImage,
    audioInput,
    imageInput,
    output: output - audioOutput - reasoning,
    reasoning,
    audioOutput,
    mismatch: total !== undefined && total !== input + output,
    unknown: findUnknownNumber(raw, REALTIME_USAGE),
  }
  return isSaneUsage(usage) ? usage : undefined
}

/** A transcription billed by time: begun seconds count. */
function parseDurationUsage(raw: Raw): Usage | undefined {
  const { seconds } = raw
  return typeof seconds === 'number' && seconds >= 0 && seconds < 1e6 ? { ...NO_USAGE, seconds: Math.ceil(seconds) } : undefined
}

const MODALITY_CLASSES: Readonly<Record<string, 'audio' | 'image' | undefined>> = { AUDIO: 'audio', IMAGE: 'image', VIDEO: 'image' }

function sumModalities(raw: Raw, key: string): { audio: number; image: number } {
  const sums = { audio: 0, image: 0 }
  const list = raw[key]
  if (!Array.isArray(list)) return sums
  for (const item of list) {
    const seen = isRaw(item) ? MODALITY_CLASSES[String(item['modality'])] : undefined
    if (seen !== undefined) sums[seen] += readTokenCount(item as Raw, 'tokenCount') ?? 0
  }
  return sums
}

/**
 * `usageMetadata` of the Live API: each one is a separate generation with the whole session as its prompt, and Google bills their sum.
 * Thoughts are outside the response and outside the total. Tokens without details are text. https://ai.google.dev/api/live#UsageMetadata
 */
export function parseLiveUsage(raw: Raw): Usage | undefined {
  const figures = ['promptTokenCount', 'responseTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount', 'totalTokenCount']
  if (!figures.some((key) => key in raw)) return undefined
  const [prompt, response, thoughts, toolUse, total] = figures.map((key) => readTokenCount(raw, key) ?? 0) as [number, number, number, number, number]
  const given = sumModalities(raw, 'promptTokensDetails')
  const kept = sumModalities(raw, 'cacheTokensDetails')
  const cached = takeAtMost(prompt, readTokenCount(raw, 'cachedContentTokenCount') ?? 0)
  const cachedAudio = takeAtMost(cached, kept.audio)
  const cachedImage = takeAtMost(cached - cachedAudio, kept.image)
  const audioInput = takeAtMost(prompt - cached, Math.max(0, given.audio - cachedAudio))
  const imageInput = takeAtMost(prompt - cached - audioInput, Math.max(0, given.image - cachedImage))
  const audioOutput = takeAtMost(response, sumModalities(raw, 'responseTokensDetails').audio)
  const usage: Usage = {
    ...NO_USAGE,
    input: prompt - cached - audioInput - imageInput + toolUse,
    cachedInput: cached - cachedAudio - cachedImage,
    cachedAudio,
    cachedImage,
    audioInput,
    imageInput,
    output: response - audioOutput,
    reasoning: thoughts,
    audioOutput,
    mismatch: 'totalTokenCount' in raw && total !== prompt + response + toolUse && total !== prompt + response + toolUse + thoughts,
    ...readGeminiExtras(raw),
  }
  return isSaneUsage(usage) && !Number.isNaN(total) ? usage : undefined
}

const SOCKET_ONLY_PROBLEM = { message: 'This model is talked to over a WebSocket.', field: 'model' } as const

/** Dialects used over sockets only (sockets/): their HTTP methods are never called. */
export const openaiRealtimeDialect: DialectRules = {
  id: 'openai-realtime',
  surface: 'openai',
  endpoint: '/v1/realtime (a WebSocket)',
  upstreamPath: () => '/v1/realtime',
  readFacts: () => SOCKET_ONLY_PROBLEM,
  usageKey: 'usage',
  usageOf: parseRealtimeUsage,
  stream: undefined,
}

export const geminiLiveDialect: DialectRules = {
  id: 'gemini-live',
  surface: 'gemini',
  endpoint: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent (a WebSocket)',
  upstreamPath: () => '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
  readFacts: () => SOCKET_ONLY_PROBLEM,
  usageKey: 'usageMetadata',
  usageOf: parseLiveUsage,
  stream: undefined,
}
