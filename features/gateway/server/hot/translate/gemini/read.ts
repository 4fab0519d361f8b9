import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import { dropField } from '../dropped.ts'
import { readEffort } from '../openai-read.ts'
import type { NeutralRequest, ToolChoice, Format, MediaPart, MessagePart, MessageTextPart, Thinking, ThinkingPart, Tool, ConversationTurn } from '../form.ts'
import { mergeTurns } from '../messages/read.ts'
import {
  omitBelow,
  readOptionalFlag,
  hasValue,
  joinFieldPath,
  normalizeMime,
  readRequiredText,
  readOptionalNumber,
  readOptionalObject,
  readObjectList,
  checkKnownMembers,
  rejectField,
  readOptionalText,
  readTextList,
  unwrapSeal,
  omitDefault,
} from '../reading.ts'

const DIALECT = 'gemini-generate'
const KNOWN = new Set(['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings', 'labels', 'model', 'serviceTier'])
/** Fields that would change the answer. */
const DECISIVE = new Set(['cachedContent', 'modelArmorConfig', 'generationOutputConfig', 'continuationToken'])
const CONFIG_DECISIVE = new Set(['modelSelectionConfig', 'routingConfig', 'responseFormat', 'translationConfig'])
const PART_DECISIVE = new Set(['toolCall', 'toolResponse', 'executableCode', 'codeExecutionResult', 'videoMetadata'])
/** Kinds of a part, of which each has exactly one. */
const PART_KINDS = ['text', 'functionCall', 'functionResponse', 'inlineData', 'fileData'] as const
const PART = new Set(['text', 'thought', 'thoughtSignature', 'functionCall', 'functionResponse', 'inlineData', 'fileData'])
const CONFIG = new Set([
  ...['temperature', 'topP', 'topK', 'seed', 'maxOutputTokens', 'stopSequences', 'candidateCount', 'presencePenalty', 'frequencyPenalty'],
  ...['responseMimeType', 'responseSchema', 'responseJsonSchema', 'thinkingConfig', 'responseModalities', 'responseLogprobs', 'logprobs'],
])

/**
 * proto3 JSON accepts every name in camelCase and in snake_case; names are converted to camelCase at the start, except inside schemas and
 * arguments.
 */
function camelizeKeys(raw: Raw): Raw {
  const names = Object.keys(raw)
  if (!names.some((name) => name.includes('_'))) return raw
  return Object.fromEntries(names.map((name) => [name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), raw[name]]))
}

const inner = (raw: Raw, key: string, where: string): Raw | undefined => {
  const value = readOptionalObject(raw, key, where)
  return value && camelizeKeys(value)
}
const readMany = (raw: Raw, key: string, where: string): readonly Raw[] => (isRaw(raw[key]) ? [raw[key]] : readObjectList(raw, key, where)).map(camelizeKeys)

export function readGeminiRequest(given: Raw, stream: boolean): NeutralRequest {
  const body = camelizeKeys(given)
  checkKnownMembers(body, '', KNOWN, DECISIVE)
  const tier = readOptionalText(body, 'serviceTier', '')?.toLowerCase()
  if (tier !== undefined && tier !== 'standard' && tier !== 'unspecified') {
    if (tier !== 'priority') rejectField('serviceTier')
    dropField('serviceTier')
  }
  const config = inner(body, 'generationConfig', '') ?? {}
  const where = 'generationConfig'
  checkKnownMembers(config, where, CONFIG, CONFIG_DECISIVE)
  if (readTextList(config, 'responseModalities', where).some((modality) => modality.toUpperCase() !== 'TEXT'))
    rejectField('generationConfig.responseModalities')
  // A disabled filter needs no equivalent; each vendor has its own enabled ones.
  if (readObjectList(body, 'safetySettings', '').some((one) => one['threshold'] !== 'BLOCK_NONE' && one['threshold'] !== 'OFF')) dropField('safetySettings')
  const contents = readMany(body, 'contents', '')
  if (contents.length === 0) rejectField('contents', 'must not be empty')
  const system = inner(body, 'systemInstruction', '')
  const ids: CallIds = { waiting: [], answered: new Map(), serial: 0 }
  return {
    stream,
    system: system === undefined ? [] : readMany(system, 'parts', 'systemInstruction').map((part, at) => textOf(part, `systemInstruction.parts[${at}]`)),
    turns: mergeTurns(contents.map((content, at) => turnOf(content, `contents[${at}]`, ids))),
    tools: readMany(body, 'tools', '').flatMap(toolsOf),
    choice: choiceOf(inner(body, 'toolConfig', '')),
    parallel: undefined,
    maxTokens: omitBelow(1, readOptionalNumber(config, 'maxOutputTokens', where)),
    stops: readTextList(config, 'stopSequences', where),
    settings: {
      // Defaults that its models report themselves. https://ai.google.dev/api/models#Model
      temperature: omitDefault(readOptionalNumber(config, 'temperature', where), 1),
      topP: omitDefault(omitBelow(0, readOptionalNumber(config, 'topP', where)), 0.95),
      topK: omitDefault(omitBelow(1, readOptionalNumber(config, 'topK', where)), 64),
      seed: readOptionalNumber(config, 'seed', where),
      presencePenalty: readOptionalNumber(config, 'presencePenalty', where) || undefined,
      frequencyPenalty: readOptionalNumber(config, 'frequencyPenalty', where) || undefined,
    },
    format: formatOf(config),
    thinking: thinkingOf(inner(config, 'thinkingConfig', where)),
    copies: readOptionalNumber(config, 'candidateCount', where) ?? 1,
    logprobs: readOptionalFlag(config, 'responseLogprobs', where) === true ? { top: readOptionalNumber(config, 'logprobs', where) } : undefined,
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
interface CallIds {
  waiting: { readonly id: string; readonly name: string }[]
  /** Results by the ids of their calls. */
  readonly answered: Map<string, string>
  serial: number
}

function turnOf(content: Raw, where: string, ids: CallIds): ConversationTurn {
  checkKnownMembers(content, where, new Set(['role', 'parts']))
  const role =
    content['role'] === 'model' || content['role'] === 'assistant'
      ? 'assistant'
      : content['role'] === 'system'
        ? 'system'
        : content['role'] === undefined || content['role'] === 'user' || content['role'] === 'function'
          ? 'user'
          : undefined
  if (role === undefined) return rejectField(`${where}.role`)
  const parts = readMany(content, 'parts', where).flatMap((part, at) => partOf(part, `${where}.parts[${at}]`, ids))
  return { role, at: `${where}.role`, parts: joinThoughts(parts) }
}

/** A streamed thought comes in pieces, with its signature last. */
function joinThoughts(parts: readonly MessagePart[]): MessagePart[] {
  const whole: MessagePart[] = []
  for (const part of parts) {
    const before = whole.at(-1)
    if (part.kind === 'thinking' && before?.kind === 'thinking' && before.seal === undefined)
      whole[whole.length - 1] = { ...before, text: before.text + part.text, seal: part.seal }
    else whole.push(part)
  }
  return whole
}

function textOf(part: Raw, at: string): MessageTextPart {
  return { kind: 'text', text: readRequiredText(part, 'text', at), at }
}

function partOf(part: Raw, at: string, ids: CallIds): MessagePart[] {
  checkKnownMembers(part, at, PART, PART_DECISIVE)
  const held = PART_KINDS.filter((key) => hasValue(part, key) && part[key] !== '')
  if (held.length > 1) rejectField(`${at}.${held[1]}`, `cannot stand beside \`${held[0]}\` in one part`)
  const signature = readOptionalText(part, 'thoughtSignature', at) ?? ''
  const seal = signature === '' ? undefined : unwrapSeal(signature, DIALECT)
  if (readOptionalFlag(part, 'thought', at) === true) return [{ kind: 'thinking', at, text: readOptionalText(part, 'text', at) ?? '', seal }]
  const call = inner(part, 'functionCall', at)
  if (call !== undefined) {
    const name = readRequiredText(call, 'name', `${at}.functionCall`)
    const id = readOptionalText(call, 'id', `${at}.functionCall`) ?? `call_${ids.serial++}`
    ids.waiting.push({ id, name })
    const args = readOptionalObject(call, 'args', `${at}.functionCall`) ?? {}
    const own = seal?.from === DIALECT
    const lost: ThinkingPart[] = seal === undefined || own ? [] : [{ kind: 'thinking', at, text: '', seal }]
    return [...lost, { kind: 'call', at, id, name, args: JSON.stringify(args), seal: own ? seal : undefined }]
  }
  const response = inner(part, 'functionResponse', at)
  if (response !== undefined) return isRepeated(response, ids) ? [] : [resultOf(response, `${at}.functionResponse`, ids)]
  if (hasValue(part, 'text')) {
    const said = textOf(part, at)
    // An empty text carries only a signature.
    if (said.text === '') return seal === undefined ? [] : [{ kind: 'thinking', at, text: '', seal }]
    return [{ ...said, seal }]
  }
  return [mediaOf(part, at)]
}

function mediaOf(part: Raw, at: string): MediaPart {
  const inline = inner(part, 'inlineData', at)
  if (inline !== undefined) {
    const mime = normalizeMime(readRequiredText(inline, 'mimeType', `${at}.inlineData`))
    return { kind: kindOf(mime, `${at}.inlineData.mimeType`), at, mime, data: readRequiredText(inline, 'data', `${at}.inlineData`), url: undefined }
  }
  const file = inner(part, 'fileData', at)
  if (file === undefined) return rejectField(at)
  const url = readRequiredText(file, 'fileUri', `${at}.fileData`)
  if (!/^https?:/.test(url) || url.includes('generativelanguage.googleapis.com')) rejectField(`${at}.fileData.fileUri`)
  const mime = readOptionalText(file, 'mimeType', `${at}.fileData`) ?? rejectField(`${at}.fileData.mimeType`, 'is required')
  return { kind: kindOf(mime, `${at}.fileData.mimeType`), at, mime, data: undefined, url }
}

function kindOf(mime: string, at: string): MediaPart['kind'] {
  if (mime.startsWith('image/')) return 'image'
  if (mime.startsWith('audio/')) return 'audio'
  return mime === 'application/pdf' || mime.startsWith('text/') ? 'document' : rejectField(at)
}

/** Gemini CLI repeats every result once it resumes a conversation; the vendor accepts that, others do not. */
function isRepeated(response: Raw, ids: CallIds): boolean {
  return typeof response['id'] === 'string' && ids.answered.get(response['id']) === JSON.stringify(response)
}

function resultOf(response: Raw, at: string, ids: CallIds): MessagePart {
  const media = readMany(response, 'parts', at).map((part, index) => mediaOf(part, `${at}.parts[${index}]`))
  const name = readRequiredText(response, 'name', at)
  const given = readOptionalText(response, 'id', at)
  const found = ids.waiting.findIndex((call) => (given === undefined ? call.name === name : call.id === given))
  if (found < 0) rejectField(at, 'answers no function call before it')
  const [call] = ids.waiting.splice(found, 1)
  if (given !== undefined) ids.answered.set(given, JSON.stringify(response))
  const value = readOptionalObject(response, 'response', at) ?? {}
  const keys = Object.keys(value)
  const only1 = keys.length === 1 ? value[keys[0]!] : undefined
  const isError = keys[0] === 'error' && keys.length === 1
  const plain = typeof only1 === 'string' && ['output', 'result', 'error', 'content'].includes(keys[0]!) ? only1 : JSON.stringify(value)
  return { kind: 'result', at, id: call!.id, name, parts: [{ kind: 'text', text: plain, at }, ...media], isError }
}

function toolsOf(tool: Raw, index: number): Tool[] {
  const where = `tools[${index}]`
  // Tools that the vendor runs are not hints.
  for (const key in tool) if (key !== 'functionDeclarations' && hasValue(tool, key)) rejectField(joinFieldPath(where, key))
  return readMany(tool, 'functionDeclarations', where).map((it, at) => {
    const place = `${where}.functionDeclarations[${at}]`
    return {
      at: place,
      name: readRequiredText(it, 'name', place),
      description: readOptionalText(it, 'description', place),
      schema:
        readOptionalObject(it, 'parametersJsonSchema', place) ?? plainSchema(readOptionalObject(it, 'parameters', place) ?? { type: 'object', properties: {} }),
      strict: undefined,
    }
  })
}

function choiceOf(config: Raw | undefined): ToolChoice | undefined {
  const calling = config && inner(config, 'functionCallingConfig', 'toolConfig')
  if (calling === undefined) return undefined
  const where = 'toolConfig.functionCallingConfig'
  const names = readTextList(calling, 'allowedFunctionNames', where)
  const mode = (readOptionalText(calling, 'mode', where) ?? 'AUTO').toUpperCase()
  if (mode === 'ANY') return { mode: 'required', names }
  if (mode === 'NONE') return { mode: 'none', names: [] }
  return mode === 'AUTO' || mode === 'MODE_UNSPECIFIED' ? { mode: 'auto', names } : rejectField(joinFieldPath(where, 'mode'))
}

function formatOf(config: Raw): Format | undefined {
  const where = 'generationConfig'
  const mime = readOptionalText(config, 'responseMimeType', where) ?? 'text/plain'
  const json = readOptionalObject(config, 'responseJsonSchema', where)
  const open = readOptionalObject(config, 'responseSchema', where)
  if (mime === 'text/plain') {
    for (const key of ['responseJsonSchema', 'responseSchema'])
      if (hasValue(config, key)) rejectField(`${where}.${key}`, 'needs `responseMimeType` application/json')
    return undefined
  }
  if (mime !== 'application/json') return rejectField(`${where}.responseMimeType`)
  if (json === undefined && open === undefined) return { kind: 'json' }
  return { kind: 'schema', name: undefined, schema: json ?? plainSchema(open!), strict: undefined }
}

/** The vendor's older schemas have upper-case types and `nullable`; the others require JSON Schema. */
function plainSchema(schema: Raw): Raw {
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(camelizeKeys(schema))) {
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
  const budget = readOptionalNumber(config, 'thinkingBudget', where)
  const effort = readEffort(config, 'thinkingLevel', where)
  const shown = readOptionalFlag(config, 'includeThoughts', where) === true
  if (budget === 0) return { effort: 'none', budget: undefined, shown: false }
  return { effort, budget: budget !== undefined && budget > 0 ? budget : undefined, shown }
}
