import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dialect } from '../deps.ts'
import type { RequestRefusal } from '../errors.ts'
import { MAX_SEARCHED_BYTES } from '../json/elements.ts'
import { MALFORMED, parseRange, scanObject, skipSpace, skipValue } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'

/**
 * References of a request to objects stored at the vendor. All customers share one vendor account, and the vendor would serve any
 * customer's file, answer or container by id. Answers are limited to the account they were made for (`made`); other references are
 * refused, because we create no such objects.
 */
export interface ObjectReferences {
  readonly previous: readonly string[]
  readonly items: readonly string[]
}

/** A member found: its key and value, its object, and the top-level member of the request that contains it. */
interface FoundMember {
  readonly body: Buffer
  readonly key: string
  readonly value: JsonMember
  readonly siblings: readonly JsonMember[]
  /** `type` of that object, read once for all its members: a name may occur in it thousands of times. */
  readonly type: () => string | undefined
  /** Likewise, whether the object is a reference. */
  readonly isReference: () => boolean
  readonly top: string
  /** Number of objects and lists around it. */
  readonly depth: number
  readonly named: { readonly previous: string[]; readonly items: string[] }
}

interface Rules {
  /** Bodies without one of these names contain no reference: most need no further check. An escape may spell any of them. */
  readonly words: readonly Buffer[]
  /** Members of the request that are searched. */
  readonly into: readonly string[]
  /** Members to skip: free-form input of callers, and plain history that vendors wrote. */
  readonly free: ReadonlySet<string>
  readonly judge: (found: FoundMember) => RequestRefusal | undefined
}

const QUOTE = 34,
  OPEN_LIST = 91,
  OPEN_OBJECT = 123,
  COMMA = 44,
  NULL = 110
/** Deeper than any vendor accepts an id. */
const MAX_DEPTH = 10

const buildReferenceRefusal = (field: string, what: string, instead: string): RequestRefusal => ({
  cause: 'not_kept',
  field,
  message: `\`${field}\` names ${what}, and none are kept here for you. ${instead}`,
})
const FILE = 'Send the file inline or by a public https URL.'

const isText = ({ body, value }: FoundMember): boolean => body[value.start] === QUOTE
const isPresent = ({ body, value }: FoundMember): boolean => body[value.start] !== NULL
const parseText = (body: Buffer, at: JsonMember | undefined): string | undefined => {
  const value = at === undefined ? undefined : parseRange(body, at)
  return typeof value === 'string' ? value : undefined
}
const typeOf = (body: Buffer, siblings: readonly JsonMember[]): string | undefined =>
  parseText(
    body,
    siblings.findLast(({ key }) => key === 'type'),
  )
/** True for a non-empty list or a non-list value. */
const isFilled = (found: FoundMember): boolean =>
  isPresent(found) && !(found.body[found.value.start] === OPEN_LIST && found.body[skipSpace(found.body, found.value.start + 1, found.value.end)] === 93)

function checkResponsesMember(found: FoundMember): RequestRefusal | undefined {
  const { body, key, value, top, named } = found
  if (key === 'previous_response_id' && top === key) named.previous.push(...(isPresent(found) ? [parseText(body, value) ?? ''] : []))
  else if (key === 'conversation' && top === key && isPresent(found)) return buildReferenceRefusal(key, 'a conversation', 'Send what was said as `input`.')
  else if (key === 'prompt' && top === key && isPresent(found)) return buildReferenceRefusal(key, 'a stored prompt', 'Send its text as `instructions`.')
  else if (key === 'file_id' && isText(found)) return buildReferenceRefusal(key, 'an uploaded file', FILE)
  else if (key === 'id' && found.depth === 2 && top === 'input' && isText(found) && found.isReference()) named.items.push(parseText(body, value) ?? '')
  else if (top === 'tools' || top === 'input') {
    // Code runs again in the container of a past call, as long as that container lives.
    const isPast = key === 'container_id' && found.depth === 2 && top === 'input' && found.type() === 'code_interpreter_call'
    if (isPast) named.items.push(...(isPresent(found) ? [parseText(body, value) ?? ''] : []))
    else if ((key === 'container' || key === 'container_id') && isText(found))
      return buildReferenceRefusal(key, 'a container', 'Ask for a new one: `{"type":"auto"}`.')
    if ((key === 'file_ids' || key === 'vector_store_ids') && isFilled(found))
      return buildReferenceRefusal(key, 'uploaded files', 'Send what they hold as `input`.')
    if (key === 'skill_id' && parseText(body, value)?.startsWith('skill_') === true)
      return buildReferenceRefusal(key, 'an uploaded skill', 'Send the skill inline.')
  }
  return undefined
}

/** An item without a type is a reference too, unless it is a message; so is one whose content the vendor looks up by its id. */
const isReference = (body: Buffer, siblings: readonly JsonMember[], type: string | undefined): boolean => {
  if (type === undefined) return !siblings.some(({ key }) => key === 'role')
  const held = CONTENT_MEMBERS.get(type)
  return type === 'item_reference' || (held !== undefined && !isFilledOnce(body, siblings, held))
}
/** A single, non-empty value: if a key is repeated, a vendor may read either. */
function isFilledOnce(body: Buffer, siblings: readonly JsonMember[], name: string): boolean {
  const [at, ...more] = siblings.filter(({ key }) => key === name)
  return at !== undefined && more.length === 0 && body[at.start] === QUOTE && at.end - at.start > 2
}
const CONTENT_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'encrypted_content'],
  ['image_generation_call', 'result'],
])

function checkChatMember(found: FoundMember): RequestRefusal | undefined {
  if (found.key === 'file_id' && isText(found)) return buildReferenceRefusal('file_id', 'an uploaded file', FILE)
  if (found.key !== 'audio' || found.body[found.value.start] !== OPEN_OBJECT) return undefined
  const inside: JsonMember[] = []
  scanObject(found.body, found.value.start, found.value.end, ['id'], inside)
  return inside.length === 0 ? undefined : buildReferenceRefusal('audio.id', 'an earlier spoken answer', 'Send its transcript as `content`.')
}

function checkMessagesMember(found: FoundMember): RequestRefusal | undefined {
  const { body, key, value, top } = found
  if (key === 'container' && top === key && isText(found)) return buildReferenceRefusal(key, 'a container', 'Leave it out to get a new one.')
  if (top === 'container') {
    if (key === 'id' && isPresent(found)) return buildReferenceRefusal('container.id', 'a container', 'Leave it out to get a new one.')
    if (key === 'skill_id' && parseText(body, value)?.startsWith('skill_') === true)
      return buildReferenceRefusal(key, 'an uploaded skill', 'Use the skills of the vendor.')
  }
  if (key === 'user_profile_id' && top === key && isPresent(found)) return buildReferenceRefusal(key, 'a user profile', 'Leave it out.')
  // Results of tools name files too, as history that loads nothing.
  if (key !== 'file_id') return undefined
  const type = found.type()
  return type === 'file' || type === 'container_upload' ? buildReferenceRefusal(key, 'an uploaded file', FILE) : undefined
}

function checkGeminiMember(found: FoundMember): RequestRefusal | undefined {
  const { body, key, value } = found
  if ((key === 'cachedContent' || key === 'cached_content') && isPresent(found))
    return buildReferenceRefusal(key, 'a cached content', 'Repeat the same beginning in each request: it is cached by itself.')
  if (key === 'fileUri' || key === 'file_uri') return isPublic(parseText(body, value)) ? undefined : buildReferenceRefusal(key, 'an uploaded file', FILE)
  if ((key === 'fileSearchStoreNames' || key === 'file_search_store_names') && isFilled(found))
    return buildReferenceRefusal(key, 'a file search store', 'Send what it holds as `contents`.')
  return undefined
}

/** True for a public address. Google's own files have addresses too, readable with the account's key. */
function isPublic(uri: string | undefined): boolean {
  if (uri === undefined || !/^https?:\/\//i.test(uri) || !URL.canParse(uri)) return false
  return !/(?:^|\.)generativelanguage\.googleapis\.com\.?$/i.test(new URL(uri).hostname)
}

const toBuffers = (...texts: readonly string[]): readonly Buffer[] => [...texts, '\\u00'].map((text) => Buffer.from(text))
const checkFileMember = (found: FoundMember): RequestRefusal | undefined =>
  found.key === 'file_id' && isText(found) ? buildReferenceRefusal('file_id', 'an uploaded file', FILE) : undefined

const RULES: Readonly<Partial<Record<Dialect, Rules>>> = {
  'openai-responses': {
    words: toBuffers('"id"', '_id"', 'conversation"', '"prompt"', 'container"', '_ids"'),
    into: ['input', 'tools'],
    free: new Set(['parameters', 'schema', 'input_schema', 'annotations', 'results', 'outputs', 'headers', 'filters', 'env', 'arguments']),
    judge: checkResponsesMember,
  },
  'openai-chat': { words: toBuffers('"file_id"', '"audio"'), into: ['messages'], free: new Set(['tool_calls', 'annotations']), judge: checkChatMember },
  'anthropic-messages': {
    words: toBuffers('"file_id"', '"container"', '"user_profile_id"'),
    into: ['messages', 'system', 'container'],
    free: new Set(['input', 'citations']),
    judge: checkMessagesMember,
  },
  'gemini-generate': {
    words: toBuffers('cached', '"fileUri"', '"file_uri"', 'toreNames"', 'tore_names"'),
    into: ['contents', 'systemInstruction', 'system_instruction', 'tools', 'generateContentRequest', 'generate_content_request'],
    free: new Set(['args', 'response', 'parameters', 'parametersJsonSchema', 'parameters_json_schema']),
    judge: checkGeminiMember,
  },
  'gemini-embed': { words: toBuffers('"fileUri"', '"file_uri"'), into: ['content', 'requests'], free: new Set(), judge: checkGeminiMember },
  'openai-image-edits': { words: toBuffers('"file_id"'), into: ['images', 'image', 'mask'], free: new Set(), judge: checkFileMember },
}

const NO_REFERENCES: ObjectReferences = { previous: [], items: [] }

/** References in the body, or the refusal. Every spelling and repetition of a key counts. A body that is not a JSON object has none. */
export function findReferences(body: Buffer, dialect: Dialect): ObjectReferences | RequestRefusal {
  const search = searchReferences(body, dialect)
  for (;;) {
    const { done, value } = search.next()
    if (done === true) return value
  }
}

/** Members and elements checked in one turn of the loop: some milliseconds on a slow core. */
const TURN_LOOKS = 4_096

/** The same for a large body, a part of it per turn. */
export async function findReferencesInTurns(body: Buffer, dialect: Dialect): Promise<ObjectReferences | RequestRefusal> {
  const search = searchReferences(body, dialect)
  let looks = 0
  for (;;) {
    const { done, value } = search.next()
    if (done === true) return value
    looks += value
    if (looks < TURN_LOOKS) continue
    looks = 0
    await nextTurn()
  }
}

/** Yields the checks made since the last step; returns the references found. */
type Search<T> = Generator<number, T, void>

function* searchReferences(body: Buffer, dialect: Dialect): Search<ObjectReferences | RequestRefusal> {
  const rules = RULES[dialect]
  const start = body[0] === 0xef ? 3 : 0
  if (rules === undefined || body[skipSpace(body, start, body.length)] !== OPEN_OBJECT) return NO_REFERENCES
  if (body.length < MAX_SEARCHED_BYTES && !rules.words.some((word) => body.includes(word))) return NO_REFERENCES
  const named: FoundMember['named'] = { previous: [], items: [] }
  return (yield* searchObject({ rules, body, named }, { start, end: body.length }, '', 0)) ?? named
}

interface SearchContext {
  readonly rules: Rules
  readonly body: Buffer
  readonly named: FoundMember['named']
}
type Range = Pick<JsonMember, 'start' | 'end'>

/** Computed on the first call only. */
function memoize<T>(read: () => T): () => T {
  let value: { readonly it: T } | undefined
  return () => (value ??= { it: read() }).it
}

const isContainer = (first: number | undefined): boolean => first === OPEN_OBJECT || first === OPEN_LIST

function* searchObject(at: SearchContext, { start, end }: Range, top: string, depth: number): Search<RequestRefusal | undefined> {
  const { rules, body, named } = at
  const siblings: JsonMember[] = []
  if (scanObject(body, start, end, undefined, siblings) === MALFORMED) return undefined
  yield siblings.length + 1
  const type = memoize(() => typeOf(body, siblings))
  const isRef = memoize(() => isReference(body, siblings, type()))
  for (const value of siblings) {
    const { key } = value
    const inTop = depth === 0 ? key : top
    const problem = rules.judge({ body, key, value, siblings, type, isReference: isRef, top: inTop, depth, named })
    if (problem !== undefined) return problem
    if (depth === 0 ? !rules.into.includes(key) : rules.free.has(key)) continue
    const inside = isContainer(body[value.start]) ? yield* searchValue(at, value, inTop, depth + 1) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}

function* searchValue(at: SearchContext, value: Range, top: string, depth: number): Search<RequestRefusal | undefined> {
  if (depth > MAX_DEPTH) return undefined
  const { body } = at
  const first = body[value.start]
  if (first === OPEN_OBJECT) return yield* searchObject(at, value, top, depth)
  if (first !== OPEN_LIST) return undefined
  for (let next = skipSpace(body, value.start + 1, value.end); next < value.end - 1;) {
    const end = skipValue(body, next, value.end)
    if (end < 0) return undefined
    yield 1
    const problem = isContainer(body[next]) ? yield* searchValue(at, { start: next, end }, top, depth + 1) : undefined
    if (problem !== undefined) return problem
    next = skipSpace(body, end, value.end)
    if (body[next] === COMMA) next = skipSpace(body, next + 1, value.end)
  }
  return undefined
}
