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

/** Output without a cap, with many choices, or at another price. */
export const OUTPUT_STRATEGIES: readonly Strategy[] = [
  {
    name: 'no-cap-chat',
    tries: 'fifteen calls at once that name no cap',
    run: repeatRequest(15, CHAT_PATH, { body: (n) => ({ model: pickInTurn(['gpt-6.2-sol', 'gpt-6-astra'], n), messages: buildUserMessages() }) }),
  },
  {
    name: 'no-cap-responses',
    tries: 'the same in Responses, streamed',
    run: repeatRequest(15, RESPONSES_PATH, { body: () => ({ model: 'gpt-6.2-sol', input: 'hello', stream: true }) }),
  },
  {
    name: 'no-cap-gemini',
    tries: 'the same at Gemini',
    run: repeatRequest(15, toGeminiPath('gemini-4-argon', 'streamGenerateContent?alt=sse'), { body: () => buildGeminiBody() }),
  },
  {
    name: 'n-128',
    tries: 'a hundred and twenty-eight answers to one question',
    run: repeatRequest(8, CHAT_PATH, {
      body: (n) => ({
        model: pickInTurn(['gpt-6-luna', 'gpt-4o-mini'], n),
        n: 128,
        max_tokens: 4_000,
        messages: buildUserMessages(),
      }),
    }),
  },
  {
    name: 'candidates',
    tries: 'eight candidates, counted in one spelling and asked for in the other',
    run: repeatRequest(10, toGeminiPath('gemini-3.5-flash-lite'), {
      body: (n) => ({
        ...buildGeminiBody(),
        ...pickInTurn<object>(
          [
            { generationConfig: { candidateCount: 1, candidate_count: 8, maxOutputTokens: 2_000 } },
            { generation_config: { candidateCount: 8, max_output_tokens: 2_000 } },
            { generationConfig: { candidateCount: 1, maxOutputTokens: 10 }, generation_config: { candidate_count: 8, max_output_tokens: 60_000 } },
            { generationConfig: { maxOutputTokens: 10, max_output_tokens: 60_000 } },
          ],
          n,
        ),
      }),
    }),
  },
  {
    name: 'thinking-budget',
    tries: 'all of the cap spent on hidden thinking, at Claude and at Gemini',
    run: repeatRequest(12, (n) => pickInTurn([MESSAGES_PATH, toGeminiPath('gemini-3.8-flash')], n), {
      body: (n) =>
        pickInTurn<object>(
          [
            { model: 'claude-opus-4-8', max_tokens: 64_000, thinking: { type: 'enabled', budget_tokens: 60_000 }, messages: buildUserMessages() },
            { ...buildGeminiBody(), generationConfig: { maxOutputTokens: 100, thinkingConfig: { thinkingBudget: 65_000 } } },
          ],
          n,
        ),
    }),
  },
  {
    name: 'prediction',
    tries: 'a long prediction that is rejected and billed as output',
    run: repeatRequest(8, CHAT_PATH, {
      body: () => ({
        model: 'gpt-4.1',
        max_tokens: 16,
        messages: buildUserMessages(),
        prediction: { type: 'content', content: buildRareText(40_000) },
      }),
    }),
  },
  {
    name: 'priority',
    tries: 'the fast tier at twice the price',
    run: repeatRequest(12, (n) => pickInTurn([CHAT_PATH, RESPONSES_PATH], n), {
      body: (n) =>
        pickInTurn<object>(
          [
            { model: 'gpt-6.1-sol', service_tier: 'priority', max_completion_tokens: 8_000, messages: buildUserMessages() },
            { model: 'gpt-6.1-sol', service_tier: 'priority', max_output_tokens: 8_000, input: 'hello' },
          ],
          n,
        ),
    }),
  },
  {
    name: 'gemini-priority',
    tries: 'the fast tier of Gemini',
    run: repeatRequest(8, (n) => toGeminiPath(pickInTurn(['gemini-2.5-flash', 'gemini-3.8-flash'], n >> 1)), {
      body: (n) => ({
        ...buildGeminiBody(),
        [pickInTurn(['serviceTier', 'service_tier'], n)]: 'priority',
        generationConfig: { maxOutputTokens: 20_000 },
      }),
    }),
  },
  {
    name: 'claude-fast',
    tries: 'speed at a multiple of the price',
    run: repeatRequest(8, MESSAGES_PATH, {
      body: (n) => ({ model: pickInTurn(['claude-opus-4-7', 'claude-opus-5'], n), speed: 'fast', max_tokens: 4_000, messages: buildUserMessages() }),
      asking: {
        headers: { 'anthropic-beta': 'fast-mode-2026-02-01' },
      },
    }),
  },
  {
    name: 'claude-region',
    tries: 'inference in one country at a tenth more',
    run: repeatRequest(12, MESSAGES_PATH, {
      body: () => ({ model: 'claude-opus-5-5', inference_geo: 'us', max_tokens: 16_000, messages: buildUserMessages() }),
    }),
  },
  {
    name: 'aliases',
    tries: 'old names, retiring models and names with a slash or in capitals',
    run: repeatRequest(10, CHAT_PATH, {
      body: (n) => ({
        model: pickInTurn(
          ['gpt-5.6', 'gpt-5-2025-08-07', 'o3', 'gpt-4.1-mini-2025-04-14', 'models/gpt-5', 'GPT-6-ASTRA', 'claude-opus-4-5-20251101', 'openai/gpt-6-astra'],
          n,
        ),
        max_tokens: 9_000,
        messages: buildUserMessages('attack:aliases'),
      }),
    }),
  },
  {
    name: 'translated',
    tries: 'models asked in another vendor dialect, without a cap',
    run: repeatRequest(15, (n) => pickInTurn([CHAT_PATH, CHAT_PATH, MESSAGES_PATH, toGeminiPath('gpt-6.2-sol'), toGeminiPath('claude-opus-5-5')], n), {
      body: (n) =>
        pickInTurn<object>(
          [
            { model: 'claude-opus-5-5', messages: buildUserMessages('attack:translated') },
            { model: 'gemini-4-argon', messages: buildUserMessages('attack:translated') },
            { model: 'gpt-6.2-sol', max_tokens: 128_000, messages: buildUserMessages('attack:translated') },
            buildGeminiBody({ text: 'attack:translated' }),
            buildGeminiBody({ text: 'attack:translated' }),
          ],
          n,
        ),
    }),
  },
  {
    name: 'legacy-completions',
    tries: 'many answers of which one is shown',
    run: repeatRequest(8, '/v1/completions', {
      body: (n) => ({
        model: 'gpt-6-luna',
        prompt: pickInTurn<unknown>(['attack:legacy-completions', ['attack:legacy-completions', 'hello', 'hello']], n),
        best_of: pickInTurn([1, 20], n >> 1),
        n: 1,
        max_tokens: 4_000,
      }),
    }),
  },
]
