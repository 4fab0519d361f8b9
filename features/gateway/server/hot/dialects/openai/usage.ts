import { NO_USAGE, count, part, sane, take } from '../../usage/usage.ts'
import type { Around } from '../dialect.ts'
import { openaiBeside } from './beside.ts'
import type { Raw, Usage } from '../../usage/usage.ts'

/**
 * OpenAI's totals include their classes: cached, cache writes and audio are taken out of the input, reasoning and audio
 * out of the output. Where classes overlap, cached comes first (documented as unadjusted for Responses). Rejected
 * predictions are inside completion_tokens. Both namings are read: chat (`prompt_tokens`) and Responses (`input_tokens`).
 * https://platform.openai.com/docs/api-reference/chat/object
 */
export function openaiUsage(raw: Raw, around?: Around): Usage | undefined {
  const chat = 'prompt_tokens' in raw
  const input = count(raw, chat ? 'prompt_tokens' : 'input_tokens')
  const total = count(raw, 'total_tokens')
  if (input === undefined) return undefined
  const output = count(raw, chat ? 'completion_tokens' : 'output_tokens') ?? Math.max(0, (total ?? input) - input)
  const inputDetails = part(raw, chat ? 'prompt_tokens_details' : 'input_tokens_details')
  const outputDetails = part(raw, chat ? 'completion_tokens_details' : 'output_tokens_details')

  const cachedInput = take(input, count(inputDetails, 'cached_tokens') ?? 0)
  const written = take(input - cachedInput, count(inputDetails, 'cache_write_tokens') ?? 0)
  const cacheWrite12h = take(written, count(part(inputDetails, 'cache_write_tokens_details'), 'ttl_12h_tokens') ?? 0)
  const audioInput = take(input - cachedInput - written, count(inputDetails, 'audio_tokens') ?? 0)
  const imageInput = take(input - cachedInput - written - audioInput, count(inputDetails, 'image_tokens') ?? 0)
  const reasoning = take(output, count(outputDetails, 'reasoning_tokens') ?? 0)
  const audioOutput = take(output - reasoning, count(outputDetails, 'audio_tokens') ?? 0)
  const { factors, unknown, webSearches, containers, extra } = openaiBeside(raw, around)
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
  return sane(usage) ? usage : undefined
}
