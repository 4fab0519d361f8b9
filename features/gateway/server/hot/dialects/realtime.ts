import { NO_USAGE, count, isRaw, part, sane, take } from '../usage/usage.ts'
import type { Raw, Usage } from '../usage/usage.ts'
import { REALTIME_USAGE } from '../terms/openai-media.ts'
import { unknownNumber } from '../terms/unknown-usage.ts'
import type { DialectRules } from './dialect.ts'
import { geminiBeside } from './gemini/beside.ts'

/**
 * A response's usage (`input_token_details`, with singular `token`): totals include their classes, and cached tokens are named by
 * class too. Also the usage of a transcription, which has no cached ones.
 * https://developers.openai.com/api/docs/guides/realtime-costs
 */
export function realtimeUsage(raw: Raw): Usage | undefined {
  const input = count(raw, 'input_tokens')
  if (input === undefined) return heardFor(raw)
  const total = count(raw, 'total_tokens')
  const output = count(raw, 'output_tokens') ?? Math.max(0, (total ?? input) - input)
  const given = part(raw, 'input_token_details')
  const spoken = part(raw, 'output_token_details')
  const kept = part(given, 'cached_tokens_details')
  const cached = take(input, count(given, 'cached_tokens') ?? 0)
  const cachedAudio = take(cached, count(kept, 'audio_tokens') ?? 0)
  const cachedImage = take(cached - cachedAudio, count(kept, 'image_tokens') ?? 0)
  const audioInput = take(input - cached, Math.max(0, (count(given, 'audio_tokens') ?? 0) - cachedAudio))
  const imageInput = take(input - cached - audioInput, Math.max(0, (count(given, 'image_tokens') ?? 0) - cachedImage))
  const audioOutput = take(output, count(spoken, 'audio_tokens') ?? 0)
  const reasoning = take(output - audioOutput, count(spoken, 'reasoning_tokens') ?? 0)
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
    unknown: unknownNumber(raw, REALTIME_USAGE),
  }
  return sane(usage) ? usage : undefined
}

/** A transcription that is billed by time: begun seconds count. */
function heardFor(raw: Raw): Usage | undefined {
  const { seconds } = raw
  return typeof seconds === 'number' && seconds >= 0 && seconds < 1e6 ? { ...NO_USAGE, seconds: Math.ceil(seconds) } : undefined
}

const SEEN: Readonly<Record<string, 'audio' | 'image' | undefined>> = { AUDIO: 'audio', IMAGE: 'image', VIDEO: 'image' }

function modalities(raw: Raw, key: string): { audio: number; image: number } {
  const sums = { audio: 0, image: 0 }
  const list = raw[key]
  if (!Array.isArray(list)) return sums
  for (const item of list) {
    const seen = isRaw(item) ? SEEN[String(item['modality'])] : undefined
    if (seen !== undefined) sums[seen] += count(item as Raw, 'tokenCount') ?? 0
  }
  return sums
}

/**
 * `usageMetadata` of the Live API: each one is a generation of its own with the whole session as its prompt, and their sum is
 * what Google bills. Thoughts are outside the response and outside the total. What the details do not name is text.
 * https://ai.google.dev/api/live#UsageMetadata
 */
export function liveUsage(raw: Raw): Usage | undefined {
  const figures = ['promptTokenCount', 'responseTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount', 'totalTokenCount']
  if (!figures.some((key) => key in raw)) return undefined
  const [prompt, response, thoughts, toolUse, total] = figures.map((key) => count(raw, key) ?? 0) as [number, number, number, number, number]
  const given = modalities(raw, 'promptTokensDetails')
  const kept = modalities(raw, 'cacheTokensDetails')
  const cached = take(prompt, count(raw, 'cachedContentTokenCount') ?? 0)
  const cachedAudio = take(cached, kept.audio)
  const cachedImage = take(cached - cachedAudio, kept.image)
  const audioInput = take(prompt - cached, Math.max(0, given.audio - cachedAudio))
  const imageInput = take(prompt - cached - audioInput, Math.max(0, given.image - cachedImage))
  const audioOutput = take(response, modalities(raw, 'responseTokensDetails').audio)
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
    ...geminiBeside(raw),
  }
  return sane(usage) && !Number.isNaN(total) ? usage : undefined
}

const overSockets = { message: 'This model is talked to over a WebSocket.', field: 'model' } as const

/** Spoken over sockets only (sockets/): what HTTP needs of a dialect is never asked of these two. */
export const openaiRealtime: DialectRules = {
  id: 'openai-realtime',
  surface: 'openai',
  endpoint: '/v1/realtime (a WebSocket)',
  upstreamPath: () => '/v1/realtime',
  readFacts: () => overSockets,
  usageKey: 'usage',
  usageOf: realtimeUsage,
  stream: undefined,
}

export const geminiLive: DialectRules = {
  id: 'gemini-live',
  surface: 'gemini',
  endpoint: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent (a WebSocket)',
  upstreamPath: () => '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
  readFacts: () => overSockets,
  usageKey: 'usageMetadata',
  usageOf: liveUsage,
  stream: undefined,
}
