import type { GatewayModel } from '../../deps.ts'
import { MAX_TOOL_USES } from '../billable-options.ts'
import type { JsonMember } from '../../json/scan.ts'
import { createTextBounds } from '../../bounds/bounds.ts'
import type { InputBounds } from '../../bounds/bounds.ts'
import { addPicture, addSound, addUnknownContent } from '../../bounds/inline.ts'
import {
  startsWithText,
  readWholeNumberAt,
  visitElements,
  hasDuplicateKeys,
  readMembers,
  findNamedMember,
  readTopMembers,
  readShortText,
} from '../../bounds/walk.ts'

/**
 * Patches of an image at detail `original` times the highest multiplier, and tiles of gpt-4o-mini.
 * https://developers.openai.com/api/docs/guides/images-vision#calculating-costs
 */
const PICTURE_TOKENS = 16_200
const PICTURE_TOKENS_BY_MODEL: Readonly<Record<string, number>> = { 'gpt-4o-mini': 48_169 }
/** 100 ms per token. https://developers.openai.com/api/docs/guides/realtime-costs */
const SOUND_TOKENS_PER_SECOND = 10
/**
 * Maximum tokens that a search adds: "limited to a context window size of 128,000".
 * https://developers.openai.com/api/docs/guides/tools-web-search
 */
const SEARCH_TOKENS = 128_000
/** Tokens of the vendor's own context about one of its tools. */
const TOOL_TOKENS = 1_000

const TEXT_PARTS = new Set(['text', 'refusal', 'input_text', 'output_text', 'summary_text', 'reasoning_text'])
const PICTURES = new Set(['image_url', 'input_image', 'computer_screenshot'])
const PART = ['type', 'image_url', 'file_id', 'input_audio']
const SOUND = ['data']

/** A part of a message, in chat and in Responses. */
function lookAtPart(body: Buffer, start: number, end: number, into: InputBounds): void {
  const found = readMembers(body, start, end, PART)
  const type = readShortText(body, findNamedMember(found, body, 'type'))
  if (hasDuplicateKeys(found)) return addUnknownContent(into)
  if (TEXT_PARTS.has(type)) return
  if (PICTURES.has(type)) return addPicture(into, findInlinePicture(body, findNamedMember(found, body, 'image_url')))
  const heard = type === 'input_audio' ? findNamedMember(found, body, 'input_audio') : undefined
  const data = heard === undefined ? undefined : findSound(body, heard)
  if (data === undefined) addUnknownContent(into)
  else addSound(into, body, data, SOUND_TOKENS_PER_SECOND)
}

function findSound(body: Buffer, heard: JsonMember): JsonMember | undefined {
  const found = readMembers(body, heard.start, heard.end, SOUND)
  return found.length === 1 ? found[0] : undefined
}

/** The data URL, which chat nests in an object; undefined for a URL that the vendor fetches. */
function findInlinePicture(body: Buffer, at: JsonMember | undefined): JsonMember | undefined {
  const found = at === undefined || body[at.start] === 34 ? at : readMembers(body, at.start, at.end, ['url'])
  const url = Array.isArray(found) ? (found.length === 1 ? found[0] : undefined) : found
  return url !== undefined && startsWithText(body, url, 'data:image/') ? url : undefined
}

const pictureTokens = (model: Pick<GatewayModel, 'id'>): number => PICTURE_TOKENS_BY_MODEL[model.id] ?? PICTURE_TOKENS

const CHAT = ['messages', 'tools', 'web_search_options']
const MESSAGE = ['content', 'audio']

/** Chat Completions. */
export function computeChatBounds(body: Buffer, model: Pick<GatewayModel, 'id'>): InputBounds {
  const into = createTextBounds(body, pictureTokens(model))
  const found = readTopMembers(body, CHAT)
  for (const one of found) if (one.key === 'messages') visitElements(body, one, lookAtMessage, into)
  if (findNamedMember(found, body, 'tools') !== undefined) into.media += TOOL_TOKENS
  if (findNamedMember(found, body, 'web_search_options') !== undefined) into.added += SEARCH_TOKENS
  return into
}

/** An earlier audio answer is referenced only by its id. */
function lookAtMessage(body: Buffer, start: number, end: number, into: InputBounds): void {
  const found = readMembers(body, start, end, MESSAGE)
  if (hasDuplicateKeys(found) || findNamedMember(found, body, 'audio') !== undefined) addUnknownContent(into)
  visitElements(body, findNamedMember(found, body, 'content'), lookAtPart, into)
}

const RESPONSE = ['input', 'tools', 'previous_response_id', 'conversation', 'prompt', 'max_tool_calls', 'context_management']
const ITEM = ['type', 'role', 'content', 'output', 'result', 'tools', 'id', 'encrypted_content']
/** Items that are complete in their bytes; others refer to content at the vendor. */
const PLAIN_ITEMS =
  /^(?:message|reasoning|compaction|(?:function|custom_tool|local_shell|shell|apply_patch|computer)_call(?:_output)?|mcp_(?:call|list_tools|approval_re(?:quest|sponse))|tool_search_(?:call|output)|additional_tools)$/
const RESULTS = /^(?:function|custom_tool|computer)_call_output$/
/** Tools that the client runs itself. */
const CLIENT_TOOLS = /^(?:function|custom|namespace|local_shell|shell|apply_patch|computer(?:_use_preview)?)$/
/**
 * Tokens that one use of a tool adds to the context: none for tool search, whose tools are in the request; an image for image generation.
 */
const getTokensPerToolUse = (type: string, into: InputBounds): number =>
  type.startsWith('web_search') ? SEARCH_TOKENS : type === 'tool_search' ? 0 : type === 'image_generation' ? into.picture * into.rounds : Infinity

/** Responses. */
export function computeResponsesBounds(body: Buffer, model: Pick<GatewayModel, 'id'>): InputBounds {
  const into = createTextBounds(body, pictureTokens(model))
  const found = readTopMembers(body, RESPONSE)
  const limits = found.filter((one) => one.key === 'max_tool_calls')
  const limit = limits.length === 1 ? readWholeNumberAt(body, limits[0]) : undefined
  into.rounds = limit ?? MAX_TOOL_USES
  for (const one of found) {
    if (one.key === 'input') visitElements(body, one, lookAtItem, into)
    else if (one.key === 'tools') lookAtTools(body, one, into)
    else if (one.key === 'previous_response_id' || one.key === 'conversation' || one.key === 'prompt') {
      if (findNamedMember([one], body, one.key) !== undefined) addUnknownContent(into)
    }
  }
  into.isLoose = into.reads > 1 && limit === undefined
  // Compaction is a separate step over the whole context.
  if (findNamedMember(found, body, 'context_management') !== undefined) into.reads++
  return into
}

const QUOTE = 34
const isFilledText = (body: Buffer, at: JsonMember | undefined): boolean => at !== undefined && body[at.start] === QUOTE && at.end - at.start > 2

function lookAtItem(body: Buffer, start: number, end: number, into: InputBounds): void {
  const found = readMembers(body, start, end, ITEM)
  const type = readShortText(body, findNamedMember(found, body, 'type')) || (findNamedMember(found, body, 'role') === undefined ? '' : 'message')
  if (hasDuplicateKeys(found)) return addUnknownContent(into)
  if (type === 'image_generation_call') return addPicture(into, findNamedMember(found, body, 'result'))
  if (!PLAIN_ITEMS.test(type)) return addUnknownContent(into)
  // A stored reasoning item that is only referenced: the vendor reads all of it.
  if (type === 'reasoning' && findNamedMember(found, body, 'id') !== undefined && !isFilledText(body, findNamedMember(found, body, 'encrypted_content')))
    return addUnknownContent(into)
  const tools = findNamedMember(found, body, 'tools')
  if (tools !== undefined) lookAtTools(body, tools, into)
  visitElements(body, findNamedMember(found, body, 'content'), lookAtPart, into)
  if (RESULTS.test(type)) visitElements(body, findNamedMember(found, body, 'output'), lookAtPart, into)
}

/** Tools of the request, or of an item that adds more. */
function lookAtTools(body: Buffer, tools: JsonMember, into: InputBounds): void {
  const look = (_: Buffer, start: number, end: number): void => {
    const types = readMembers(body, start, end, ['type'])
    const type = types.length === 1 ? readShortText(body, types[0]) : ''
    into.media += TOOL_TOKENS
    if (CLIENT_TOOLS.test(type)) return
    into.reads = 1 + into.rounds
    into.added += getTokensPerToolUse(type, into)
  }
  visitElements(body, tools, look, into)
}

const MAX_TOKENS_PER_REQUEST = 300_000

/**
 * Embeddings: texts, or lists of token numbers. The window applies to each text; all of them together are limited to the documented
 * 300,000. https://platform.openai.com/docs/api-reference/embeddings/create
 */
export function computeEmbeddingBounds(body: Buffer): InputBounds {
  const into = createTextBounds(body)
  const input = readTopMembers(body, ['input'])
  into.windows = Infinity
  const at = input[0]
  const isNumbers = input.length === 1 && body[at!.start] === 91 && !body.subarray(at!.start, at!.end).includes(34)
  if (isNumbers) into.text = countCommas(body, at!) + 1
  into.text = Math.min(into.text, MAX_TOKENS_PER_REQUEST)
  return into
}

function countCommas(body: Buffer, { start, end }: JsonMember): number {
  let commas = 0
  for (let i = start; i < end; i++) if (body[i] === 44) commas++
  return commas
}
