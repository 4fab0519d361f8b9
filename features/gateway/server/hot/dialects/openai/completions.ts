import { addText } from '../../usage/estimate.ts'
import type { Tally } from '../../usage/estimate.ts'
import { isRaw } from '../../usage/usage.ts'
import type { DialectRules, CallFacts } from '../dialect.ts'
import { readBodyFacts } from '../facts.ts'
import { isProblem } from '../../problem.ts'
import type { FieldProblem } from '../../problem.ts'
import { openaiChatDialect } from './chat.ts'
import { endsWithDone } from './sse.ts'
import { parseOpenaiUsage } from './usage.ts'
import { parseEventJson } from '../sse.ts'
import { setBodyMember } from '../write-member.ts'
import { createTextBounds } from '../../bounds/bounds.ts'
import type { InputBounds } from '../../bounds/bounds.ts'
import { readTopMembers } from '../../bounds/walk.ts'
import { filterMembers, parseWholeNumber } from '../../json/elements.ts'
import { skipSpace, skipValue } from '../../json/scan.ts'
import type { JsonMember } from '../../json/scan.ts'
import { readTopLevel } from '../../json/members.ts'

/** No vendor returns more answers to one prompt. */
const MAX_ANSWERS_PER_PROMPT = 128
/** No vendor accepts more prompts in one request; the limit also bounds the time to count them. */
const MAX_PROMPTS = 2_048

const QUOTE = 34,
  COMMA = 44,
  OPEN_ARRAY = 91,
  CLOSE_ARRAY = 93,
  OPEN_OBJECT = 123

/**
 * Number of answers that a legacy completions body can be billed for: the larger of `n` and `best_of` for each of its prompts. Ambiguous
 * values are refused; the larger one counts if a member is repeated.
 */
function countRequestedAnswers(body: Buffer): number | FieldProblem {
  const members = readTopLevel(body, ['prompt', 'n', 'best_of'])
  if (!Array.isArray(members)) return members
  let each = 1
  for (const range of filterMembers(body, members, 'n', 'best_of')) {
    const asked = parseWholeNumber(body, range)
    if (asked === undefined || asked < 1 || asked > MAX_ANSWERS_PER_PROMPT)
      return { field: range.key, message: `\`${range.key}\` must be a whole number from 1 to ${MAX_ANSWERS_PER_PROMPT}.` }
    each = Math.max(each, asked)
  }
  let prompts = 1
  for (const range of filterMembers(body, members, 'prompt')) {
    const count = countPrompts(body, range)
    if (count === undefined)
      return { field: 'prompt', message: `\`prompt\` must be a text, a list of token numbers, or a list of at most ${MAX_PROMPTS} of either.` }
    prompts = Math.max(prompts, count)
  }
  return each * prompts
}

/** The window applies to each prompt, so a list can hold more than one window. */
function computePromptBounds(body: Buffer): InputBounds {
  const into = createTextBounds(body)
  if (readTopMembers(body, ['prompt']).some(({ start }) => body[start] === OPEN_ARRAY)) into.windows = Infinity
  return into
}

/** Undefined for an invalid prompt, or too many. */
function countPrompts(body: Buffer, { start, end }: JsonMember): number | undefined {
  if (body[start] === QUOTE) return 1
  if (body[start] !== OPEN_ARRAY) return undefined
  let i = skipSpace(body, start + 1, end)
  if (body[i] === CLOSE_ARRAY) return 1
  if (isDigit(body[i])) return isNumbers(body, i, end - 1) ? 1 : undefined
  for (let count = 1; count <= MAX_PROMPTS; count++) {
    const after = body[i] === QUOTE || body[i] === OPEN_ARRAY ? skipValue(body, i, end) : -1
    if (after < 0 || (body[i] === OPEN_ARRAY && !isNumbers(body, i + 1, after - 1))) return undefined
    i = skipSpace(body, after, end)
    if (body[i] === CLOSE_ARRAY) return count
    if (body[i] !== COMMA) return undefined
    i = skipSpace(body, i + 1, end)
  }
  return undefined
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 48 && byte <= 57

/** True if no element can be a separate prompt. Searched for, because a list may hold millions of numbers. */
function isNumbers(body: Buffer, from: number, end: number): boolean {
  const list = body.subarray(from, end)
  return ![QUOTE, OPEN_ARRAY, OPEN_OBJECT].some((byte) => list.includes(byte))
}

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
 * The legacy endpoint: usage and stream are those of chat, the text is in another member. `best_of` answers are generated, and billed,
 * although only one of them is returned. https://platform.openai.com/docs/api-reference/completions
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
