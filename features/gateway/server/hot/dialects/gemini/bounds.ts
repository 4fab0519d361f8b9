import type { JsonMember } from '../../json/scan.ts'
import { createTextBounds } from '../../bounds/bounds.ts'
import type { InputBounds } from '../../bounds/bounds.ts'
import { addPicture, addSound, addUnknownContent } from '../../bounds/inline.ts'
import { visitElements, hasDuplicateKeys, readMembers, findNamedMember, readTopMembers, readShortText } from '../../bounds/walk.ts'

/** Of one picture, at the highest resolution. https://ai.google.dev/gemini-api/docs/media-resolution */
const PICTURE_TOKENS = 2_560
/** https://ai.google.dev/gemini-api/docs/audio */
const SOUND_TOKENS_PER_SECOND = 32
const TOOL_TOKENS = 1_000
/** The prompt, and once more as the prompt of a tool's results. */
const READS_WITH_TOOLS = 2
/** "Code can be regenerated up to five times." https://ai.google.dev/gemini-api/docs/code-execution */
const READS_WITH_CODE = 6

/** Names of content that joins the prompt at the vendor. */
const HIDDEN_CONTENT_KEYS = ['cachedContent', 'cached_content', 'continuationToken', 'continuation_token']
const BODY = ['contents', 'content', 'systemInstruction', 'system_instruction', 'tools', ...HIDDEN_CONTENT_KEYS]
const PARTS = ['parts']
const NAMES_PER_LOOK = 8
/** Parts whose bytes are all there is to them. Another may name anything. */
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
  // A part has two or three; one of thousands takes as long as many parts.
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
  // Letters in base64 are fewer bytes than they stand here for.
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
