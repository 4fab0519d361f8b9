import {
  CHAT_PATH,
  MESSAGES_PATH,
  RESPONSES_PATH,
  pickInTurn,
  toGeminiPath,
  buildRareText,
  repeatRequest,
  buildGeminiBody,
  buildUserMessages,
} from './strategy.ts'
import type { Strategy } from './strategy.ts'

const DIALECTS = ['chat', 'responses', 'messages', 'gemini'] as const
const PATHS = { chat: CHAT_PATH, responses: RESPONSES_PATH, messages: MESSAGES_PATH, gemini: toGeminiPath('gemini-3.8-flash', 'streamGenerateContent?alt=sse') }
const CAP = 20_000

/** A stream of a model whose reasoning is hidden. */
const buildHiddenBody = (n: number): object =>
  ({
    chat: { model: 'gpt-6.2-sol', stream: true, max_completion_tokens: CAP, messages: buildUserMessages() },
    responses: { model: 'gpt-6.2-sol', stream: true, max_output_tokens: CAP, input: 'hello' },
    messages: { model: 'claude-opus-5-5', stream: true, max_tokens: CAP, messages: buildUserMessages() },
    gemini: { ...buildGeminiBody(), generationConfig: { maxOutputTokens: CAP } },
  })[pickInTurn(DIALECTS, n)]
const pickHiddenPath = (n: number): string => PATHS[pickInTurn(DIALECTS, n)]

/** Disconnects before the usage arrives. */
export const DISCONNECT_STRATEGIES: readonly Strategy[] = [
  {
    name: 'leave-each-event',
    tries: 'streams left after their first event, their second, and so on',
    run: repeatRequest(12, pickHiddenPath, { body: buildHiddenBody, asking: (n) => ({ leaveAfter: (n >> 2) % 14 }) }),
  },
  {
    name: 'leave-before-usage',
    tries: 'streams read to their last word and left before the usage',
    run: repeatRequest(12, pickHiddenPath, {
      body: buildHiddenBody,
      asking: (n) => ({
        leaveAt: pickInTurn(['"finish_reason":"stop"', 'response.output_item.done', 'content_block_stop', '"finishReason"'], n),
      }),
    }),
  },
  {
    name: 'leave-before-bytes',
    tries: 'half a megabyte of prompt, left before the first byte',
    run: repeatRequest(3, CHAT_PATH, {
      body: () => ({ model: 'gpt-6.2-sol', stream: true, max_completion_tokens: 16, messages: buildUserMessages('hello '.repeat(80_000)) }),
      asking: (n) => ({ leaveAfterMs: n % 3 }),
    }),
  },
  {
    name: 'leave-pdf',
    tries: 'a document of uncounted pages, left in the middle',
    run: repeatRequest(8, MESSAGES_PATH, {
      body: () => ({
        model: 'claude-haiku-5-5',
        stream: true,
        max_tokens: 400,
        thinking: { type: 'disabled' },
        messages: buildUserMessages([{ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }]),
      }),
      asking: (n) => ({ leaveAfter: 2 + (n % 3) }),
    }),
  },
  {
    name: 'leave-visible',
    // Cheap models, because we absorb the output that the vendor generates until it sees the disconnect, which takes a second on a busy
    // machine.
    tries: 'plain text of a model that hides nothing, left in the middle: the output costs more than it looks',
    run: repeatRequest(12, (n) => pickInTurn([CHAT_PATH, MESSAGES_PATH], n), {
      body: (n) =>
        pickInTurn<object>(
          [
            { model: 'gpt-4.1-mini', stream: true, max_tokens: 4_000, messages: buildUserMessages(buildRareText(2_000)) },
            { model: 'claude-haiku-4-5', stream: true, max_tokens: 4_000, messages: buildUserMessages(buildRareText(2_000)) },
          ],
          n,
        ),
      asking: (n) => ({ leaveAfter: 2 + (n % 30) }),
    }),
  },
  {
    name: 'leave-whole',
    tries: 'whole answers that no client waits for',
    run: repeatRequest(12, (n) => pickInTurn([CHAT_PATH, MESSAGES_PATH], n), {
      body: (n) =>
        pickInTurn<object>(
          [
            { model: 'gpt-6.2-sol', max_completion_tokens: CAP, messages: buildUserMessages() },
            { model: 'claude-opus-5-5', max_tokens: CAP, messages: buildUserMessages() },
          ],
          n,
        ),
      asking: (n) => ({ leaveAfterMs: n % 4 }),
    }),
  },
  {
    name: 'leave-tools',
    tries: 'hosted tools at work, left at the first event',
    run: repeatRequest(8, RESPONSES_PATH, {
      body: () => ({ model: 'gpt-6-luna', stream: true, max_output_tokens: 200, max_tool_calls: 1, input: 'hello', tools: [{ type: 'web_search' }] }),
      asking: (n) => ({ leaveAfter: 1 + (n % 5) }),
    }),
  },
  {
    name: 'leave-translated',
    tries: 'the same over a translation',
    run: repeatRequest(12, (n) => pickInTurn([CHAT_PATH, MESSAGES_PATH], n), {
      body: (n) =>
        pickInTurn<object>(
          [
            { model: 'claude-opus-5-5', stream: true, max_tokens: CAP, messages: buildUserMessages('attack:leave-translated') },
            { model: 'gpt-6.2-sol', stream: true, max_tokens: CAP, messages: buildUserMessages('attack:leave-translated') },
          ],
          n,
        ),
      asking: (n) => ({ leaveAfter: n % 9 }),
    }),
  },
  {
    name: 'field-mask',
    tries: 'answers without their usage, by query and by header',
    run: repeatRequest(
      10,
      (n) =>
        toGeminiPath(
          'gemini-3.8-flash',
          pickInTurn(
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
      {
        body: () => ({ ...buildGeminiBody(), generationConfig: { maxOutputTokens: CAP } }),
        asking: (n) => ({ headers: { ...(n % 5 === 3 && { 'X-Goog-FieldMask': 'candidates' }) } }),
      },
    ),
  },
  {
    name: 'no-usage',
    tries: 'an upstream that leaves the usage out of its answers',
    run: repeatRequest(10, pickHiddenPath, {
      body: (n) => ({ ...buildHiddenBody(n), ...(n & 4 ? { stream: false } : {}) }),
      asking: (n) => ({ headers: { 'user-agent': `attack:no-usage no-usage ${n}` } }),
    }),
  },
  {
    name: 'strange-usage',
    tries: 'usage with an unknown figure',
    run: repeatRequest(10, pickHiddenPath, { body: buildHiddenBody, asking: { headers: { 'user-agent': 'attack:strange-usage strange-usage' } } }),
  },
  {
    name: 'two-upstreams',
    tries: 'a model whose first upstream fails late, left and not left',
    run: repeatRequest(10, CHAT_PATH, {
      body: (n) => ({ model: 'gpt-5.4-nano', stream: n % 2 === 0, max_completion_tokens: CAP, messages: buildUserMessages() }),
      asking: (n) => (n % 3 ? {} : { leaveAfterMs: 100 + 40 * (n % 5) }),
    }),
  },
]
