import { addText } from '../../usage/estimate.ts'
import type { Tally } from '../../usage/estimate.ts'
import { NO_USAGE, readTokenCount, isRaw, isSaneUsage, takeAtMost } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { UsageContext, DialectRules, StreamMeter, EventVerdict } from '../dialect.ts'
import { readGeminiFacts } from '../facts.ts'
import { readGeminiExtras, readGrounding } from './usage-extras.ts'
import { parseEventJson, parseEventObject, isErrorEvent, findJsonStart, findLastEventStart } from '../sse.ts'
import { skipValue } from '../../json/scan.ts'
import type { JsonMember } from '../../json/scan.ts'
import { setGeminiCap } from '../write-member.ts'
import { createTextBounds } from '../../bounds/bounds.ts'
import type { InputBounds } from '../../bounds/bounds.ts'
import { addPicture, addSound, addUnknownContent } from '../../bounds/inline.ts'
import { visitElements, hasDuplicateKeys, readMembers, findNamedMember, readTopMembers, readShortText } from '../../bounds/walk.ts'

/** Maximum tokens of one image, at the highest resolution. https://ai.google.dev/gemini-api/docs/media-resolution */
const PICTURE_TOKENS = 2_560
/** https://ai.google.dev/gemini-api/docs/audio */
const SOUND_TOKENS_PER_SECOND = 32
const TOOL_TOKENS = 1_000
/** Reads of the prompt: once, and once more as the prompt of a tool's results. */
const READS_WITH_TOOLS = 2
/** "Code can be regenerated up to five times." https://ai.google.dev/gemini-api/docs/code-execution */
const READS_WITH_CODE = 6

/** Names of content that joins the prompt at the vendor. */
const HIDDEN_CONTENT_KEYS = ['cachedContent', 'cached_content', 'continuationToken', 'continuation_token']
const BODY = ['contents', 'content', 'systemInstruction', 'system_instruction', 'tools', ...HIDDEN_CONTENT_KEYS]
const PARTS = ['parts']
const NAMES_PER_LOOK = 8
/** Parts that are complete in their bytes. Other parts may refer to content elsewhere. */
const PLAIN_PARTS =
  /^(?:text|thought|thoughtSignature|thought_signature|functionCall|function_call|executableCode|executable_code|codeExecutionResult|code_execution_result|videoMetadata|video_metadata|mediaResolution|media_resolution|partMetadata|part_metadata)$/
const PICTURES = /^image\/(?:png|jpe?g|webp|heic|heif)$/
const SOUNDS = /^audio\//
const CLIENT_TOOLS = /^(?:functionDeclarations|function_declarations|computerUse|computer_use)$/
const CODE = /^(?:codeExecution|code_execution)$/

/** generateContent and embedContent, in proto3 JSON's two spellings. */
export function computeGeminiBounds(body: Buffer): InputBounds {
  const into = createTextBounds(body, PICTURE_TOKENS)
  const found = readTopMembers(body, BODY)
  for (const one of found) {
    if (one.key === 'tools') visitElements(body, one, lookAtTool, into)
    else if (HIDDEN_CONTENT_KEYS.includes(one.key)) addUnknownContent(into)
    else visitElements(body, one, lookAtContent, into)
  }
  return into
}

function lookAtContent(body: Buffer, start: number, end: number, into: InputBounds): void {
  for (const parts of readMembers(body, start, end, PARTS)) visitElements(body, parts, lookAtPart, into)
}

function lookAtPart(body: Buffer, start: number, end: number, into: InputBounds): void {
  const found = readMembers(body, start, end)
  // A part has two or three members; one with thousands takes as long as many parts.
  into.looks -= Math.floor(found.length / NAMES_PER_LOOK)
  for (const one of found) {
    if (PLAIN_PARTS.test(one.key)) continue
    if (one.key === 'inlineData' || one.key === 'inline_data') lookAtInline(body, one, into)
    else if (one.key === 'functionResponse' || one.key === 'function_response') lookAtContent(body, one.start, one.end, into)
    else addUnknownContent(into)
  }
}

function lookAtInline(body: Buffer, range: JsonMember, into: InputBounds): void {
  if (body[range.start] !== 123) return addUnknownContent(into)
  const found = readMembers(body, range.start, range.end, ['mimeType', 'mime_type', 'data'])
  const type = readShortText(body, findNamedMember(found, body, 'mimeType', 'mime_type')).toLowerCase()
  const data = findNamedMember(found, body, 'data')
  if (data === undefined || hasDuplicateKeys(found) || found.length > 2) return addUnknownContent(into)
  if (PICTURES.test(type)) addPicture(into, data)
  else if (SOUNDS.test(type)) addSound(into, body, data, SOUND_TOKENS_PER_SECOND)
  // Base64 text decodes to fewer bytes than its length.
  else if (!type.startsWith('text/')) addUnknownContent(into)
}

function lookAtTool(body: Buffer, start: number, end: number, into: InputBounds): void {
  into.media += TOOL_TOKENS
  for (const one of readMembers(body, start, end)) {
    if (CLIENT_TOOLS.test(one.key)) continue
    addUnknownContent(into)
    into.reads = Math.max(into.reads, CODE.test(one.key) ? READS_WITH_CODE : READS_WITH_TOOLS)
  }
}

const USAGE = Buffer.from('"usageMetadata"')
const FINISH = Buffer.from('"finishReason"')
const BLOCK = Buffer.from('"blockReason"')
const GROUNDING = Buffer.from('"groundingMetadata"')

function matters(events: Buffer, _strip: boolean, meter: StreamMeter): boolean {
  if (events.lastIndexOf(USAGE) >= 0) meter.unread = events
  if (events.indexOf(GROUNDING) >= 0) meter.beside = readGrounding(events, meter.beside)
  if (events.indexOf(FINISH) >= 0 || events.indexOf(BLOCK) >= 0) return true
  const start = findLastEventStart(events)
  const json = events.indexOf(123, start)
  return json >= 0 && isErrorEvent(events.subarray(json))
}

/** The last chunk has a finish reason, but other candidates may continue: hold it until the next chunk or the end. */
function onEvent(event: Buffer, _strip: boolean, meter: StreamMeter): EventVerdict {
  const start = findJsonStart(event)
  if (start >= 0 && isErrorEvent(event.subarray(start))) {
    meter.failed = true
    meter.ended = true
    return 'end'
  }
  if (event.indexOf(FINISH) < 0 && event.indexOf(BLOCK) < 0) return 'pass'
  meter.final = true
  return 'hold'
}

/** The newest usage: every chunk has a running one, and the last counts. */
function rawUsage(meter: StreamMeter): Raw | undefined {
  const events = meter.unread
  if (events === undefined) return undefined
  let raw: Raw | undefined
  for (let from = events.indexOf(123); from >= 0;) {
    const end = skipValue(events, from, events.length)
    if (end < 0) break
    raw = parseEventObject(events.subarray(from, end), 'usageMetadata') ?? raw
    from = events.indexOf(123, end)
  }
  return raw
}

function sumByModality(raw: Raw, key: string, modality: string): number {
  const list = raw[key]
  if (!Array.isArray(list)) return 0
  let tokens = 0
  for (const item of list) if (isRaw(item) && item['modality'] === modality) tokens += readTokenCount(item, 'tokenCount') ?? 0
  return tokens
}

/**
 * The prompt includes cached tokens, but not the tool-use prompt; candidates exclude thoughts (wire.md 7). proto3 JSON omits zeros, so an
 * absent figure is 0 if any is present. https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function parseGeminiUsage(raw: Raw, around?: UsageContext): Usage | undefined {
  const figures = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount', 'totalTokenCount']
  if (!figures.some((key) => key in raw)) return undefined
  const [prompt, candidates, thoughts, toolUse, total] = figures.map((key) => readTokenCount(raw, key) ?? 0) as [number, number, number, number, number]
  const cachedInput = takeAtMost(prompt, readTokenCount(raw, 'cachedContentTokenCount') ?? 0)
  const audio = sumByModality(raw, 'promptTokensDetails', 'AUDIO') - sumByModality(raw, 'cacheTokensDetails', 'AUDIO')
  const audioInput = takeAtMost(prompt - cachedInput, Math.max(0, audio))
  const image = sumByModality(raw, 'promptTokensDetails', 'IMAGE') - sumByModality(raw, 'cacheTokensDetails', 'IMAGE')
  const imageInput = takeAtMost(prompt - cachedInput - audioInput, Math.max(0, image))
  const audioOutput = takeAtMost(candidates, sumByModality(raw, 'candidatesTokensDetails', 'AUDIO'))
  const imageOutput = takeAtMost(candidates - audioOutput, sumByModality(raw, 'candidatesTokensDetails', 'IMAGE'))
  const usage: Usage = {
    ...NO_USAGE,
    input: prompt - cachedInput - audioInput - imageInput + toolUse,
    cachedInput,
    audioInput,
    imageInput,
    output: candidates - audioOutput - imageOutput,
    reasoning: thoughts,
    audioOutput,
    imageOutput,
    mismatch: 'totalTokenCount' in raw && total !== prompt + candidates + thoughts + toolUse,
    ...readGeminiExtras(raw, around),
  }
  return isSaneUsage(usage) && !Number.isNaN(total) ? usage : undefined
}

function tally(event: Buffer, into: Tally): void {
  const json = parseEventJson(event) ?? parseFirstObject(event)
  if (json === undefined) return
  if (isRaw(json['promptFeedback']) && 'blockReason' in json['promptFeedback']) into.finished = true
  const candidates = Array.isArray(json['candidates']) ? json['candidates'] : []
  for (const candidate of candidates) {
    if (!isRaw(candidate)) continue
    if (typeof candidate['finishReason'] === 'string') into.finished = true
    const content = isRaw(candidate['content']) ? candidate['content'] : {}
    for (const piece of Array.isArray(content['parts']) ? content['parts'] : []) {
      if (!isRaw(piece)) continue
      addText(into, piece['text'], piece['thought'] === true)
      if ('functionCall' in piece) addText(into, JSON.stringify(piece['functionCall']))
    }
  }
}

/** An element of a JSON array stream, with its comma. */
function parseFirstObject(event: Buffer): Raw | undefined {
  const start = findJsonStart(event)
  const end = start < 0 ? -1 : skipValue(event, start, event.length)
  return end < 0 ? undefined : parseEventJson(event.subarray(start, end))
}

function buildCutEvent(message: string): Buffer {
  return Buffer.from(`data: ${JSON.stringify({ error: { code: 503, message, status: 'UNAVAILABLE' } })}\n\n`)
}

/** Tuned models have a separate collection: `/v1beta/tunedModels/x:generateContent`. */
function buildGeminiPath(model: string, method: string): string {
  const name = model.split('/').map(encodeURIComponent).join('/')
  return model.startsWith('tunedModels/') ? `/v1beta/${name}:${method}` : `/v1beta/models/${name}:${method}`
}

/** No `event:` line, no [DONE], keepalives in separate blocks (wire.md 5). */
export const geminiGenerateDialect: DialectRules = {
  id: 'gemini-generate',
  surface: 'gemini',
  endpoint: '/v1beta/models/{model}:generateContent',
  upstreamPath: buildGeminiPath,
  readFacts: (body, model, method) => readGeminiFacts(body, model, method === 'streamGenerateContent'),
  usageKey: 'usageMetadata',
  usageOf: parseGeminiUsage,
  bounds: computeGeminiBounds,
  // Thoughts are within it: https://github.com/googleapis/python-genai/issues/2062
  withCap: setGeminiCap,
  besideKeys: ['candidates'],
  besideOf: (answer) => readGrounding(answer, undefined),
  stream: { matters, onEvent, tally, rawUsage, keepalive: Buffer.from(': keepalive\n\n'), cut: buildCutEvent },
}

export const geminiEmbedDialect: DialectRules = {
  id: 'gemini-embed',
  surface: 'gemini',
  endpoint: '/v1beta/models/{model}:embedContent',
  upstreamPath: buildGeminiPath,
  readFacts: (body, model) => readGeminiFacts(body, model, false),
  usageKey: 'usageMetadata',
  usageOf: parseGeminiUsage,
  bounds: computeGeminiBounds,
  stream: undefined,
}
