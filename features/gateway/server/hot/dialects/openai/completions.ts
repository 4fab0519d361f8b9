import { addText } from '../../usage/estimate.ts'
import type { Tally } from '../../usage/estimate.ts'
import { isRaw } from '../../usage/usage.ts'
import type { DialectRules, CallFacts } from '../dialect.ts'
import { readBodyFacts } from '../facts.ts'
import { isProblem } from '../../problem.ts'
import type { FieldProblem } from '../../problem.ts'
import { openaiChatDialect } from './chat.ts'
import { countRequestedAnswers, computePromptBounds } from './prompts.ts'
import { endsWithDone } from './sse.ts'
import { parseOpenaiUsage } from './usage.ts'
import { parseEventJson } from '../sse.ts'
import { setBodyMember } from '../write-member.ts'

function tally(event: Buffer, into: Tally): void {
  if (endsWithDone(event)) into.finished = true
  const choices = parseEventJson(event)?.['choices']
  if (!Array.isArray(choices)) return
  for (const choice of choices) {
    if (!isRaw(choice)) continue
    addText(into, choice['text'])
    if (typeof choice['finish_reason'] === 'string') into.finished = true
  }
}

function readFacts(body: Buffer): CallFacts | FieldProblem {
  const facts = readBodyFacts(body, ['max_tokens'])
  if (isProblem(facts)) return facts
  const copies = countRequestedAnswers(body)
  return typeof copies === 'number' ? { ...facts, copies } : copies
}

/**
 * The legacy endpoint: usage and stream are those of chat, the text stands elsewhere. `best_of` answers are generated, and
 * billed, where only one of them is shown. https://platform.openai.com/docs/api-reference/completions
 */
export const openaiCompletionsDialect: DialectRules = {
  id: 'openai-completions',
  surface: 'openai',
  endpoint: '/v1/completions',
  upstreamPath: () => '/v1/completions',
  readFacts,
  usageKey: 'usage',
  usageOf: parseOpenaiUsage,
  bounds: computePromptBounds,
  withCap: (body, tokens) => setBodyMember(body, ['max_tokens'], String(tokens)),
  stream: { ...openaiChatDialect.stream!, tally },
}
