import { createTextBounds } from '../../bounds/bounds.ts'
import type { InputBounds } from '../../bounds/bounds.ts'
import { addPicture, addUnknownContent } from '../../bounds/inline.ts'
import { readWholeNumberAt, visitElements, hasDuplicateKeys, readMembers, findNamedMember, readTopMembers, readShortText } from '../../bounds/walk.ts'

/** Of one picture at the highest resolution. https://platform.claude.com/docs/en/build-with-claude/vision */
const PICTURE_TOKENS = 4_784
/** The vendor's own prompt for tools, and for each tool of its making. https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing */
const TOOL_PROMPT_TOKENS = 1_000
const TOOL_TOKENS = 1_000
/** "The server-side loop runs at most ten iterations", then answers `pause_turn`. https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools */
const ITERATIONS = 10

const BODY = ['system', 'messages', 'tools', 'mcp_servers', 'container', 'context_management']
const MESSAGE = ['content']
const BLOCK = ['type', 'source', 'content']
const SOURCE = ['type', 'data', 'content']
const TOOL = ['type', 'max_uses']
/** Blocks whose bytes are all there is to them; `content` may hold more blocks. */
const PLAIN_BLOCKS =
  /^(?:text|thinking|redacted_thinking|tool_use|tool_result|server_tool_use|mcp_tool_use|mcp_tool_result|search_result|tool_reference|compaction|web_search_tool_result|(?:bash_|text_editor_)?code_execution_tool_result|tool_search_tool_result)$/
/** Tools that the client runs itself, '' for one of its own making. */
const CLIENT_TOOLS = /^(?:|custom|(?:bash|text_editor|computer|memory)_\d{8})$/

/** Messages. */
export function computeAnthropicBounds(body: Buffer): InputBounds {
  const into = createTextBounds(body, PICTURE_TOKENS)
  const found = readTopMembers(body, BODY)
  for (const one of found) {
    if (one.key === 'messages') visitElements(body, one, lookAtMessage, into)
    else if (one.key === 'system') visitElements(body, one, lookAtBlock, into)
    else if (one.key === 'tools') {
      into.media += TOOL_PROMPT_TOKENS
      visitElements(body, one, lookAtTool, into)
    } else if (one.key === 'mcp_servers') visitElements(body, one, lookAtServer, into)
  }
  if (into.reads > 1 || findNamedMember(found, body, 'container') !== undefined) addUnknownContent(into)
  into.reads = Math.min(ITERATIONS, into.reads)
  // Compaction is a step of its own, over all that there is.
  if (findNamedMember(found, body, 'context_management') !== undefined) into.reads++
  return into
}

function lookAtTool(body: Buffer, start: number, end: number, into: InputBounds): void {
  const found = readMembers(body, start, end, TOOL)
  const type = readShortText(body, findNamedMember(found, body, 'type'))
  if (type !== '') into.media += TOOL_TOKENS
  if (hasDuplicateKeys(found)) into.reads += ITERATIONS
  else if (!CLIENT_TOOLS.test(type)) into.reads += Math.max(1, readWholeNumberAt(body, findNamedMember(found, body, 'max_uses')) ?? ITERATIONS)
}

function lookAtServer(_body: Buffer, _start: number, _end: number, into: InputBounds): void {
  into.reads += ITERATIONS
}

function lookAtMessage(body: Buffer, start: number, end: number, into: InputBounds): void {
  const found = readMembers(body, start, end, MESSAGE)
  for (const one of found) visitElements(body, one, lookAtBlock, into)
}

function lookAtBlock(body: Buffer, start: number, end: number, into: InputBounds): void {
  const found = readMembers(body, start, end, BLOCK)
  const type = readShortText(body, findNamedMember(found, body, 'type'))
  if (hasDuplicateKeys(found)) return addUnknownContent(into)
  const source = findNamedMember(found, body, 'source')
  const its = source === undefined || body[source.start] !== 123 ? [] : readMembers(body, source.start, source.end, SOURCE)
  const from = hasDuplicateKeys(its) ? '' : readShortText(body, findNamedMember(its, body, 'type'))
  if (type === 'image') return addPicture(into, from === 'base64' ? findNamedMember(its, body, 'data') : undefined)
  if (type === 'document') {
    if (from === 'content') visitElements(body, findNamedMember(its, body, 'content'), lookAtBlock, into)
    else if (from !== 'text') addUnknownContent(into)
    return
  }
  if (!PLAIN_BLOCKS.test(type)) return addUnknownContent(into)
  visitElements(
    body,
    findNamedMember(found, body, 'content'),
    type.endsWith('_result') && type !== 'tool_result' && type !== 'search_result' ? lookAtResult : lookAtBlock,
    into,
  )
}

/** An earlier result of the vendor's own tools, sent back: text, unless it names another type. */
function lookAtResult(body: Buffer, start: number, end: number, into: InputBounds): void {
  const type = readShortText(body, readMembers(body, start, end, ['type'])[0])
  if (type === 'image' || type === 'document') lookAtBlock(body, start, end, into)
}
