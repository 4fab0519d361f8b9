import { textBounds } from '../../bounds/bounds.ts'
import type { Bounds } from '../../bounds/bounds.ts'
import { picture, unknown } from '../../bounds/inline.ts'
import { countAt, each, isTwice, members, named, topMembers, wordAt } from '../../bounds/walk.ts'

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
export function anthropicBounds(body: Buffer): Bounds {
  const into = textBounds(body, PICTURE_TOKENS)
  const found = topMembers(body, BODY)
  for (const one of found) {
    if (one.key === 'messages') each(body, one, lookAtMessage, into)
    else if (one.key === 'system') each(body, one, lookAtBlock, into)
    else if (one.key === 'tools') {
      into.media += TOOL_PROMPT_TOKENS
      each(body, one, lookAtTool, into)
    } else if (one.key === 'mcp_servers') each(body, one, lookAtServer, into)
  }
  if (into.reads > 1 || named(found, body, 'container') !== undefined) unknown(into)
  into.reads = Math.min(ITERATIONS, into.reads)
  // Compaction is a step of its own, over all that there is.
  if (named(found, body, 'context_management') !== undefined) into.reads++
  return into
}

function lookAtTool(body: Buffer, start: number, end: number, into: Bounds): void {
  const found = members(body, start, end, TOOL)
  const type = wordAt(body, named(found, body, 'type'))
  if (type !== '') into.media += TOOL_TOKENS
  if (isTwice(found)) into.reads += ITERATIONS
  else if (!CLIENT_TOOLS.test(type)) into.reads += Math.max(1, countAt(body, named(found, body, 'max_uses')) ?? ITERATIONS)
}

function lookAtServer(_body: Buffer, _start: number, _end: number, into: Bounds): void {
  into.reads += ITERATIONS
}

function lookAtMessage(body: Buffer, start: number, end: number, into: Bounds): void {
  const found = members(body, start, end, MESSAGE)
  for (const one of found) each(body, one, lookAtBlock, into)
}

function lookAtBlock(body: Buffer, start: number, end: number, into: Bounds): void {
  const found = members(body, start, end, BLOCK)
  const type = wordAt(body, named(found, body, 'type'))
  if (isTwice(found)) return unknown(into)
  const source = named(found, body, 'source')
  const its = source === undefined || body[source.start] !== 123 ? [] : members(body, source.start, source.end, SOURCE)
  const from = isTwice(its) ? '' : wordAt(body, named(its, body, 'type'))
  if (type === 'image') return picture(into, from === 'base64' ? named(its, body, 'data') : undefined)
  if (type === 'document') {
    if (from === 'content') each(body, named(its, body, 'content'), lookAtBlock, into)
    else if (from !== 'text') unknown(into)
    return
  }
  if (!PLAIN_BLOCKS.test(type)) return unknown(into)
  each(body, named(found, body, 'content'), type.endsWith('_result') && type !== 'tool_result' && type !== 'search_result' ? lookAtResult : lookAtBlock, into)
}

/** An earlier result of the vendor's own tools, sent back: text, unless it names another type. */
function lookAtResult(body: Buffer, start: number, end: number, into: Bounds): void {
  const type = wordAt(body, members(body, start, end, ['type'])[0])
  if (type === 'image' || type === 'document') lookAtBlock(body, start, end, into)
}
