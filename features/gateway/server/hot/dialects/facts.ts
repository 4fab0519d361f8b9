import { findLastMember, readTopLevel } from '../json/members.ts'
import { findMember, parseRange, scanObject } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'
import { NO_BILLABLE_OPTIONS } from './billable-options.ts'
import type { BillableOptionRules } from './billable-options.ts'
import type { CallFacts } from './dialect.ts'
import { geminiOptionRules } from './gemini/billable-options.ts'
import { isProblem } from '../problem.ts'
import type { FieldProblem } from '../problem.ts'

/** Settings that some frameworks send as -1 when unset. */
const UNSET_KEYS = ['top_p', 'top_k']
/** Members of the request that the relay reads, for dialects with the model in the body. */
const WANTED = ['model', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n', 'background', ...UNSET_KEYS]
const GEMINI_CONFIGS = ['generationConfig', 'generation_config']
const GEMINI_WANTED = [...GEMINI_CONFIGS, ...geminiOptionRules.wanted]
const GEMINI_CAPS = ['maxOutputTokens', 'max_output_tokens']
const GEMINI_UNSET = ['topP', 'topK', ...UNSET_KEYS]
const GEMINI_COPIES = ['candidateCount', 'candidate_count']
const QUOTE = 34

/** A positive number; undefined if absent, null or invalid, which the vendor refuses itself. */
function readPositiveNumber(body: Buffer, range: JsonMember | undefined): number | undefined {
  if (range === undefined) return undefined
  const value = Number(body.toString('latin1', range.start, range.end))
  return Number.isFinite(value) && value > 0 ? Math.ceil(value) : undefined
}

/**
 * The largest of these numbers, because parsers differ; undefined if there is none, or if one of several with the same name is not a
 * number.
 */
function findLargest(body: Buffer, members: readonly JsonMember[], keys: readonly string[]): JsonMember | undefined {
  let most: JsonMember | undefined
  let mostValue = 0
  for (const member of members) {
    if (!keys.includes(member.key)) continue
    const value = readPositiveNumber(body, member)
    if (value === undefined && members.some((other) => other !== member && other.key === member.key)) return undefined
    if (value === undefined || value <= mostValue) continue
    most = member
    mostValue = value
  }
  return most
}

const wantedBy = new WeakMap<BillableOptionRules, readonly string[]>()

/** Builds the list of names once per dialect. */
function listWantedMembers(rules: BillableOptionRules | undefined): readonly string[] {
  if (rules === undefined) return WANTED
  let wanted = wantedBy.get(rules)
  if (wanted === undefined) wantedBy.set(rules, (wanted = [...WANTED, ...rules.wanted]))
  return wanted
}

const MINUS = 45,
  ONE = 49,
  DOT = 46,
  ZERO = 48

/** True for -1, -1.0 and the like, which frameworks with always numeric settings send for an absent value. */
function isMinusOne(body: Buffer, { start, end }: JsonMember): boolean {
  if (body[start] !== MINUS || body[start + 1] !== ONE) return false
  if (end === start + 2) return true
  if (body[start + 2] !== DOT) return false
  for (let i = start + 3; i < end; i++) if (body[i] !== ZERO) return false
  return true
}

function findUnset(body: Buffer, members: readonly JsonMember[], keys: readonly string[]): readonly JsonMember[] {
  let unset: JsonMember[] | undefined
  for (const member of members) if (body[member.start] === MINUS && keys.includes(member.key) && isMinusOne(body, member)) (unset ??= []).push(member)
  return unset ?? NOTHING
}
const NOTHING: readonly JsonMember[] = []

function hasAnyMember(members: readonly JsonMember[], names: readonly string[]): boolean {
  for (const { key } of members) if (names.includes(key)) return true
  return false
}

/** OpenAI and Anthropic bodies. */
export function readBodyFacts(body: Buffer, capKeys: readonly string[], rules?: BillableOptionRules): CallFacts | FieldProblem {
  const members = readTopLevel(body, listWantedMembers(rules))
  if (!Array.isArray(members)) return members
  const modelRanges = members.filter((member) => member.key === 'model')
  const modelAt = modelRanges.at(-1)
  if (modelAt === undefined) return { field: 'model', message: 'You must provide a `model` parameter.' }
  const model = body[modelAt.start] === QUOTE ? parseRange(body, modelAt) : undefined
  if (typeof model !== 'string' || model === '') return { field: 'model', message: '`model` must be a string that names a model.' }
  const streamAt = findLastMember(members, 'stream')
  const streamText = streamAt === undefined ? 'false' : body.toString('latin1', streamAt.start, streamAt.end)
  if (streamText !== 'true' && streamText !== 'false' && streamText !== 'null') return { field: 'stream', message: '`stream` must be true or false.' }
  const background = findLastMember(members, 'background')
  if (background !== undefined && body[background.start] === 116) {
    return { field: 'background', message: '`background` responses are not stored here and cannot be fetched later; leave it out or send false.' }
  }
  const asks = rules === undefined || !hasAnyMember(members, rules.wanted) ? NO_BILLABLE_OPTIONS : rules.read(body, members)
  if (isProblem(asks)) return asks
  const streamOptions = findLastMember(members, 'stream_options')
  const cap = findLargest(body, members, capKeys)
  return {
    model,
    modelRanges,
    unset: findUnset(body, members, UNSET_KEYS),
    stream: streamText === 'true',
    outputCap: readPositiveNumber(body, cap),
    capField: cap?.key,
    copies: countCopies(body, members, ['n']),
    usageAsked: streamOptions !== undefined && requestsUsage(body, streamOptions),
    streamOptions,
    media: undefined,
    asks,
    isPlain: isPlain(body, rules?.telling),
  }
}

/** In larger bodies, checking the members is cheaper than making a string of all bytes. */
const PLAIN_BYTES = 16_384

function isPlain(body: Buffer, telling: RegExp | undefined): boolean {
  return telling !== undefined && body.length <= PLAIN_BYTES && !telling.test(body.toString('latin1'))
}

/** No vendor allows more. */
const MAX_COPIES = 128

/**
 * Maximum number of answers that any reading of these members requests: the largest of repeated ones counts, including numbers in strings,
 * which proto3 JSON accepts.
 */
function countCopies(body: Buffer, members: readonly JsonMember[], keys: readonly string[]): number {
  let most = 1
  for (const member of members) {
    if (!keys.includes(member.key)) continue
    const asked = Number(body[member.start] === QUOTE ? parseRange(body, member) : body.toString('latin1', member.start, member.end))
    if (asked > most) most = Math.ceil(asked)
  }
  return Math.min(most, MAX_COPIES)
}

function requestsUsage(body: Buffer, options: JsonMember): boolean {
  const asked = findMember(body, options.start, options.end, 'include_usage')
  return asked !== undefined && body[asked.start] === 116
}

/** Reads Gemini bodies, whose model is in the path. Field names may be camelCase or snake_case (proto3 JSON). */
export function readGeminiFacts(body: Buffer, model: string, stream: boolean): CallFacts | FieldProblem {
  const members = readTopLevel(body, GEMINI_WANTED)
  if (!Array.isArray(members)) return members
  const asks = geminiOptionRules.read(body, members)
  if (isProblem(asks)) return asks
  const configs = members.filter((member) => GEMINI_CONFIGS.includes(member.key))
  const inner: JsonMember[] = []
  for (const config of configs) scanObject(body, config.start, config.end, [...GEMINI_CAPS, ...GEMINI_COPIES, ...GEMINI_UNSET], inner)
  const caps = inner.filter((member) => GEMINI_CAPS.includes(member.key))
  // With two configurations or spellings, it is unknown which one counts.
  const cap = configs.length === 1 && caps.length === 1 ? caps[0] : undefined
  return {
    model,
    modelRanges: [],
    unset: findUnset(body, inner, GEMINI_UNSET),
    stream,
    outputCap: readPositiveNumber(body, cap),
    capField: cap === undefined ? undefined : `${configs[0]!.key}.${cap.key}`,
    copies: countCopies(body, inner, GEMINI_COPIES),
    usageAsked: true,
    streamOptions: undefined,
    media: undefined,
    asks,
  }
}
