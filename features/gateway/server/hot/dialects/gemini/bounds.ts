import type { Member } from '../../json/scan.ts'
import { textBounds } from '../../bounds/bounds.ts'
import type { Bounds } from '../../bounds/bounds.ts'
import { picture, sound, unknown } from '../../bounds/inline.ts'
import { each, isTwice, members, named, topMembers, wordAt } from '../../bounds/walk.ts'

/** Of one picture, at the highest resolution. https://ai.google.dev/gemini-api/docs/media-resolution */
const PICTURE_TOKENS = 2_560
/** https://ai.google.dev/gemini-api/docs/audio */
const SOUND_TOKENS_A_SECOND = 32
const TOOL_TOKENS = 1_000
/** The prompt, and once more as the prompt of a tool's results. */
const READS_WITH_TOOLS = 2
/** "Code can be regenerated up to five times." https://ai.google.dev/gemini-api/docs/code-execution */
const READS_WITH_CODE = 6

/** Names of content that joins the prompt at the vendor. */
const HIDDEN = ['cachedContent', 'cached_content', 'continuationToken', 'continuation_token']
const BODY = ['contents', 'content', 'systemInstruction', 'system_instruction', 'tools', ...HIDDEN]
const PARTS = ['parts']
const NAMES_A_LOOK = 8
/** Parts whose bytes are all there is to them. Another may name anything. */
const PLAIN_PARTS =
  /^(?:text|thought|thoughtSignature|thought_signature|functionCall|function_call|executableCode|executable_code|codeExecutionResult|code_execution_result|videoMetadata|video_metadata|mediaResolution|media_resolution|partMetadata|part_metadata)$/
const PICTURES = /^image\/(?:png|jpe?g|webp|heic|heif)$/
const SOUNDS = /^audio\//
const CLIENT_TOOLS = /^(?:functionDeclarations|function_declarations|computerUse|computer_use)$/
const CODE = /^(?:codeExecution|code_execution)$/

/** generateContent and embedContent, in proto3 JSON's two spellings. */
export function geminiBounds(body: Buffer): Bounds {
  const into = textBounds(body, PICTURE_TOKENS)
  const found = topMembers(body, BODY)
  for (const one of found) {
    if (one.key === 'tools') each(body, one, lookAtTool, into)
    else if (HIDDEN.includes(one.key)) unknown(into)
    else each(body, one, lookAtContent, into)
  }
  return into
}

function lookAtContent(body: Buffer, start: number, end: number, into: Bounds): void {
  for (const parts of members(body, start, end, PARTS)) each(body, parts, lookAtPart, into)
}

function lookAtPart(body: Buffer, start: number, end: number, into: Bounds): void {
  const found = members(body, start, end)
  // A part has two or three; one of thousands takes as long as many parts.
  into.looks -= Math.floor(found.length / NAMES_A_LOOK)
  for (const one of found) {
    if (PLAIN_PARTS.test(one.key)) continue
    if (one.key === 'inlineData' || one.key === 'inline_data') lookAtInline(body, one, into)
    else if (one.key === 'functionResponse' || one.key === 'function_response') lookAtContent(body, one.start, one.end, into)
    else unknown(into)
  }
}

function lookAtInline(body: Buffer, range: Member, into: Bounds): void {
  if (body[range.start] !== 123) return unknown(into)
  const found = members(body, range.start, range.end, ['mimeType', 'mime_type', 'data'])
  const type = wordAt(body, named(found, body, 'mimeType', 'mime_type')).toLowerCase()
  const data = named(found, body, 'data')
  if (data === undefined || isTwice(found) || found.length > 2) return unknown(into)
  if (PICTURES.test(type)) picture(into, data)
  else if (SOUNDS.test(type)) sound(into, body, data, SOUND_TOKENS_A_SECOND)
  // Letters in base64 are fewer bytes than they stand here for.
  else if (!type.startsWith('text/')) unknown(into)
}

function lookAtTool(body: Buffer, start: number, end: number, into: Bounds): void {
  into.media += TOOL_TOKENS
  for (const one of members(body, start, end)) {
    if (CLIENT_TOOLS.test(one.key)) continue
    unknown(into)
    into.reads = Math.max(into.reads, CODE.test(one.key) ? READS_WITH_CODE : READS_WITH_TOOLS)
  }
}
