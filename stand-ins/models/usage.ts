import type { Counts, Dialect } from './read/ask.ts'
import type { JsonObject } from './read/json.ts'
import type { ModelFault } from './read/knobs.ts'

/** Counts as a faulty vendor would report them; undefined when it reports nothing. */
export function reported(counts: Counts, fault: ModelFault | undefined): Counts | undefined {
  const each = (change: (value: number) => number): Counts => ({
    input: change(counts.input),
    cached: change(counts.cached),
    write5m: change(counts.write5m),
    write1h: change(counts.write1h),
    output: change(counts.output),
    reasoning: change(counts.reasoning),
    ...(counts.imageInput === undefined ? {} : { imageInput: change(counts.imageInput) }),
    ...(counts.audioInput === undefined ? {} : { audioInput: change(counts.audioInput) }),
    ...(counts.characters === undefined ? {} : { characters: change(counts.characters) }),
    ...(counts.seconds === undefined ? {} : { seconds: change(counts.seconds) }),
    ...(counts.searches === undefined ? {} : { searches: change(counts.searches) }),
  })
  switch (fault) {
    case 'usage-none':
      return undefined
    case 'usage-zero':
      return each(() => 0)
    case 'usage-negative':
      return each((value) => -value)
    case 'usage-huge':
      return each((value) => value * 1_000_000_000_000)
    default:
      return counts
  }
}

/** Usage in the vendor's own form (wire.md 7). */
export function usageFor(dialect: Dialect, counts: Counts): JsonObject {
  switch (dialect) {
    case 'openai-chat':
    case 'openai-completions':
      return {
        prompt_tokens: counts.input,
        completion_tokens: counts.output,
        total_tokens: counts.input + counts.output,
        prompt_tokens_details: { cached_tokens: counts.cached, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: counts.reasoning, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
      }
    case 'openai-responses':
      return {
        input_tokens: counts.input,
        input_tokens_details: { cached_tokens: counts.cached, cache_write_tokens: 0 },
        output_tokens: counts.output,
        output_tokens_details: { reasoning_tokens: counts.reasoning },
        total_tokens: counts.input + counts.output,
      }
    case 'openai-embeddings':
      return { prompt_tokens: counts.input, total_tokens: counts.input }
    case 'anthropic-messages':
      return {
        ...anthropicInput(counts),
        output_tokens: counts.output,
        output_tokens_details: { thinking_tokens: counts.reasoning },
        server_tool_use: null,
        service_tier: 'standard',
        inference_geo: 'global',
        speed: 'standard',
      }
    case 'gemini-generate':
      return geminiUsage(counts)
    case 'openai-images':
    case 'openai-image-edits': {
      const images = counts.imageInput ?? 0
      return {
        input_tokens: counts.input,
        input_tokens_details: { text_tokens: counts.input - images, image_tokens: images },
        output_tokens: counts.output,
        total_tokens: counts.input + counts.output,
      }
    }
    case 'openai-speech':
      return counts.characters === undefined
        ? { input_tokens: counts.input, output_tokens: counts.output, total_tokens: counts.input + counts.output }
        : { characters: counts.characters }
    case 'openai-transcriptions':
    case 'openai-translations': {
      if (counts.seconds !== undefined) return { type: 'duration', seconds: counts.seconds }
      const audio = counts.audioInput ?? 0
      return {
        type: 'tokens',
        input_tokens: counts.input,
        input_token_details: { text_tokens: counts.input - audio, audio_tokens: audio },
        output_tokens: counts.output,
        total_tokens: counts.input + counts.output,
      }
    }
    case 'openai-moderations':
      return {}
    case 'rerank':
      return counts.searches === undefined
        ? { billed_units: { input_tokens: counts.input }, tokens: { input_tokens: counts.input } }
        : { billed_units: { search_units: counts.searches } }
    case 'gemini-embed':
      return { promptTokenCount: counts.input, totalTokenCount: counts.input }
  }
}

/** Anthropic's input_tokens excludes what was read from or written to the cache. */
export function anthropicInput(counts: Counts, byLifetime = true): JsonObject {
  return {
    input_tokens: counts.input - counts.cached - counts.write5m - counts.write1h,
    cache_creation_input_tokens: counts.write5m + counts.write1h,
    cache_read_input_tokens: counts.cached,
    ...(byLifetime ? { cache_creation: { ephemeral_5m_input_tokens: counts.write5m, ephemeral_1h_input_tokens: counts.write1h } } : {}),
  }
}

/** Gemini leaves a count of zero out, and keeps thoughts apart from the candidates. */
function geminiUsage(counts: Counts): JsonObject {
  const candidates = counts.output - counts.reasoning
  return {
    promptTokenCount: counts.input,
    ...(counts.cached ? { cachedContentTokenCount: counts.cached, cacheTokensDetails: [{ modality: 'TEXT', tokenCount: counts.cached }] } : {}),
    ...(candidates ? { candidatesTokenCount: candidates } : {}),
    totalTokenCount: counts.input + counts.output,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: counts.input }],
    ...(counts.reasoning ? { thoughtsTokenCount: counts.reasoning } : {}),
  }
}
