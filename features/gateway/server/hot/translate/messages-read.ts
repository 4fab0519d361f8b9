import { isRaw } from '../usage.ts'
import type { Raw } from '../usage.ts'
import { checkTier, effortOf } from './openai-read.ts'
import type { Ask, Choice, Format, MediaPart, Part, TextPart, Thinking, Tool, Turn } from './form.ts'
import { flag, has, join, list, mustText, number, object, objects, only, refuse, str, text, texts, uncarry, unlessDefault } from './reading.ts'

/** Caching elsewhere happens by itself: `cache_control` is kept where it is understood and needs nothing where it is not. */
const KNOWN = new Set([
  ...['model', 'messages', 'system', 'max_tokens', 'stream', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'tools', 'tool_choice', 'thinking'],
  ...['output_config', 'output_format', 'metadata', 'service_tier', 'cache_control', 'context_management', 'diagnostics', 'speed'],
])

export function readMessagesAsk(body: Raw, stream: boolean): Ask {
  only(body, '', KNOWN)
  checkTier(body)
  const output = object(body, 'output_config', '')
  if (output !== undefined) only(output, 'output_config', new Set(['effort', 'format']))
  if ((text(body, 'speed', '') ?? 'standard') !== 'standard') refuse('speed')
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
    maxTokens: number(body, 'max_tokens', '') ?? refuse('max_tokens', 'is required'),
    stops: texts(body, 'stop_sequences', ''),
    settings: {
      temperature: unlessDefault(number(body, 'temperature', ''), 1),
      topP: number(body, 'top_p', ''),
      topK: number(body, 'top_k', ''),
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

/** Which thoughts of earlier turns are kept: elsewhere none of another model's are, whatever is asked (decision 0012). */
function checkEdits(management: Raw | undefined): void {
  for (const [at, edit] of (management === undefined ? [] : objects(management, 'edits', 'context_management')).entries())
    if (!str(edit['type']).startsWith('clear_thinking_')) refuse(`context_management.edits[${at}].type`)
}

/** A system message can be for its own turn only. */
function isCleared(message: Raw, later: readonly Raw[]): boolean {
  return message['clear_at'] === 'next_user_message' && later.some((one) => one['role'] === 'user')
}

/** A deferred tool is unknown to the model until a result refers to it. */
function isDeferred(body: Raw, at: number): boolean {
  return list(body['tools'])[at]?.['defer_loading'] === true
}

/** What the turns before have said of tools: the names of calls by their ids, and deferred tools that were loaded. */
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
      if (Array.isArray(block['citations']) && block['citations'].length > 0) return refuse(`${at}.citations`)
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
      const id = mustText(block, 'id', at)
      const name = mustText(block, 'name', at)
      seen.names.set(id, name)
      return { kind: 'call', at, id, name, args: JSON.stringify(object(block, 'input', at) ?? {}), cache }
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
  const id = mustText(block, 'tool_use_id', at)
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
  if (has(block, 'context')) refuse(`${at}.context`)
  const source = object(block, 'source', at) ?? refuse(`${at}.source`, 'is required')
  if (source['type'] === 'text') return { kind: 'text', text: mustText(source, 'data', `${at}.source`), at, cache }
  return { ...mediaOf(block, 'document', at), name: text(block, 'title', at), cache }
}

function mediaOf(block: Raw, kind: 'image' | 'document', at: string): MediaPart {
  const source = object(block, 'source', at) ?? refuse(`${at}.source`, 'is required')
  const where = `${at}.source`
  if (source['type'] === 'base64') return { kind, at, mime: mustText(source, 'media_type', where), data: mustText(source, 'data', where), url: undefined }
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

function choiceOf(choice: Raw | undefined): { choice: Choice | undefined; parallel: boolean | undefined } {
  if (choice === undefined) return { choice: undefined, parallel: undefined }
  const single = flag(choice, 'disable_parallel_tool_use', 'tool_choice')
  const parallel = single === undefined ? undefined : !single
  switch (choice['type']) {
    case 'auto':
    case 'none':
      return { choice: { mode: choice['type'], names: [] }, parallel }
    case 'any':
      return { choice: { mode: 'required', names: [] }, parallel }
    case 'tool':
      return { choice: { mode: 'required', names: [mustText(choice, 'name', 'tool_choice')] }, parallel }
    default:
      return refuse('tool_choice.type')
  }
}

function formatOf(output: Raw | undefined, body: Raw): Format | undefined {
  const where = output !== undefined && has(output, 'format') ? 'output_config.format' : 'output_format'
  const format = (output && object(output, 'format', 'output_config')) ?? object(body, 'output_format', '')
  if (format === undefined) return undefined
  if (format['type'] !== 'json_schema' || !isRaw(format['schema'])) return refuse(join(where, 'type'))
  return { kind: 'schema', name: undefined, schema: format['schema'], strict: true }
}

function thinkingOf(thinking: Raw | undefined, output: Raw | undefined): Thinking | undefined {
  const effort = output && effortOf(output, 'effort', 'output_config')
  if (thinking === undefined) return effort === undefined ? undefined : { effort, budget: undefined, shown: false }
  const shown = thinking['display'] !== 'omitted'
  switch (thinking['type']) {
    case 'disabled':
      return { effort: 'none', budget: undefined, shown: false }
    case 'adaptive':
      return { effort, budget: undefined, shown }
    case 'enabled':
      return { effort, budget: number(thinking, 'budget_tokens', 'thinking') ?? refuse('thinking.budget_tokens', 'is required'), shown }
    default:
      return refuse('thinking.type')
  }
}
