import { CHAT, MESSAGES, RESPONSES, each, gemini, rare, repeat, turn, user } from './strategy.ts'
import type { Strategy } from './strategy.ts'

/** Output without a cap, many times, or at another price. */
export const OUTPUT: readonly Strategy[] = [
  {
    name: 'no-cap-chat',
    tries: 'fifteen calls at once that name no cap',
    run: repeat(15, CHAT, (n) => ({ model: each(['gpt-6.2-sol', 'gpt-6-astra'], n), messages: user() })),
  },
  {
    name: 'no-cap-responses',
    tries: 'the same in Responses, streamed',
    run: repeat(15, RESPONSES, () => ({ model: 'gpt-6.2-sol', input: 'hello', stream: true })),
  },
  { name: 'no-cap-gemini', tries: 'the same at Gemini', run: repeat(15, gemini('gemini-4-argon', 'streamGenerateContent?alt=sse'), () => turn()) },
  {
    name: 'n-128',
    tries: 'a hundred and twenty-eight answers to one question',
    run: repeat(8, CHAT, (n) => ({ model: each(['gpt-6-luna', 'gpt-4o-mini'], n), n: 128, max_tokens: 4_000, messages: user() })),
  },
  {
    name: 'candidates',
    tries: 'eight candidates, counted in one spelling and asked for in the other',
    run: repeat(10, gemini('gemini-3.5-flash-lite'), (n) => ({
      ...turn(),
      ...each<object>(
        [
          { generationConfig: { candidateCount: 1, candidate_count: 8, maxOutputTokens: 2_000 } },
          { generation_config: { candidateCount: 8, max_output_tokens: 2_000 } },
          { generationConfig: { candidateCount: 1, maxOutputTokens: 10 }, generation_config: { candidate_count: 8, max_output_tokens: 60_000 } },
          { generationConfig: { maxOutputTokens: 10, max_output_tokens: 60_000 } },
        ],
        n,
      ),
    })),
  },
  {
    name: 'thinking-budget',
    tries: 'all of the cap spent on hidden thinking, at Claude and at Gemini',
    run: repeat(
      12,
      (n) => each([MESSAGES, gemini('gemini-3.8-flash')], n),
      (n) =>
        each<object>(
          [
            { model: 'claude-opus-4-8', max_tokens: 64_000, thinking: { type: 'enabled', budget_tokens: 60_000 }, messages: user() },
            { ...turn(), generationConfig: { maxOutputTokens: 100, thinkingConfig: { thinkingBudget: 65_000 } } },
          ],
          n,
        ),
    ),
  },
  {
    name: 'prediction',
    tries: 'a long prediction that is rejected and billed as output',
    run: repeat(8, CHAT, () => ({ model: 'gpt-4.1', max_tokens: 16, messages: user(), prediction: { type: 'content', content: rare(40_000) } })),
  },
  {
    name: 'priority',
    tries: 'the fast tier at twice the price',
    run: repeat(
      12,
      (n) => each([CHAT, RESPONSES], n),
      (n) =>
        each<object>(
          [
            { model: 'gpt-6.1-sol', service_tier: 'priority', max_completion_tokens: 8_000, messages: user() },
            { model: 'gpt-6.1-sol', service_tier: 'priority', max_output_tokens: 8_000, input: 'hello' },
          ],
          n,
        ),
    ),
  },
  {
    name: 'gemini-priority',
    tries: 'the fast tier of Gemini',
    run: repeat(
      8,
      (n) => gemini(each(['gemini-2.5-flash', 'gemini-3.8-flash'], n >> 1)),
      (n) => ({
        ...turn(),
        [each(['serviceTier', 'service_tier'], n)]: 'priority',
        generationConfig: { maxOutputTokens: 20_000 },
      }),
    ),
  },
  {
    name: 'claude-fast',
    tries: 'speed at a multiple of the price',
    run: repeat(8, MESSAGES, (n) => ({ model: each(['claude-opus-4-7', 'claude-opus-5'], n), speed: 'fast', max_tokens: 4_000, messages: user() }), {
      headers: { 'anthropic-beta': 'fast-mode-2026-02-01' },
    }),
  },
  {
    name: 'claude-region',
    tries: 'inference in one country at a tenth more',
    run: repeat(12, MESSAGES, () => ({ model: 'claude-opus-5-5', inference_geo: 'us', max_tokens: 16_000, messages: user() })),
  },
  {
    name: 'aliases',
    tries: 'old names, retiring models and names with a slash or in capitals',
    run: repeat(10, CHAT, (n) => ({
      model: each(
        ['gpt-5.6', 'gpt-5-2025-08-07', 'o3', 'gpt-4.1-mini-2025-04-14', 'models/gpt-5', 'GPT-6-ASTRA', 'claude-opus-4-5-20251101', 'openai/gpt-6-astra'],
        n,
      ),
      max_tokens: 9_000,
      messages: user('attack:aliases'),
    })),
  },
  {
    name: 'translated',
    tries: 'models asked in another vendor dialect, without a cap',
    run: repeat(
      15,
      (n) => each([CHAT, CHAT, MESSAGES, gemini('gpt-6.2-sol'), gemini('claude-opus-5-5')], n),
      (n) =>
        each<object>(
          [
            { model: 'claude-opus-5-5', messages: user('attack:translated') },
            { model: 'gemini-4-argon', messages: user('attack:translated') },
            { model: 'gpt-6.2-sol', max_tokens: 128_000, messages: user('attack:translated') },
            turn({ text: 'attack:translated' }),
            turn({ text: 'attack:translated' }),
          ],
          n,
        ),
    ),
  },
  {
    name: 'legacy-completions',
    tries: 'many answers of which one is shown',
    run: repeat(8, '/v1/completions', (n) => ({
      model: 'gpt-6-luna',
      prompt: each<unknown>(['attack:legacy-completions', ['attack:legacy-completions', 'hello', 'hello']], n),
      best_of: each([1, 20], n >> 1),
      n: 1,
      max_tokens: 4_000,
    })),
  },
]
