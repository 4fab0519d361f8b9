import type { Raw } from '../../usage/usage.ts'
import { dropField } from '../dropped.ts'
import { readMessagesChoice, readMessagesFormat, readMessagesThinking } from './settings.ts'
import { checkTier } from '../openai-read.ts'
import type { NeutralRequest, MediaPart, MessagePart, MessageTextPart, Tool, ConversationTurn } from '../form.ts'
import {
  omitBelow,
  readCallArguments,
  readOptionalFlag,
  hasValue,
  toObjectList,
  normalizeMime,
  readRequiredText,
  readOptionalNumber,
  readOptionalObject,
  readObjectList,
  checkKnownMembers,
  rejectField,
  toTextOrEmpty,
  readOptionalText,
  readTextList,
  unwrapSeal,
  omitDefault,
} from '../reading.ts'
import { splitSignedId } from '../signed-id.ts'

/** Other vendors cache automatically: `cache_control` is kept if the dialect supports it and needs no equivalent otherwise. */
const KNOWN = new Set([
  ...['model', 'messages', 'system', 'max_tokens', 'stream', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'tools', 'tool_choice', 'thinking'],
  ...['output_config', 'output_format', 'metadata', 'service_tier', 'cache_control', 'context_management', 'diagnostics', 'speed', 'inference_geo'],
])
/** Fields that change the answer: what it continues, what it may access, the payer and the region. */
const DECISIVE = new Set(['container', 'mcp_servers', 'thread', 'billing_policy', 'workspace_id', 'user_profile_id'])

export function readMessagesRequest(body: Raw, stream: boolean): NeutralRequest {
  checkKnownMembers(body, '', KNOWN, DECISIVE)
  checkTier(body)
  const output = readOptionalObject(body, 'output_config', '')
  if (output !== undefined) checkKnownMembers(output, 'output_config', new Set(['effort', 'format']))
  if ((readOptionalText(body, 'speed', '') ?? 'standard') !== 'standard') dropField('speed')
  if ((readOptionalText(body, 'inference_geo', '') ?? 'global') !== 'global') rejectField('inference_geo')
  checkEdits(readOptionalObject(body, 'context_management', ''))
  const messages = readObjectList(body, 'messages', '')
  if (messages.length === 0) rejectField('messages', 'must not be empty')
  const names = new Map<string, string>()
  const loaded = new Set<string>()
  const turns = messages.flatMap((message, at) => (isCleared(message, messages.slice(at + 1)) ? [] : [turnOf(message, `messages[${at}]`, { names, loaded })]))
  return {
    stream,
    system: systemOf(body),
    turns: mergeTurns(turns),
    tools: readObjectList(body, 'tools', '')
      .map(toolOf)
      .filter((tool, at) => !isDeferred(body, at) || loaded.has(tool.name)),
    ...readMessagesChoice(readOptionalObject(body, 'tool_choice', '')),
    maxTokens: omitBelow(1, readOptionalNumber(body, 'max_tokens', '')) ?? rejectField('max_tokens', 'is required'),
    stops: readTextList(body, 'stop_sequences', ''),
    settings: {
      temperature: omitDefault(readOptionalNumber(body, 'temperature', ''), 1),
      topP: omitBelow(0, readOptionalNumber(body, 'top_p', '')),
      topK: omitBelow(1, readOptionalNumber(body, 'top_k', '')),
      seed: undefined,
      presencePenalty: undefined,
      frequencyPenalty: undefined,
    },
    format: readMessagesFormat(output, body),
    thinking: readMessagesThinking(readOptionalObject(body, 'thinking', ''), output),
    copies: 1,
    logprobs: undefined,
    at: {
      temperature: 'temperature',
      topP: 'top_p',
      topK: 'top_k',
      seed: 'seed',
      presencePenalty: 'presence_penalty',
      frequencyPenalty: 'frequency_penalty',
      choice: 'tool_choice',
      parallel: 'tool_choice.disable_parallel_tool_use',
      stops: 'stop_sequences',
      format: 'output_config.format',
      thinking: 'thinking',
      copies: 'n',
      logprobs: 'logprobs',
    },
  }
}

/**
 * Drops context edits except those of thinking: other vendors keep no thoughts of another model anyway (docs/decisions/translation.md).
 * Content that would be cleared stays.
 */
function checkEdits(management: Raw | undefined): void {
  for (const [at, edit] of (management === undefined ? [] : readObjectList(management, 'edits', 'context_management')).entries())
    if (!toTextOrEmpty(edit['type']).startsWith('clear_thinking_')) dropField(`context_management.edits[${at}]`)
}

/** A system message may apply to its own turn only. */
function isCleared(message: Raw, later: readonly Raw[]): boolean {
  return message['clear_at'] === 'next_user_message' && later.some((one) => one['role'] === 'user')
}

/** A deferred tool is unknown to the model until a result refers to it. */
function isDeferred(body: Raw, at: number): boolean {
  return toObjectList(body['tools'])[at]?.['defer_loading'] === true
}

/** Tool state of earlier turns: names of calls by id, and deferred tools already loaded. */
interface ToolState {
  readonly names: Map<string, string>
  readonly loaded: Set<string>
}

function systemOf(body: Raw): MessageTextPart[] {
  if (typeof body['system'] === 'string') return [{ kind: 'text', text: body['system'], at: 'system' }]
  return readObjectList(body, 'system', '').map((block, at) => {
    const part = blockOf(block, `system[${at}]`, { names: new Map(), loaded: new Set() })
    return part.kind === 'text' ? part : rejectField(`system[${at}].type`)
  })
}

/** Consecutive turns of one speaker are one. */
export function mergeTurns(turns: readonly ConversationTurn[]): ConversationTurn[] {
  const whole: ConversationTurn[] = []
  for (const turn of turns) {
    const before = whole.at(-1)
    if (before?.role === turn.role) whole[whole.length - 1] = { ...before, parts: [...before.parts, ...turn.parts] }
    else whole.push(turn)
  }
  return whole
}

function turnOf(message: Raw, where: string, seen: ToolState): ConversationTurn {
  checkKnownMembers(message, where, new Set(['role', 'content', ...(message['role'] === 'system' ? ['clear_at'] : [])]))
  const role = message['role']
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return rejectField(`${where}.role`)
  const content = message['content']
  const at = `${where}.content`
  if (typeof content === 'string') return { role, at: `${where}.role`, parts: content === '' ? [] : [{ kind: 'text', text: content, at }] }
  return { role, at: `${where}.role`, parts: readObjectList(message, 'content', where).map((block, index) => blockOf(block, `${at}[${index}]`, seen)) }
}

const BLOCK = new Set([
  ...['type', 'text', 'citations', 'cache_control', 'source', 'title', 'context', 'thinking', 'signature', 'data', 'id', 'name', 'input', 'caller'],
  ...['tool_use_id', 'content', 'is_error', 'tool_name'],
])

function blockOf(block: Raw, at: string, seen: ToolState): MessagePart {
  checkKnownMembers(block, at, BLOCK)
  const cache = readOptionalObject(block, 'cache_control', at)
  switch (block['type']) {
    case 'text':
      // Sources of an earlier answer's text: the text itself is kept.
      if (Array.isArray(block['citations']) && block['citations'].length > 0) dropField(`${at}.citations`)
      return { kind: 'text', text: readRequiredText(block, 'text', at), at, cache }
    case 'image':
      return { ...mediaOf(block, 'image', at), cache }
    case 'document':
      return documentOf(block, at, cache)
    case 'thinking': {
      const signature = readOptionalText(block, 'signature', at) ?? ''
      return {
        kind: 'thinking',
        at,
        text: readRequiredText(block, 'thinking', at),
        seal: signature === '' ? undefined : unwrapSeal(signature, 'anthropic-messages'),
      }
    }
    case 'redacted_thinking':
      return { kind: 'thinking', at, text: '', seal: unwrapSeal(readRequiredText(block, 'data', at), 'anthropic-messages', 'redacted') }
    case 'tool_use': {
      const { id, seal } = splitSignedId(readRequiredText(block, 'id', at), 'anthropic-messages')
      const name = readRequiredText(block, 'name', at)
      seen.names.set(id, name)
      return { kind: 'call', at, id, name, args: readCallArguments(block, 'input', at), seal, cache }
    }
    case 'tool_result':
      return resultOf(block, at, seen, cache)
    case 'tool_reference': {
      const name = readRequiredText(block, 'tool_name', at)
      seen.loaded.add(name)
      return { kind: 'text', text: `The tool ${name} can be called now.`, at, cache }
    }
    default:
      return rejectField(`${at}.type`)
  }
}

function resultOf(block: Raw, at: string, seen: ToolState, cache: Raw | undefined): MessagePart {
  const { id } = splitSignedId(readRequiredText(block, 'tool_use_id', at), 'anthropic-messages')
  const content = block['content']
  const parts =
    typeof content === 'string'
      ? [{ kind: 'text' as const, text: content, at: `${at}.content` }]
      : readObjectList(block, 'content', at).map((inner, index) => {
          const part = blockOf(inner, `${at}.content[${index}]`, seen)
          return part.kind === 'text' || part.kind === 'image' || part.kind === 'document' ? part : rejectField(`${at}.content[${index}].type`)
        })
  const name = seen.names.get(id) ?? rejectField(`${at}.tool_use_id`, 'answers no tool call before it')
  return { kind: 'result', at, id, name, parts, isError: readOptionalFlag(block, 'is_error', at) === true, cache }
}

function documentOf(block: Raw, at: string, cache: Raw | undefined): MessageTextPart | MediaPart {
  if (readOptionalFlag(readOptionalObject(block, 'citations', at) ?? {}, 'enabled', `${at}.citations`) === true) rejectField(`${at}.citations`)
  if (hasValue(block, 'context')) dropField(`${at}.context`)
  const source = readOptionalObject(block, 'source', at) ?? rejectField(`${at}.source`, 'is required')
  if (source['type'] === 'text') return { kind: 'text', text: readRequiredText(source, 'data', `${at}.source`), at, cache }
  return { ...mediaOf(block, 'document', at), name: readOptionalText(block, 'title', at), cache }
}

function mediaOf(block: Raw, kind: 'image' | 'document', at: string): MediaPart {
  const source = readOptionalObject(block, 'source', at) ?? rejectField(`${at}.source`, 'is required')
  const where = `${at}.source`
  if (source['type'] === 'base64')
    return { kind, at, mime: normalizeMime(readRequiredText(source, 'media_type', where)), data: readRequiredText(source, 'data', where), url: undefined }
  if (source['type'] === 'url')
    return { kind, at, mime: kind === 'document' ? 'application/pdf' : '', data: undefined, url: readRequiredText(source, 'url', where) }
  return rejectField(`${where}.type`)
}

function toolOf(tool: Raw, at: number): Tool {
  const where = `tools[${at}]`
  if (hasValue(tool, 'type') && tool['type'] !== 'custom') return rejectField(`${where}.type`)
  checkKnownMembers(tool, where, new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control', 'eager_input_streaming', 'defer_loading']))
  return {
    at: where,
    name: readRequiredText(tool, 'name', where),
    description: readOptionalText(tool, 'description', where),
    schema: readOptionalObject(tool, 'input_schema', where) ?? rejectField(`${where}.input_schema`, 'is required'),
    strict: readOptionalFlag(tool, 'strict', where),
    cache: readOptionalObject(tool, 'cache_control', where),
  }
}
