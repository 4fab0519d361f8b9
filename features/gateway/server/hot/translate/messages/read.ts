import type { Raw } from '../../usage/usage.ts'
import { drop } from '../dropped.ts'
import { choiceOf, formatOf, thinkingOf } from './settings.ts'
import { checkTier } from '../openai-read.ts'
import type { Ask, MediaPart, Part, TextPart, Tool, Turn } from '../form.ts'
import {
  above,
  argsOf,
  flag,
  has,
  list,
  mimeOf,
  mustText,
  number,
  object,
  objects,
  only,
  refuse,
  str,
  text,
  texts,
  uncarry,
  unlessDefault,
} from '../reading.ts'
import { unsigned } from '../signed-id.ts'

/** Caching elsewhere happens by itself: `cache_control` is kept where it is understood and needs nothing where it is not. */
const KNOWN = new Set([
  ...['model', 'messages', 'system', 'max_tokens', 'stream', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'tools', 'tool_choice', 'thinking'],
  ...['output_config', 'output_format', 'metadata', 'service_tier', 'cache_control', 'context_management', 'diagnostics', 'speed', 'inference_geo'],
])
/** Fields that change the answer: what it continues, what it may access, the payer and the region. */
const DECISIVE = new Set(['container', 'mcp_servers', 'thread', 'billing_policy', 'workspace_id', 'user_profile_id'])

export function readMessagesAsk(body: Raw, stream: boolean): Ask {
  only(body, '', KNOWN, DECISIVE)
  checkTier(body)
  const output = object(body, 'output_config', '')
  if (output !== undefined) only(output, 'output_config', new Set(['effort', 'format']))
  if ((text(body, 'speed', '') ?? 'standard') !== 'standard') drop('speed')
  if ((text(body, 'inference_geo', '') ?? 'global') !== 'global') refuse('inference_geo')
  checkEdits(object(body, 'context_management', ''))
  const messages = objects(body, 'messages', '')
  if (messages.length === 0) refuse('messages', 'must not be empty')
  const names = new Map<string, string>()
  const loaded = new Set<string>()
  const turns = messages.flatMap((message, at) => (isCleared(message, messages.slice(at + 1)) ? [] : [turnOf(message, `messages[${at}]`, { names, loaded })]))
  return {
    stream,
    system: systemOf(body),
    turns: merged(turns),
    tools: objects(body, 'tools', '')
      .map(toolOf)
      .filter((tool, at) => !isDeferred(body, at) || loaded.has(tool.name)),
    ...choiceOf(object(body, 'tool_choice', '')),
    maxTokens: above(1, number(body, 'max_tokens', '')) ?? refuse('max_tokens', 'is required'),
    stops: texts(body, 'stop_sequences', ''),
    settings: {
      temperature: unlessDefault(number(body, 'temperature', ''), 1),
      topP: above(0, number(body, 'top_p', '')),
      topK: above(1, number(body, 'top_k', '')),
      seed: undefined,
      presencePenalty: undefined,
      frequencyPenalty: undefined,
    },
    format: formatOf(output, body),
    thinking: thinkingOf(object(body, 'thinking', ''), output),
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
 * Which thoughts of earlier turns are kept: elsewhere none of another model's are, whatever is asked (docs/decisions/translation.md).
 * What else would be cleared stays.
 */
function checkEdits(management: Raw | undefined): void {
  for (const [at, edit] of (management === undefined ? [] : objects(management, 'edits', 'context_management')).entries())
    if (!str(edit['type']).startsWith('clear_thinking_')) drop(`context_management.edits[${at}]`)
}

/** A system message can be for its own turn only. */
function isCleared(message: Raw, later: readonly Raw[]): boolean {
  return message['clear_at'] === 'next_user_message' && later.some((one) => one['role'] === 'user')
}

/** A deferred tool is unknown to the model until a result refers to it. */
function isDeferred(body: Raw, at: number): boolean {
  return list(body['tools'])[at]?.['defer_loading'] === true
}

/** Tool state of earlier turns: names of calls by id, and deferred tools already loaded. */
interface Seen {
  readonly names: Map<string, string>
  readonly loaded: Set<string>
}

function systemOf(body: Raw): TextPart[] {
  if (typeof body['system'] === 'string') return [{ kind: 'text', text: body['system'], at: 'system' }]
  return objects(body, 'system', '').map((block, at) => {
    const part = blockOf(block, `system[${at}]`, { names: new Map(), loaded: new Set() })
    return part.kind === 'text' ? part : refuse(`system[${at}].type`)
  })
}

/** Turns of one speaker that follow each other are one. */
export function merged(turns: readonly Turn[]): Turn[] {
  const whole: Turn[] = []
  for (const turn of turns) {
    const before = whole.at(-1)
    if (before?.role === turn.role) whole[whole.length - 1] = { ...before, parts: [...before.parts, ...turn.parts] }
    else whole.push(turn)
  }
  return whole
}

function turnOf(message: Raw, where: string, seen: Seen): Turn {
  only(message, where, new Set(['role', 'content', ...(message['role'] === 'system' ? ['clear_at'] : [])]))
  const role = message['role']
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return refuse(`${where}.role`)
  const content = message['content']
  const at = `${where}.content`
  if (typeof content === 'string') return { role, at: `${where}.role`, parts: content === '' ? [] : [{ kind: 'text', text: content, at }] }
  return { role, at: `${where}.role`, parts: objects(message, 'content', where).map((block, index) => blockOf(block, `${at}[${index}]`, seen)) }
}

const BLOCK = new Set([
  ...['type', 'text', 'citations', 'cache_control', 'source', 'title', 'context', 'thinking', 'signature', 'data', 'id', 'name', 'input', 'caller'],
  ...['tool_use_id', 'content', 'is_error', 'tool_name'],
])

function blockOf(block: Raw, at: string, seen: Seen): Part {
  only(block, at, BLOCK)
  const cache = object(block, 'cache_control', at)
  switch (block['type']) {
    case 'text':
      // Sources of an earlier answer's text: the text itself is kept.
      if (Array.isArray(block['citations']) && block['citations'].length > 0) drop(`${at}.citations`)
      return { kind: 'text', text: mustText(block, 'text', at), at, cache }
    case 'image':
      return { ...mediaOf(block, 'image', at), cache }
    case 'document':
      return documentOf(block, at, cache)
    case 'thinking': {
      const signature = text(block, 'signature', at) ?? ''
      return { kind: 'thinking', at, text: mustText(block, 'thinking', at), seal: signature === '' ? undefined : uncarry(signature, 'anthropic-messages') }
    }
    case 'redacted_thinking':
      return { kind: 'thinking', at, text: '', seal: uncarry(mustText(block, 'data', at), 'anthropic-messages', 'redacted') }
    case 'tool_use': {
      const { id, seal } = unsigned(mustText(block, 'id', at), 'anthropic-messages')
      const name = mustText(block, 'name', at)
      seen.names.set(id, name)
      return { kind: 'call', at, id, name, args: argsOf(block, 'input', at), seal, cache }
    }
    case 'tool_result':
      return resultOf(block, at, seen, cache)
    case 'tool_reference': {
      const name = mustText(block, 'tool_name', at)
      seen.loaded.add(name)
      return { kind: 'text', text: `The tool ${name} can be called now.`, at, cache }
    }
    default:
      return refuse(`${at}.type`)
  }
}

function resultOf(block: Raw, at: string, seen: Seen, cache: Raw | undefined): Part {
  const { id } = unsigned(mustText(block, 'tool_use_id', at), 'anthropic-messages')
  const content = block['content']
  const parts =
    typeof content === 'string'
      ? [{ kind: 'text' as const, text: content, at: `${at}.content` }]
      : objects(block, 'content', at).map((inner, index) => {
          const part = blockOf(inner, `${at}.content[${index}]`, seen)
          return part.kind === 'text' || part.kind === 'image' || part.kind === 'document' ? part : refuse(`${at}.content[${index}].type`)
        })
  const name = seen.names.get(id) ?? refuse(`${at}.tool_use_id`, 'answers no tool call before it')
  return { kind: 'result', at, id, name, parts, isError: flag(block, 'is_error', at) === true, cache }
}

function documentOf(block: Raw, at: string, cache: Raw | undefined): TextPart | MediaPart {
  if (flag(object(block, 'citations', at) ?? {}, 'enabled', `${at}.citations`) === true) refuse(`${at}.citations`)
  if (has(block, 'context')) drop(`${at}.context`)
  const source = object(block, 'source', at) ?? refuse(`${at}.source`, 'is required')
  if (source['type'] === 'text') return { kind: 'text', text: mustText(source, 'data', `${at}.source`), at, cache }
  return { ...mediaOf(block, 'document', at), name: text(block, 'title', at), cache }
}

function mediaOf(block: Raw, kind: 'image' | 'document', at: string): MediaPart {
  const source = object(block, 'source', at) ?? refuse(`${at}.source`, 'is required')
  const where = `${at}.source`
  if (source['type'] === 'base64')
    return { kind, at, mime: mimeOf(mustText(source, 'media_type', where)), data: mustText(source, 'data', where), url: undefined }
  if (source['type'] === 'url') return { kind, at, mime: kind === 'document' ? 'application/pdf' : '', data: undefined, url: mustText(source, 'url', where) }
  return refuse(`${where}.type`)
}

function toolOf(tool: Raw, at: number): Tool {
  const where = `tools[${at}]`
  if (has(tool, 'type') && tool['type'] !== 'custom') return refuse(`${where}.type`)
  only(tool, where, new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control', 'eager_input_streaming', 'defer_loading']))
  return {
    at: where,
    name: mustText(tool, 'name', where),
    description: text(tool, 'description', where),
    schema: object(tool, 'input_schema', where) ?? refuse(`${where}.input_schema`, 'is required'),
    strict: flag(tool, 'strict', where),
    cache: object(tool, 'cache_control', where),
  }
}
