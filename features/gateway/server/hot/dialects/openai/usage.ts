import { NO_USAGE, readTokenCount, readObjectPart, isSaneUsage, takeAtMost } from '../../usage/usage.ts'
import type { UsageContext } from '../dialect.ts'
import { readOpenaiExtras } from './usage-extras.ts'
import type { Raw, Usage } from '../../usage/usage.ts'

/**
 * OpenAI's totals include their classes: cached, cache writes and audio are taken out of the input, reasoning and audio
 * out of the output. Where classes overlap, cached comes first (documented as unadjusted for Responses). Rejected
 * predictions are inside completion_tokens. Both namings are read: chat (`prompt_tokens`) and Responses (`input_tokens`).
 * https://platform.openai.com/docs/api-reference/chat/object
 */
export function parseOpenaiUsage(raw: Raw, around?: UsageContext): Usage | undefined {
  const chat = 'prompt_tokens' in raw
  const input = readTokenCount(raw, chat ? 'prompt_tokens' : 'input_tokens')
  const total = readTokenCount(raw, 'total_tokens')
  if (input === undefined) return undefined
  const output = readTokenCount(raw, chat ? 'completion_tokens' : 'output_tokens') ?? Math.max(0, (total ?? input) - input)
  const inputDetails = readObjectPart(raw, chat ? 'prompt_tokens_details' : 'input_tokens_details')
  const outputDetails = readObjectPart(raw, chat ? 'completion_tokens_details' : 'output_tokens_details')

  const cachedInput = takeAtMost(input, readTokenCount(inputDetails, 'cached_tokens') ?? 0)
  const written = takeAtMost(input - cachedInput, readTokenCount(inputDetails, 'cache_write_tokens') ?? 0)
  const cacheWrite12h = takeAtMost(written, readTokenCount(readObjectPart(inputDetails, 'cache_write_tokens_details'), 'ttl_12h_tokens') ?? 0)
  const audioInput = takeAtMost(input - cachedInput - written, readTokenCount(inputDetails, 'audio_tokens') ?? 0)
  const imageInput = takeAtMost(input - cachedInput - written - audioInput, readTokenCount(inputDetails, 'image_tokens') ?? 0)
  const reasoning = takeAtMost(output, readTokenCount(outputDetails, 'reasoning_tokens') ?? 0)
  const audioOutput = takeAtMost(output - reasoning, readTokenCount(outputDetails, 'audio_tokens') ?? 0)
  const { factors, unknown, webSearches, containers, extra } = readOpenaiExtras(raw, around)
  const usage: Usage = {
    ...NO_USAGE,
    input: input - cachedInput - written - audioInput - imageInput,
    cachedInput,
    cacheWrite5m: written - cacheWrite12h,
    cacheWrite12h,
    audioInput,
    imageInput,
    output: output - reasoning - audioOutput,
    reasoning,
    audioOutput,
    mismatch: total !== undefined && total !== input + output,
    factors,
    unknown,
    webSearches,
    containers,
    extra,
  }
  return isSaneUsage(usage) ? usage : undefined
}
