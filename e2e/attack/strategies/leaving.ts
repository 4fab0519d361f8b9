import { CHAT, MESSAGES, RESPONSES, each, gemini, rare, repeat, turn, user } from './strategy.ts'
import type { Strategy } from './strategy.ts'

const DIALECTS = ['chat', 'responses', 'messages', 'gemini'] as const
const PATHS = { chat: CHAT, responses: RESPONSES, messages: MESSAGES, gemini: gemini('gemini-3.8-flash', 'streamGenerateContent?alt=sse') }
const CAP = 20_000

/** A stream of a model that thinks unseen. */
const hidden = (n: number): object =>
  ({
    chat: { model: 'gpt-6.2-sol', stream: true, max_completion_tokens: CAP, messages: user() },
    responses: { model: 'gpt-6.2-sol', stream: true, max_output_tokens: CAP, input: 'hello' },
    messages: { model: 'claude-opus-5-5', stream: true, max_tokens: CAP, messages: user() },
    gemini: { ...turn(), generationConfig: { maxOutputTokens: CAP } },
  })[each(DIALECTS, n)]
const hiddenPath = (n: number): string => PATHS[each(DIALECTS, n)]

/** Going away before the bill comes. */
export const LEAVING: readonly Strategy[] = [
  {
    name: 'leave-each-event',
    tries: 'streams left after their first event, their second, and so on',
    run: repeat(12, hiddenPath, hidden, (n) => ({ leaveAfter: (n >> 2) % 14 })),
  },
  {
    name: 'leave-before-usage',
    tries: 'streams read to their last word and left before the usage',
    run: repeat(12, hiddenPath, hidden, (n) => ({
      leaveAt: each(['"finish_reason":"stop"', 'response.output_item.done', 'content_block_stop', '"finishReason"'], n),
    })),
  },
  {
    name: 'leave-before-bytes',
    tries: 'half a megabyte of prompt, left before the first byte',
    run: repeat(
      3,
      CHAT,
      () => ({ model: 'gpt-6.2-sol', stream: true, max_completion_tokens: 16, messages: user('hello '.repeat(80_000)) }),
      (n) => ({ leaveAfterMs: n % 3 }),
    ),
  },
  {
    name: 'leave-pdf',
    tries: 'a document of uncounted pages, left in the middle',
    run: repeat(
      8,
      MESSAGES,
      () => ({
        model: 'claude-haiku-5-5',
        stream: true,
        max_tokens: 400,
        thinking: { type: 'disabled' },
        messages: user([{ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }]),
      }),
      (n) => ({ leaveAfter: 2 + (n % 3) }),
    ),
  },
  {
    name: 'leave-visible',
    // Cheap models, because we absorb the output that the vendor makes until it sees the disconnect: on a busy machine that takes a second.
    tries: 'plain text of a model that hides nothing, left in the middle: the output costs more than it looks',
    run: repeat(
      12,
      (n) => each([CHAT, MESSAGES], n),
      (n) =>
        each<object>(
          [
            { model: 'gpt-4.1-mini', stream: true, max_tokens: 4_000, messages: user(rare(2_000)) },
            { model: 'claude-haiku-4-5', stream: true, max_tokens: 4_000, messages: user(rare(2_000)) },
          ],
          n,
        ),
      (n) => ({ leaveAfter: 2 + (n % 30) }),
    ),
  },
  {
    name: 'leave-whole',
    tries: 'whole answers that no client waits for',
    run: repeat(
      12,
      (n) => each([CHAT, MESSAGES], n),
      (n) =>
        each<object>(
          [
            { model: 'gpt-6.2-sol', max_completion_tokens: CAP, messages: user() },
            { model: 'claude-opus-5-5', max_tokens: CAP, messages: user() },
          ],
          n,
        ),
      (n) => ({ leaveAfterMs: n % 4 }),
    ),
  },
  {
    name: 'leave-tools',
    tries: 'hosted tools at work, left at the first event',
    run: repeat(
      8,
      RESPONSES,
      () => ({ model: 'gpt-6-luna', stream: true, max_output_tokens: 200, max_tool_calls: 1, input: 'hello', tools: [{ type: 'web_search' }] }),
      (n) => ({ leaveAfter: 1 + (n % 5) }),
    ),
  },
  {
    name: 'leave-translated',
    tries: 'the same over a translation',
    run: repeat(
      12,
      (n) => each([CHAT, MESSAGES], n),
      (n) =>
        each<object>(
          [
            { model: 'claude-opus-5-5', stream: true, max_tokens: CAP, messages: user('attack:leave-translated') },
            { model: 'gpt-6.2-sol', stream: true, max_tokens: CAP, messages: user('attack:leave-translated') },
          ],
          n,
        ),
      (n) => ({ leaveAfter: n % 9 }),
    ),
  },
  {
    name: 'field-mask',
    tries: 'answers without their usage, by query and by header',
    run: repeat(
      10,
      (n) =>
        gemini(
          'gemini-3.8-flash',
          each(
            [
              'generateContent?fields=candidates',
              'streamGenerateContent?alt=sse&fields=candidates',
              'generateContent?%24fields=candidates',
              'generateContent',
              'streamGenerateContent?$fields=candidates',
            ],
            n,
          ),
        ),
      () => ({ ...turn(), generationConfig: { maxOutputTokens: CAP } }),
      (n) => ({ headers: { ...(n % 5 === 3 && { 'X-Goog-FieldMask': 'candidates' }) } }),
    ),
  },
  {
    name: 'no-usage',
    tries: 'an upstream that leaves the usage out of its answers',
    run: repeat(
      10,
      hiddenPath,
      (n) => ({ ...hidden(n), ...(n & 4 ? { stream: false } : {}) }),
      (n) => ({ headers: { 'user-agent': `attack:no-usage no-usage ${n}` } }),
    ),
  },
  {
    name: 'strange-usage',
    tries: 'usage with an unknown figure',
    run: repeat(10, hiddenPath, hidden, { headers: { 'user-agent': 'attack:strange-usage strange-usage' } }),
  },
  {
    name: 'two-upstreams',
    tries: 'a model whose first upstream fails late, left and not left',
    run: repeat(
      10,
      CHAT,
      (n) => ({ model: 'gpt-5.4-nano', stream: n % 2 === 0, max_completion_tokens: CAP, messages: user() }),
      (n) => (n % 3 ? {} : { leaveAfterMs: 100 + 40 * (n % 5) }),
    ),
  },
]
