import type { Dialect } from '../../hot/deps.ts'
import { DIALECTS } from '../../hot/dialects/index.ts'
import { findMember, parseRange, scanObject } from '../../hot/json/scan.ts'
import type { JsonMember } from '../../hot/json/scan.ts'
import { isRaw } from '../../hot/usage/usage.ts'
import type { Usage } from '../../hot/usage/usage.ts'

const PROMPT = 'Reply with OK.'
/** Output token limit: the minimum that OpenAI's Responses accept. */
export const MAX_ANSWER_TOKENS = 16

/** Dialects that accept a few words of text, the most common first. */
const TEST_BODIES: Readonly<Partial<Record<Dialect, (model: string) => Readonly<Record<string, unknown>>>>> = {
  'openai-chat': (model) => ({ model, messages: [{ role: 'user', content: PROMPT }] }),
  'anthropic-messages': (model) => ({ model, max_tokens: MAX_ANSWER_TOKENS, messages: [{ role: 'user', content: PROMPT }] }),
  'openai-responses': (model) => ({ model, input: PROMPT }),
  'gemini-generate': () => ({ contents: [{ role: 'user', parts: [{ text: PROMPT }] }] }),
  'openai-embeddings': (model) => ({ model, input: PROMPT }),
}
const METHODS: Readonly<Partial<Record<Dialect, string>>> = { 'gemini-generate': 'generateContent' }

/** Picks the dialect of a test call; undefined if the model has none that accepts a few words of text. */
export const pickTestDialect = (spoken: readonly string[], served: readonly string[]): Dialect | undefined =>
  (Object.keys(TEST_BODIES) as Dialect[]).find((dialect) => spoken.includes(dialect) && served.includes(dialect))

export interface SmallCall {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Builds a call of a few words with a low output limit. */
export function buildSmallCall(dialect: Dialect, model: string): SmallCall {
  const rules = DIALECTS[dialect]
  const body = Buffer.from(JSON.stringify(TEST_BODIES[dialect]!(model)))
  return {
    path: rules.upstreamPath(model, METHODS[dialect] ?? ''),
    headers: { 'content-type': 'application/json', ...(dialect === 'anthropic-messages' ? { 'anthropic-version': '2023-06-01' } : {}) },
    body: (rules.withCap?.(body, MAX_ANSWER_TOKENS) ?? body).toString('utf8'),
  }
}

/** Usage in the answer; undefined if missing or invalid. */
export function parseTestUsage(dialect: Dialect, answer: Buffer): Usage | undefined {
  const { usageKey, usageOf } = DIALECTS[dialect]
  const found: JsonMember[] = []
  if (scanObject(answer, 0, answer.length, [usageKey], found) < 0) return undefined
  const range = findMember(answer, 0, answer.length, usageKey)
  const raw = range && parseRange(answer, range)
  return isRaw(raw) ? usageOf(raw) : undefined
}
