import type { ModelPrices } from '../deps.ts'
import { PRICES } from './fake-deps.ts'

/** Prices of a model that has every factor and tool: $10 a thousand searches, $0.03 a gigabyte, $0.05 an hour of code. */
export const ALL_PRICES: ModelPrices = {
  ...PRICES,
  cacheWrite12h: 5_000_000_000n,
  webSearches: 10_000_000_000_000n,
  mapPrompts: 25_000_000_000_000n,
  containers: 30_000_000_000_000n,
  codeSeconds: 13_888_888_889n,
  factors: { flex: 500_000n, priority: 2_000_000n, fast: 2_000_000n, us: 1_100_000n },
}

/** Prices of a model that is billed per prompt that searches, not per search. */
export const PROMPT_PRICES: ModelPrices = { ...ALL_PRICES, webSearches: undefined, groundedPrompts: 35_000_000_000_000n }

const chatUsage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, prompt_tokens_details: { cached_tokens: 40 } }
const responsesUsage = { input_tokens: 100, input_tokens_details: { cached_tokens: 40 }, output_tokens: 20, output_tokens_details: {}, total_tokens: 120 }
const messagesUsage = { input_tokens: 60, cache_read_input_tokens: 40, cache_creation_input_tokens: 0, output_tokens: 20 }
const geminiUsage = { promptTokenCount: 100, cachedContentTokenCount: 40, candidatesTokenCount: 20, totalTokenCount: 120 }

interface UsageAdditions {
  readonly usage?: object
  readonly rest?: object
}
export interface DialectSample {
  readonly path: string
  readonly streamPath?: string
  readonly body: object
  /** The same answer, complete and as events. */
  readonly whole: (more: UsageAdditions) => object
  readonly events: (more: UsageAdditions) => string
}

const data = (value: object, name?: string): string => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`

/**
 * An answer with a hundred input tokens (forty cached) and twenty output tokens, in each dialect, with additional members in its usage or
 * beside it.
 */
export const DIALECT_SAMPLES = {
  chat: {
    path: '/v1/chat/completions',
    body: { model: 'm', messages: [] },
    whole: ({ usage, rest }) => ({ id: 'c', choices: [{ index: 0, message: { content: 'Hi' } }], usage: { ...chatUsage, ...usage }, ...rest }),
    events: ({ usage, rest }) =>
      `${data({ id: 'c', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }], usage: null, ...rest })}${data({ id: 'c', choices: [], usage: { ...chatUsage, ...usage }, ...rest })}data: [DONE]\n\n`,
  },
  responses: {
    path: '/v1/responses',
    body: { model: 'm', input: 'Hi' },
    whole: ({ usage, rest }) => ({ id: 'r', status: 'completed', output: [], usage: { ...responsesUsage, ...usage }, ...rest }),
    events: ({ usage, rest }) =>
      data({ type: 'response.created', response: { id: 'r', status: 'in_progress', usage: null } }, 'response.created') +
      data({ type: 'response.output_text.delta', delta: 'Hi' }, 'response.output_text.delta') +
      data(
        { type: 'response.completed', response: { id: 'r', status: 'completed', output: [], usage: { ...responsesUsage, ...usage }, ...rest } },
        'response.completed',
      ),
  },
  messages: {
    path: '/v1/messages',
    body: { model: 'm', max_tokens: 99, messages: [] },
    whole: ({ usage, rest }) => ({ id: 'm', type: 'message', content: [{ type: 'text', text: 'Hi' }], usage: { ...messagesUsage, ...usage }, ...rest }),
    events: ({ usage, rest }) =>
      data({ type: 'message_start', message: { id: 'm', usage: { ...messagesUsage, output_tokens: 1, ...usage } } }, 'message_start') +
      data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }, 'content_block_delta') +
      data({ type: 'message_delta', delta: { stop_reason: 'end_turn', ...rest }, usage: { output_tokens: 20, ...usage } }, 'message_delta') +
      data({ type: 'message_stop' }, 'message_stop'),
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    streamPath: '/v1beta/models/m:streamGenerateContent?alt=sse',
    body: { contents: [] },
    whole: ({ usage, rest }) => ({
      candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP', ...rest }],
      usageMetadata: { ...geminiUsage, ...usage },
    }),
    events: ({ usage, rest }) =>
      data({ candidates: [{ content: { parts: [{ text: 'H' }] }, ...rest }] }) +
      data({ candidates: [{ content: { parts: [{ text: 'i' }] }, finishReason: 'STOP', ...rest }], usageMetadata: { ...geminiUsage, ...usage } }),
  },
} as const satisfies Readonly<Record<string, DialectSample>>
