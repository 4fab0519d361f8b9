import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import { dropField } from '../dropped.ts'
import { checkTier, readEffort, readOpenaiFormat, parseMediaUrl, readVerbosity } from '../openai-read.ts'
import type { NeutralRequest, ToolChoice, MediaPart, MessagePart, Seal, MessageTextPart, Thinking, Tool, ConversationTurn } from '../form.ts'
import { mergeTurns } from '../messages/read.ts'
import {
  omitBelow,
  readCallArguments,
  readOptionalFlag,
  hasValue,
  toObjectList,
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
import { formatFlatName } from '../spaces.ts'

const DIALECT = 'openai-responses'
const LOGPROBS = 'message.output_text.logprobs'
const KNOWN = new Set([
  ...['model', 'input', 'instructions', 'stream', 'max_output_tokens', 'temperature', 'top_p', 'tools', 'tool_choice', 'parallel_tool_calls'],
  ...['text', 'reasoning', 'include', 'truncation', 'store', 'background', 'stream_options', 'top_logprobs'],
  ...['metadata', 'user', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'service_tier', 'client_metadata'],
  ...['prompt_cache_options', 'max_tool_calls', 'top_k'],
])
/** Fields that change the answer: what it continues, who may see it, what it contains. */
const DECISIVE = new Set(['conversation', 'previous_response_id', 'prompt', 'image', 'moderation', 'access_programs'])

const ITEM = new Set([
  'type',
  'role',
  'content',
  'id',
  'status',
  'call_id',
  'name',
  'arguments',
  'output',
  'summary',
  'encrypted_content',
  'phase',
  'parsed_arguments',
  'namespace',
])
const PART = new Set(['type', 'text', 'annotations', 'logprobs', 'refusal', 'image_url', 'detail', 'file_data', 'file_url', 'file_id', 'filename', 'parsed'])

export function readResponsesRequest(body: Raw, stream: boolean): NeutralRequest {
  checkKnownMembers(body, '', KNOWN, DECISIVE)
  checkTier(body)
  // Policy at the end of the window: a request that fits is answered either way.
  if (readOptionalText(body, 'truncation', '') === 'auto') dropField('truncation')
  // Counts hosted tools, which are refused separately.
  readOptionalNumber(body, 'max_tool_calls', '')
  const include = readTextList(body, 'include', '')
  if (include.some((one) => one !== 'reasoning.encrypted_content' && one !== LOGPROBS)) dropField('include')
  const shape = readOptionalObject(body, 'text', '')
  if (shape !== undefined) checkKnownMembers(shape, 'text', new Set(['format', 'verbosity']))
  const spaces = new Map<string, { readonly space: string; readonly name: string }>()
  const all = turnsOf(body)
  const first = all.findIndex((turn) => turn.role !== 'system')
  const opening = all.slice(0, first < 0 ? all.length : first)
  const instructions = readOptionalText(body, 'instructions', '')
  const turns = all.slice(opening.length)
  if (all.length === 0) rejectField('input', 'must not be empty')
  return {
    stream,
    system: [
      ...(instructions ? [{ kind: 'text' as const, text: instructions, at: 'instructions' }] : []),
      ...opening.flatMap((turn) => turn.parts.map((part) => (part.kind === 'text' ? part : rejectField(part.at)))),
    ],
    turns,
    tools: readObjectList(body, 'tools', '').flatMap((tool, at) => toolsOf(tool, `tools[${at}]`, spaces)),
    spaces: spaces.size === 0 ? undefined : spaces,
    choice: choiceOf(body),
    parallel: readOptionalFlag(body, 'parallel_tool_calls', ''),
    maxTokens: omitBelow(1, readOptionalNumber(body, 'max_output_tokens', '')),
    stops: [],
    settings: {
      temperature: omitDefault(readOptionalNumber(body, 'temperature', ''), 1),
      topP: omitDefault(omitBelow(0, readOptionalNumber(body, 'top_p', '')), 1),
      topK: omitBelow(1, readOptionalNumber(body, 'top_k', '')),
      seed: undefined,
      presencePenalty: undefined,
      frequencyPenalty: undefined,
    },
    format: readOpenaiFormat(shape && readOptionalObject(shape, 'format', 'text'), 'text.format', undefined),
    thinking: thinkingOf(readOptionalObject(body, 'reasoning', ''), include),
    verbosity: shape && readVerbosity(shape, 'text'),
    copies: 1,
    logprobs: include.includes(LOGPROBS) ? { top: readOptionalNumber(body, 'top_logprobs', '') } : undefined,
    at: {
      temperature: 'temperature',
      topP: 'top_p',
      topK: 'top_k',
      seed: 'seed',
      presencePenalty: 'presence_penalty',
      frequencyPenalty: 'frequency_penalty',
      choice: 'tool_choice',
      parallel: 'parallel_tool_calls',
      stops: 'stop',
      format: 'text.format',
      thinking: 'reasoning',
      verbosity: 'text.verbosity',
      copies: 'n',
      logprobs: 'include',
    },
  }
}

function thinkingOf(reasoning: Raw | undefined, include: readonly string[]): Thinking | undefined {
  if (reasoning === undefined) return undefined
  const effort = readEffort(reasoning, 'effort', 'reasoning')
  const shown = hasValue(reasoning, 'summary') && reasoning['summary'] !== 'none'
  return effort === undefined && !shown && include.length === 0 ? undefined : { effort, budget: undefined, shown }
}

function turnsOf(body: Raw): ConversationTurn[] {
  if (typeof body['input'] === 'string') return [{ role: 'user', at: 'input', parts: [{ kind: 'text', text: body['input'], at: 'input' }] }]
  const names = new Map<string, string>()
  return mergeTurns(readObjectList(body, 'input', '').map((item, at) => itemOf(item, `input[${at}]`, names)))
}

function itemOf(item: Raw, at: string, names: Map<string, string>): ConversationTurn {
  checkKnownMembers(item, at, ITEM)
  const turn = (role: ConversationTurn['role'], parts: readonly MessagePart[]): ConversationTurn => ({ role, at: `${at}.role`, parts })
  switch (item['type']) {
    case undefined:
    case 'message': {
      const role = item['role'] === 'developer' ? 'system' : item['role']
      if (role !== 'user' && role !== 'assistant' && role !== 'system') return rejectField(`${at}.role`)
      return turn(role, contentOf(item, 'content', at))
    }
    case 'function_call': {
      const id = readRequiredText(item, 'call_id', at)
      const space = readOptionalText(item, 'namespace', at)
      const name = space === undefined ? readRequiredText(item, 'name', at) : formatFlatName(space, readRequiredText(item, 'name', at))
      names.set(id, name)
      return turn('assistant', [{ kind: 'call', at, id, name, args: readCallArguments(item, 'arguments', at) }])
    }
    case 'function_call_output': {
      const id = readRequiredText(item, 'call_id', at)
      const name = names.get(id) ?? rejectField(`${at}.call_id`, 'answers no function call before it')
      return turn('user', [{ kind: 'result', at, id, name, parts: contentOf(item, 'output', at), isError: false }])
    }
    case 'reasoning': {
      const summary = toObjectList(item['summary'])
        .map((part) => toTextOrEmpty(part['text']))
        .join('\n')
      return turn('assistant', [{ kind: 'thinking', at, text: summary, seal: readReasoningSeal(item) }])
    }
    case 'item_reference':
      return rejectField(`${at}.type`, 'refers to an item that is not stored for this model: send items whole (`store: false`)')
    default:
      return rejectField(`${at}.type`)
  }
}

/** The vendor requires the item's id with its secret: both form the seal. */
export function readReasoningSeal(item: Raw): Seal | undefined {
  const value = toTextOrEmpty(item['encrypted_content'])
  if (value === '') return undefined
  const seal = unwrapSeal(value, DIALECT)
  return seal.from === DIALECT && !seal.value.includes(' ') ? { ...seal, value: `${toTextOrEmpty(item['id'])} ${value}` } : seal
}

function contentOf(item: Raw, key: string, where: string): (MessageTextPart | MediaPart)[] {
  const content = item[key]
  const place = `${where}.${key}`
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content, at: place }]
  return readObjectList(item, key, where).map((part, index) => partOf(part, `${place}[${index}]`))
}

function partOf(part: Raw, at: string): MessageTextPart | MediaPart {
  checkKnownMembers(part, at, PART)
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { kind: 'text', text: readRequiredText(part, 'text', at), at }
    case 'refusal':
      return { kind: 'text', text: readRequiredText(part, 'refusal', at), at }
    case 'input_image':
      if (hasValue(part, 'file_id')) return rejectField(`${at}.file_id`)
      return parseMediaUrl(imageUrl(part, at), 'image', at, { detail: readOptionalText(part, 'detail', at) })
    case 'input_file':
      if (hasValue(part, 'file_id')) return rejectField(`${at}.file_id`)
      return parseMediaUrl(readOptionalText(part, 'file_url', at) ?? readRequiredText(part, 'file_data', at), 'document', at, {
        name: readOptionalText(part, 'filename', at),
      })
    default:
      return rejectField(`${at}.type`)
  }
}

/** Chat's form of an image, which clients that use both dialects confuse. */
const imageUrl = (part: Raw, at: string): string =>
  isRaw(part['image_url']) ? readRequiredText(part['image_url'], 'url', `${at}.image_url`) : readRequiredText(part, 'image_url', at)

const TOOL = new Set(['type', 'name', 'description', 'parameters', 'strict', 'defer_loading', 'allowed_callers', 'output_schema', 'async'])

/** A group's description is for the model: without groups, it is prepended to each tool's description. */
function toolsOf(tool: Raw, where: string, spaces: Map<string, { readonly space: string; readonly name: string }>): Tool[] {
  if (tool['type'] !== 'namespace') return [toolOf(tool, where)]
  checkKnownMembers(tool, where, new Set(['type', 'name', 'description', 'tools']))
  const space = readRequiredText(tool, 'name', where)
  const about = readOptionalText(tool, 'description', where) ?? ''
  return readObjectList(tool, 'tools', where).map((inner, at) => {
    const one = toolOf(inner, `${where}.tools[${at}]`)
    const name = formatFlatName(space, one.name)
    spaces.set(name, { space, name: one.name })
    return { ...one, name, description: [about, one.description ?? ''].filter((words) => words !== '').join('\n\n') || undefined }
  })
}

function toolOf(tool: Raw, where: string): Tool {
  if (tool['type'] !== 'function') return rejectField(`${where}.type`)
  checkKnownMembers(tool, where, TOOL)
  for (const key of ['defer_loading', 'async']) if (tool[key] === true) rejectField(`${where}.${key}`)
  if (readTextList(tool, 'allowed_callers', where).some((caller) => caller !== 'direct')) rejectField(`${where}.allowed_callers`)
  // Output schemas are for programs that call tools, which we do not run.
  return {
    at: where,
    name: readRequiredText(tool, 'name', where),
    description: readOptionalText(tool, 'description', where),
    schema: readOptionalObject(tool, 'parameters', where) ?? { type: 'object', properties: {} },
    strict: readOptionalFlag(tool, 'strict', where),
  }
}

function choiceOf(body: Raw): ToolChoice | undefined {
  const choice = body['tool_choice']
  if (choice === undefined || choice === null) return undefined
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice, names: [] }
  if (!isRaw(choice)) return rejectField('tool_choice')
  if (choice['type'] === 'function') return { mode: 'required', names: [readRequiredText(choice, 'name', 'tool_choice')] }
  if (choice['type'] !== 'allowed_tools') return rejectField('tool_choice.type')
  return { mode: choice['mode'] === 'required' ? 'required' : 'auto', names: toObjectList(choice['tools']).map((tool) => toTextOrEmpty(tool['name'])) }
}
