import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import { drop } from '../dropped.ts'
import { effortOf } from '../openai-read.ts'
import type { Ask, Choice, Format, MediaPart, Part, TextPart, Thinking, ThinkingPart, Tool, Turn } from '../form.ts'
import { merged } from '../messages/read.ts'
import { above, flag, has, join, mimeOf, mustText, number, object, objects, only, refuse, text, texts, uncarry, unlessDefault } from '../reading.ts'

const DIALECT = 'gemini-generate'
const KNOWN = new Set(['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings', 'labels', 'model', 'serviceTier'])
/** Without these the answer would be another one. */
const DECISIVE = new Set(['cachedContent', 'modelArmorConfig', 'generationOutputConfig', 'continuationToken'])
const CONFIG_DECISIVE = new Set(['modelSelectionConfig', 'routingConfig', 'responseFormat', 'translationConfig'])
const PART_DECISIVE = new Set(['toolCall', 'toolResponse', 'executableCode', 'codeExecutionResult', 'videoMetadata'])
/** Kinds of a part, exactly one in each. */
const HELD = ['text', 'functionCall', 'functionResponse', 'inlineData', 'fileData'] as const
const PART = new Set(['text', 'thought', 'thoughtSignature', 'functionCall', 'functionResponse', 'inlineData', 'fileData'])
const CONFIG = new Set([
  ...['temperature', 'topP', 'topK', 'seed', 'maxOutputTokens', 'stopSequences', 'candidateCount', 'presencePenalty', 'frequencyPenalty'],
  ...['responseMimeType', 'responseSchema', 'responseJsonSchema', 'thinkingConfig', 'responseModalities', 'responseLogprobs', 'logprobs'],
])

/** proto3 JSON takes every name in camelCase and in snake_case; here it is camelCase from the start, but not inside schemas and arguments. */
function camel(raw: Raw): Raw {
  const names = Object.keys(raw)
  if (!names.some((name) => name.includes('_'))) return raw
  return Object.fromEntries(names.map((name) => [name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), raw[name]]))
}

const inner = (raw: Raw, key: string, where: string): Raw | undefined => {
  const value = object(raw, key, where)
  return value && camel(value)
}
const many = (raw: Raw, key: string, where: string): readonly Raw[] => (isRaw(raw[key]) ? [raw[key]] : objects(raw, key, where)).map(camel)

export function readGeminiAsk(given: Raw, stream: boolean): Ask {
  const body = camel(given)
  only(body, '', KNOWN, DECISIVE)
  const tier = text(body, 'serviceTier', '')?.toLowerCase()
  if (tier !== undefined && tier !== 'standard' && tier !== 'unspecified') {
    if (tier !== 'priority') refuse('serviceTier')
    drop('serviceTier')
  }
  const config = inner(body, 'generationConfig', '') ?? {}
  const where = 'generationConfig'
  only(config, where, CONFIG, CONFIG_DECISIVE)
  if (texts(config, 'responseModalities', where).some((modality) => modality.toUpperCase() !== 'TEXT')) refuse('generationConfig.responseModalities')
  // A filter that is off needs nothing elsewhere; of those that are on each vendor has its own.
  if (objects(body, 'safetySettings', '').some((one) => one['threshold'] !== 'BLOCK_NONE' && one['threshold'] !== 'OFF')) drop('safetySettings')
  const contents = many(body, 'contents', '')
  if (contents.length === 0) refuse('contents', 'must not be empty')
  const system = inner(body, 'systemInstruction', '')
  const ids: Ids = { waiting: [], answered: new Map(), serial: 0 }
  return {
    stream,
    system: system === undefined ? [] : many(system, 'parts', 'systemInstruction').map((part, at) => textOf(part, `systemInstruction.parts[${at}]`)),
    turns: merged(contents.map((content, at) => turnOf(content, `contents[${at}]`, ids))),
    tools: many(body, 'tools', '').flatMap(toolsOf),
    choice: choiceOf(inner(body, 'toolConfig', '')),
    parallel: undefined,
    maxTokens: above(1, number(config, 'maxOutputTokens', where)),
    stops: texts(config, 'stopSequences', where),
    settings: {
      // The defaults that its models name themselves. https://ai.google.dev/api/models#Model
      temperature: unlessDefault(number(config, 'temperature', where), 1),
      topP: unlessDefault(above(0, number(config, 'topP', where)), 0.95),
      topK: unlessDefault(above(1, number(config, 'topK', where)), 64),
      seed: number(config, 'seed', where),
      presencePenalty: number(config, 'presencePenalty', where) || undefined,
      frequencyPenalty: number(config, 'frequencyPenalty', where) || undefined,
    },
    format: formatOf(config),
    thinking: thinkingOf(inner(config, 'thinkingConfig', where)),
    copies: number(config, 'candidateCount', where) ?? 1,
    logprobs: flag(config, 'responseLogprobs', where) === true ? { top: number(config, 'logprobs', where) } : undefined,
    at: {
      temperature: `${where}.temperature`,
      topP: `${where}.topP`,
      topK: `${where}.topK`,
      seed: `${where}.seed`,
      presencePenalty: `${where}.presencePenalty`,
      frequencyPenalty: `${where}.frequencyPenalty`,
      choice: 'toolConfig.functionCallingConfig',
      parallel: 'toolConfig',
      stops: `${where}.stopSequences`,
      format: `${where}.responseMimeType`,
      thinking: `${where}.thinkingConfig`,
      copies: `${where}.candidateCount`,
      logprobs: `${where}.responseLogprobs`,
    },
  }
}

/** Calls may come without ids: results then belong to the oldest open call of their name. */
interface Ids {
  waiting: { readonly id: string; readonly name: string }[]
  /** Results by the ids of their calls. */
  readonly answered: Map<string, string>
  serial: number
}

function turnOf(content: Raw, where: string, ids: Ids): Turn {
  only(content, where, new Set(['role', 'parts']))
  const role =
    content['role'] === 'model' || content['role'] === 'assistant'
      ? 'assistant'
      : content['role'] === 'system'
        ? 'system'
        : content['role'] === undefined || content['role'] === 'user' || content['role'] === 'function'
          ? 'user'
          : undefined
  if (role === undefined) return refuse(`${where}.role`)
  const parts = many(content, 'parts', where).flatMap((part, at) => partOf(part, `${where}.parts[${at}]`, ids))
  return { role, at: `${where}.role`, parts: joinThoughts(parts) }
}

/** A streamed thought comes in pieces, its signature last. */
function joinThoughts(parts: readonly Part[]): Part[] {
  const whole: Part[] = []
  for (const part of parts) {
    const before = whole.at(-1)
    if (part.kind === 'thinking' && before?.kind === 'thinking' && before.seal === undefined)
      whole[whole.length - 1] = { ...before, text: before.text + part.text, seal: part.seal }
    else whole.push(part)
  }
  return whole
}

function textOf(part: Raw, at: string): TextPart {
  return { kind: 'text', text: mustText(part, 'text', at), at }
}

function partOf(part: Raw, at: string, ids: Ids): Part[] {
  only(part, at, PART, PART_DECISIVE)
  const held = HELD.filter((key) => has(part, key) && part[key] !== '')
  if (held.length > 1) refuse(`${at}.${held[1]}`, `cannot stand beside \`${held[0]}\` in one part`)
  const signature = text(part, 'thoughtSignature', at) ?? ''
  const seal = signature === '' ? undefined : uncarry(signature, DIALECT)
  if (flag(part, 'thought', at) === true) return [{ kind: 'thinking', at, text: text(part, 'text', at) ?? '', seal }]
  const call = inner(part, 'functionCall', at)
  if (call !== undefined) {
    const name = mustText(call, 'name', `${at}.functionCall`)
    const id = text(call, 'id', `${at}.functionCall`) ?? `call_${ids.serial++}`
    ids.waiting.push({ id, name })
    const args = object(call, 'args', `${at}.functionCall`) ?? {}
    const own = seal?.from === DIALECT
    const lost: ThinkingPart[] = seal === undefined || own ? [] : [{ kind: 'thinking', at, text: '', seal }]
    return [...lost, { kind: 'call', at, id, name, args: JSON.stringify(args), seal: own ? seal : undefined }]
  }
  const response = inner(part, 'functionResponse', at)
  if (response !== undefined) return isRepeated(response, ids) ? [] : [resultOf(response, `${at}.functionResponse`, ids)]
  if (has(part, 'text')) {
    const said = textOf(part, at)
    // A text without words carries a signature alone.
    if (said.text === '') return seal === undefined ? [] : [{ kind: 'thinking', at, text: '', seal }]
    return [{ ...said, seal }]
  }
  return [mediaOf(part, at)]
}

function mediaOf(part: Raw, at: string): MediaPart {
  const inline = inner(part, 'inlineData', at)
  if (inline !== undefined) {
    const mime = mimeOf(mustText(inline, 'mimeType', `${at}.inlineData`))
    return { kind: kindOf(mime, `${at}.inlineData.mimeType`), at, mime, data: mustText(inline, 'data', `${at}.inlineData`), url: undefined }
  }
  const file = inner(part, 'fileData', at)
  if (file === undefined) return refuse(at)
  const url = mustText(file, 'fileUri', `${at}.fileData`)
  if (!/^https?:/.test(url) || url.includes('generativelanguage.googleapis.com')) refuse(`${at}.fileData.fileUri`)
  const mime = text(file, 'mimeType', `${at}.fileData`) ?? refuse(`${at}.fileData.mimeType`, 'is required')
  return { kind: kindOf(mime, `${at}.fileData.mimeType`), at, mime, data: undefined, url }
}

function kindOf(mime: string, at: string): MediaPart['kind'] {
  if (mime.startsWith('image/')) return 'image'
  if (mime.startsWith('audio/')) return 'audio'
  return mime === 'application/pdf' || mime.startsWith('text/') ? 'document' : refuse(at)
}

/** Gemini CLI says every result twice once it resumes a conversation; the vendor takes that, others do not. */
function isRepeated(response: Raw, ids: Ids): boolean {
  return typeof response['id'] === 'string' && ids.answered.get(response['id']) === JSON.stringify(response)
}

function resultOf(response: Raw, at: string, ids: Ids): Part {
  const media = many(response, 'parts', at).map((part, index) => mediaOf(part, `${at}.parts[${index}]`))
  const name = mustText(response, 'name', at)
  const given = text(response, 'id', at)
  const found = ids.waiting.findIndex((call) => (given === undefined ? call.name === name : call.id === given))
  if (found < 0) refuse(at, 'answers no function call before it')
  const [call] = ids.waiting.splice(found, 1)
  if (given !== undefined) ids.answered.set(given, JSON.stringify(response))
  const value = object(response, 'response', at) ?? {}
  const keys = Object.keys(value)
  const only1 = keys.length === 1 ? value[keys[0]!] : undefined
  const isError = keys[0] === 'error' && keys.length === 1
  const plain = typeof only1 === 'string' && ['output', 'result', 'error', 'content'].includes(keys[0]!) ? only1 : JSON.stringify(value)
  return { kind: 'result', at, id: call!.id, name, parts: [{ kind: 'text', text: plain, at }, ...media], isError }
}

function toolsOf(tool: Raw, index: number): Tool[] {
  const where = `tools[${index}]`
  // Tools that the vendor runs are no hints.
  for (const key in tool) if (key !== 'functionDeclarations' && has(tool, key)) refuse(join(where, key))
  return many(tool, 'functionDeclarations', where).map((it, at) => {
    const place = `${where}.functionDeclarations[${at}]`
    return {
      at: place,
      name: mustText(it, 'name', place),
      description: text(it, 'description', place),
      schema: object(it, 'parametersJsonSchema', place) ?? plainSchema(object(it, 'parameters', place) ?? { type: 'object', properties: {} }),
      strict: undefined,
    }
  })
}

function choiceOf(config: Raw | undefined): Choice | undefined {
  const calling = config && inner(config, 'functionCallingConfig', 'toolConfig')
  if (calling === undefined) return undefined
  const where = 'toolConfig.functionCallingConfig'
  const names = texts(calling, 'allowedFunctionNames', where)
  const mode = (text(calling, 'mode', where) ?? 'AUTO').toUpperCase()
  if (mode === 'ANY') return { mode: 'required', names }
  if (mode === 'NONE') return { mode: 'none', names: [] }
  return mode === 'AUTO' || mode === 'MODE_UNSPECIFIED' ? { mode: 'auto', names } : refuse(join(where, 'mode'))
}

function formatOf(config: Raw): Format | undefined {
  const where = 'generationConfig'
  const mime = text(config, 'responseMimeType', where) ?? 'text/plain'
  const json = object(config, 'responseJsonSchema', where)
  const open = object(config, 'responseSchema', where)
  if (mime === 'text/plain') {
    for (const key of ['responseJsonSchema', 'responseSchema']) if (has(config, key)) refuse(`${where}.${key}`, 'needs `responseMimeType` application/json')
    return undefined
  }
  if (mime !== 'application/json') return refuse(`${where}.responseMimeType`)
  if (json === undefined && open === undefined) return { kind: 'json' }
  return { kind: 'schema', name: undefined, schema: json ?? plainSchema(open!), strict: undefined }
}

/** The vendor's older schemas name types in capitals and say `nullable`; the others want JSON Schema. */
function plainSchema(schema: Raw): Raw {
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(camel(schema))) {
    if (key === 'type' && typeof value === 'string') plain[key] = schema['nullable'] === true ? [value.toLowerCase(), 'null'] : value.toLowerCase()
    else if (key === 'nullable' || key === 'propertyOrdering') continue
    else if (key === 'properties' && isRaw(value))
      plain[key] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isRaw(one) ? plainSchema(one) : one]))
    else if (key === 'items' && isRaw(value)) plain[key] = plainSchema(value)
    else if (key === 'anyOf' && Array.isArray(value)) plain[key] = value.map((one: unknown) => (isRaw(one) ? plainSchema(one) : one))
    else if (/^(?:min|max)(?:Items|Length|Properties)$/.test(key)) plain[key] = Number(value)
    else plain[key] = value
  }
  return plain
}

function thinkingOf(config: Raw | undefined): Thinking | undefined {
  if (config === undefined) return undefined
  const where = 'generationConfig.thinkingConfig'
  const budget = number(config, 'thinkingBudget', where)
  const effort = effortOf(config, 'thinkingLevel', where)
  const shown = flag(config, 'includeThoughts', where) === true
  if (budget === 0) return { effort: 'none', budget: undefined, shown: false }
  return { effort, budget: budget !== undefined && budget > 0 ? budget : undefined, shown }
}
