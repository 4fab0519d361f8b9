import type { Model } from '../../deps.ts'
import { MOST_TOOL_USES } from '../asks.ts'
import type { Member } from '../../json/scan.ts'
import { textBounds } from '../../bounds/bounds.ts'
import type { Bounds } from '../../bounds/bounds.ts'
import { picture, sound, unknown } from '../../bounds/inline.ts'
import { beginsWith, countAt, each, isTwice, members, named, topMembers, wordAt } from '../../bounds/walk.ts'

/**
 * Patches of a picture at detail `original` times the highest multiplier, and tiles of gpt-4o-mini.
 * https://developers.openai.com/api/docs/guides/images-vision#calculating-costs
 */
const PICTURE_TOKENS = 16_200
const DEARER_PICTURES: Readonly<Record<string, number>> = { 'gpt-4o-mini': 48_169 }
/** 100 ms a token. https://developers.openai.com/api/docs/guides/realtime-costs */
const SOUND_TOKENS_A_SECOND = 10
/** The most that a search adds: "limited to a context window size of 128,000". https://developers.openai.com/api/docs/guides/tools-web-search */
const SEARCH_TOKENS = 128_000
/** The words that the vendor writes into the context about a tool of its own. */
const TOOL_TOKENS = 1_000

const TEXT_PARTS = new Set(['text', 'refusal', 'input_text', 'output_text', 'summary_text', 'reasoning_text'])
const PICTURES = new Set(['image_url', 'input_image', 'computer_screenshot'])
const PART = ['type', 'image_url', 'file_id', 'input_audio']
const SOUND = ['data']

/** A part of a message, in chat and in Responses. */
function lookAtPart(body: Buffer, start: number, end: number, into: Bounds): void {
  const found = members(body, start, end, PART)
  const type = wordAt(body, named(found, body, 'type'))
  if (isTwice(found)) return unknown(into)
  if (TEXT_PARTS.has(type)) return
  if (PICTURES.has(type)) return picture(into, inlinePicture(body, named(found, body, 'image_url')))
  const heard = type === 'input_audio' ? named(found, body, 'input_audio') : undefined
  const data = heard === undefined ? undefined : soundIn(body, heard)
  if (data === undefined) unknown(into)
  else sound(into, body, data, SOUND_TOKENS_A_SECOND)
}

function soundIn(body: Buffer, heard: Member): Member | undefined {
  const found = members(body, heard.start, heard.end, SOUND)
  return found.length === 1 ? found[0] : undefined
}

/** The data URL, in chat within an object; undefined for one that the vendor fetches. */
function inlinePicture(body: Buffer, at: Member | undefined): Member | undefined {
  const found = at === undefined || body[at.start] === 34 ? at : members(body, at.start, at.end, ['url'])
  const url = Array.isArray(found) ? (found.length === 1 ? found[0] : undefined) : found
  return url !== undefined && beginsWith(body, url, 'data:image/') ? url : undefined
}

const pictureTokens = (model: Pick<Model, 'id'>): number => DEARER_PICTURES[model.id] ?? PICTURE_TOKENS

const CHAT = ['messages', 'tools', 'web_search_options']
const MESSAGE = ['content', 'audio']

/** Chat Completions. */
export function chatBounds(body: Buffer, model: Pick<Model, 'id'>): Bounds {
  const into = textBounds(body, pictureTokens(model))
  const found = topMembers(body, CHAT)
  for (const one of found) if (one.key === 'messages') each(body, one, lookAtMessage, into)
  if (named(found, body, 'tools') !== undefined) into.media += TOOL_TOKENS
  if (named(found, body, 'web_search_options') !== undefined) into.added += SEARCH_TOKENS
  return into
}

/** An earlier answer in sound is only named, by its id. */
function lookAtMessage(body: Buffer, start: number, end: number, into: Bounds): void {
  const found = members(body, start, end, MESSAGE)
  if (isTwice(found) || named(found, body, 'audio') !== undefined) unknown(into)
  each(body, named(found, body, 'content'), lookAtPart, into)
}

const RESPONSE = ['input', 'tools', 'previous_response_id', 'conversation', 'prompt', 'max_tool_calls', 'context_management']
const ITEM = ['type', 'role', 'content', 'output', 'result', 'tools', 'id', 'encrypted_content']
/** Items that are complete in their bytes; others refer to content at the vendor. */
const PLAIN_ITEMS =
  /^(?:message|reasoning|compaction|(?:function|custom_tool|local_shell|shell|apply_patch|computer)_call(?:_output)?|mcp_(?:call|list_tools|approval_re(?:quest|sponse))|tool_search_(?:call|output)|additional_tools)$/
const RESULTS = /^(?:function|custom_tool|computer)_call_output$/
/** Tools that the client runs itself. */
const CLIENT_TOOLS = /^(?:function|custom|namespace|local_shell|shell|apply_patch|computer(?:_use_preview)?)$/
/** Tokens that one use of a tool adds to the context: none for tool search, whose tools are in the request; a picture for image generation. */
const addedBy = (type: string, into: Bounds): number =>
  type.startsWith('web_search') ? SEARCH_TOKENS : type === 'tool_search' ? 0 : type === 'image_generation' ? into.picture * into.rounds : Infinity

/** Responses. */
export function responsesBounds(body: Buffer, model: Pick<Model, 'id'>): Bounds {
  const into = textBounds(body, pictureTokens(model))
  const found = topMembers(body, RESPONSE)
  const limits = found.filter((one) => one.key === 'max_tool_calls')
  const limit = limits.length === 1 ? countAt(body, limits[0]) : undefined
  into.rounds = limit ?? MOST_TOOL_USES
  for (const one of found) {
    if (one.key === 'input') each(body, one, lookAtItem, into)
    else if (one.key === 'tools') lookAtTools(body, one, into)
    else if (one.key === 'previous_response_id' || one.key === 'conversation' || one.key === 'prompt') {
      if (named([one], body, one.key) !== undefined) unknown(into)
    }
  }
  into.isLoose = into.reads > 1 && limit === undefined
  // Compaction is a step of its own, over all that there is.
  if (named(found, body, 'context_management') !== undefined) into.reads++
  return into
}

const QUOTE = 34
const isFilledText = (body: Buffer, at: Member | undefined): boolean => at !== undefined && body[at.start] === QUOTE && at.end - at.start > 2

function lookAtItem(body: Buffer, start: number, end: number, into: Bounds): void {
  const found = members(body, start, end, ITEM)
  const type = wordAt(body, named(found, body, 'type')) || (named(found, body, 'role') === undefined ? '' : 'message')
  if (isTwice(found)) return unknown(into)
  if (type === 'image_generation_call') return picture(into, named(found, body, 'result'))
  if (!PLAIN_ITEMS.test(type)) return unknown(into)
  // A stored thought that is only named: the vendor reads all of it.
  if (type === 'reasoning' && named(found, body, 'id') !== undefined && !isFilledText(body, named(found, body, 'encrypted_content'))) return unknown(into)
  const tools = named(found, body, 'tools')
  if (tools !== undefined) lookAtTools(body, tools, into)
  each(body, named(found, body, 'content'), lookAtPart, into)
  if (RESULTS.test(type)) each(body, named(found, body, 'output'), lookAtPart, into)
}

/** Tools of the request, or of an item that brings more. */
function lookAtTools(body: Buffer, tools: Member, into: Bounds): void {
  const look = (_: Buffer, start: number, end: number): void => {
    const types = members(body, start, end, ['type'])
    const type = types.length === 1 ? wordAt(body, types[0]) : ''
    into.media += TOOL_TOKENS
    if (CLIENT_TOOLS.test(type)) return
    into.reads = 1 + into.rounds
    into.added += addedBy(type, into)
  }
  each(body, tools, look, into)
}

const TOKENS_A_REQUEST = 300_000

/**
 * Embeddings: texts, or numbers of tokens. The window is that of each text; all of them together come to no more than the documented 300,000.
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
export function embeddingBounds(body: Buffer): Bounds {
  const into = textBounds(body)
  const input = topMembers(body, ['input'])
  into.windows = Infinity
  const at = input[0]
  const isNumbers = input.length === 1 && body[at!.start] === 91 && !body.subarray(at!.start, at!.end).includes(34)
  if (isNumbers) into.text = commasIn(body, at!) + 1
  into.text = Math.min(into.text, TOKENS_A_REQUEST)
  return into
}

function commasIn(body: Buffer, { start, end }: Member): number {
  let commas = 0
  for (let i = start; i < end; i++) if (body[i] === 44) commas++
  return commas
}
