import { sumNano, computeTokenCost } from '#platform/shared/money.ts'
import { PRICES } from './fake-deps.ts'
import { CHAT_STREAM_REQUEST } from './lab.ts'

/** A vendor's result for a call: visible words, hidden reasoning, and input tokens. */
export interface MadeAnswer {
  readonly input: number
  readonly words: readonly string[]
  readonly hidden: number
}
export const countVisibleTokens = (made: MadeAnswer): number => made.words.length * 3
/** Cost of reading the answer to its end. */
export const computeReadCost = (made: MadeAnswer): bigint =>
  sumNano([computeTokenCost(made.input, PRICES.input), computeTokenCost(made.hidden, PRICES.output), computeTokenCost(countVisibleTokens(made), PRICES.output)])

export const formatSseData = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const formatNamedEvent = (value: { readonly type: string }): string => `event: ${value.type}\n${formatSseData(value)}`

/** The same answer in each vendor's format; usage comes last, as in theirs. */
export const ANSWER_WRITERS: Readonly<Record<string, (made: MadeAnswer) => string[]>> = {
  'openai-chat': (made) => [
    ...made.words.map((content) => formatSseData({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }], usage: null })),
    formatSseData({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null }),
    formatSseData({
      id: 'c',
      choices: [],
      usage: {
        prompt_tokens: made.input,
        completion_tokens: countVisibleTokens(made) + made.hidden,
        completion_tokens_details: { reasoning_tokens: made.hidden },
      },
    }),
    'data: [DONE]\n\n',
  ],
  'openai-responses': (made) => [
    formatNamedEvent({ type: 'response.created' }),
    ...made.words.map((delta) => `event: response.output_text.delta\n${formatSseData({ type: 'response.output_text.delta', delta })}`),
    `event: response.completed\n${formatSseData({
      type: 'response.completed',
      response: {
        status: 'completed',
        usage: {
          input_tokens: made.input,
          output_tokens: countVisibleTokens(made) + made.hidden,
          output_tokens_details: { reasoning_tokens: made.hidden },
          total_tokens: made.input + countVisibleTokens(made) + made.hidden,
        },
      },
    })}`,
  ],
  'anthropic-messages': (made) => [
    `event: message_start\n${formatSseData({ type: 'message_start', message: { id: 'm', usage: { input_tokens: made.input, output_tokens: 1 } } })}`,
    `event: content_block_start\n${formatSseData({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })}`,
    ...made.words.map((text) => `event: content_block_delta\n${formatSseData({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}`),
    `event: content_block_stop\n${formatSseData({ type: 'content_block_stop', index: 0 })}`,
    `event: message_delta\n${formatSseData({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: countVisibleTokens(made) + made.hidden } })}`,
    formatNamedEvent({ type: 'message_stop' }),
  ],
  'gemini-generate': (made) => [
    ...made.words.map((text) => formatSseData({ candidates: [{ content: { parts: [{ text }] } }], usageMetadata: { promptTokenCount: made.input } })),
    formatSseData({
      candidates: [{ finishReason: 'STOP', content: { parts: [] } }],
      usageMetadata: { promptTokenCount: made.input, candidatesTokenCount: countVisibleTokens(made), thoughtsTokenCount: made.hidden },
    }),
  ],
}

export const DIALECT_PATHS: Readonly<Record<string, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  'gemini-generate': '/v1beta/models/m:streamGenerateContent?alt=sse',
}
const IMAGE_URL = 'https://example.test/a.png'
export type RequestKind = 'plain' | 'thinking' | 'media' | 'tools'

/** A request in each dialect that causes hidden output, or none. */
export function buildDialectRequest(dialect: string, kind: RequestKind, text = 'Say something.'): object {
  const tool = { name: 'f', description: 'd', parameters: { type: 'object', properties: {} } }
  switch (dialect) {
    case 'openai-chat':
      return {
        ...CHAT_STREAM_REQUEST,
        messages: [
          {
            role: 'user',
            content:
              kind === 'media'
                ? [
                    { type: 'text', text },
                    { type: 'image_url', image_url: { url: IMAGE_URL } },
                  ]
                : text,
          },
        ],
        max_tokens: 60_000,
        ...(kind === 'tools' ? { tools: [{ type: 'function', function: tool }] } : {}),
        ...(kind === 'thinking' ? { reasoning_effort: 'low' } : {}),
      }
    case 'openai-responses':
      return {
        model: 'm',
        stream: true,
        max_output_tokens: 60_000,
        input: [{ role: 'user', content: [{ type: 'input_text', text }, ...(kind === 'media' ? [{ type: 'input_image', image_url: IMAGE_URL }] : [])] }],
        ...(kind === 'tools' ? { tools: [{ type: 'web_search' }] } : {}),
        ...(kind === 'thinking' ? { reasoning: { effort: 'low' } } : {}),
      }
    case 'anthropic-messages':
      return {
        model: 'm',
        stream: true,
        max_tokens: 60_000,
        messages: [
          { role: 'user', content: [{ type: 'text', text }, ...(kind === 'media' ? [{ type: 'document', source: { type: 'url', url: IMAGE_URL } }] : [])] },
        ],
        ...(kind === 'tools' ? { tools: [{ name: 'f', input_schema: tool.parameters }] } : {}),
        ...(kind === 'thinking' ? { thinking: { type: 'adaptive' } } : {}),
      }
    default:
      return {
        contents: [{ role: 'user', parts: [{ text }] }],
        generationConfig: { maxOutputTokens: 60_000, thinkingConfig: { thinkingBudget: kind === 'thinking' ? 40_000 : 0 } },
        ...(kind === 'tools' ? { tools: [{ functionDeclarations: [tool] }] } : {}),
      }
  }
}
