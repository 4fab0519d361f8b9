import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import { drop } from '../dropped.ts'
import { checkTier, effortOf, formatOf, mediaFrom, verbosityOf } from '../openai-read.ts'
import type { Ask, Choice, MediaPart, Part, Seal, TextPart, Thinking, Tool, Turn } from '../form.ts'
import { merged } from '../messages/read.ts'
import { above, argsOf, flag, has, list, mustText, number, object, objects, only, refuse, str, text, texts, uncarry, unlessDefault } from '../reading.ts'
import { flatName } from '../spaces.ts'

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

export function readResponsesAsk(body: Raw, stream: boolean): Ask {
  only(body, '', KNOWN, DECISIVE)
  checkTier(body)
  // Policy at the end of the window: a request that fits is answered either way.
  if (text(body, 'truncation', '') === 'auto') drop('truncation')
  // Counts hosted tools, which are refused themselves.
  number(body, 'max_tool_calls', '')
  const include = texts(body, 'include', '')
  if (include.some((one) => one !== 'reasoning.encrypted_content' && one !== LOGPROBS)) drop('include')
  const shape = object(body, 'text', '')
  if (shape !== undefined) only(shape, 'text', new Set(['format', 'verbosity']))
  const spaces = new Map<string, { readonly space: string; readonly name: string }>()
  const all = turnsOf(body)
  const first = all.findIndex((turn) => turn.role !== 'system')
  const opening = all.slice(0, first < 0 ? all.length : first)
  const instructions = text(body, 'instructions', '')
  const turns = all.slice(opening.length)
  if (all.length === 0) refuse('input', 'must not be empty')
  return {
    stream,
    system: [
      ...(instructions ? [{ kind: 'text' as const, text: instructions, at: 'instructions' }] : []),
      ...opening.flatMap((turn) => turn.parts.map((part) => (part.kind === 'text' ? part : refuse(part.at)))),
    ],
    turns,
    tools: objects(body, 'tools', '').flatMap((tool, at) => toolsOf(tool, `tools[${at}]`, spaces)),
    spaces: spaces.size === 0 ? undefined : spaces,
    choice: choiceOf(body),
    parallel: flag(body, 'parallel_tool_calls', ''),
    maxTokens: above(1, number(body, 'max_output_tokens', '')),
    stops: [],
    settings: {
      temperature: unlessDefault(number(body, 'temperature', ''), 1),
      topP: unlessDefault(above(0, number(body, 'top_p', '')), 1),
      topK: above(1, number(body, 'top_k', '')),
      seed: undefined,
      presencePenalty: undefined,
      frequencyPenalty: undefined,
    },
    format: formatOf(shape && object(shape, 'format', 'text'), 'text.format', undefined),
    thinking: thinkingOf(object(body, 'reasoning', ''), include),
    verbosity: shape && verbosityOf(shape, 'text'),
    copies: 1,
    logprobs: include.includes(LOGPROBS) ? { top: number(body, 'top_logprobs', '') } : undefined,
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
  const effort = effortOf(reasoning, 'effort', 'reasoning')
  const shown = has(reasoning, 'summary') && reasoning['summary'] !== 'none'
  return effort === undefined && !shown && include.length === 0 ? undefined : { effort, budget: undefined, shown }
}

function turnsOf(body: Raw): Turn[] {
  if (typeof body['input'] === 'string') return [{ role: 'user', at: 'input', parts: [{ kind: 'text', text: body['input'], at: 'input' }] }]
  const names = new Map<string, string>()
  return merged(objects(body, 'input', '').map((item, at) => itemOf(item, `input[${at}]`, names)))
}

function itemOf(item: Raw, at: string, names: Map<string, string>): Turn {
  only(item, at, ITEM)
  const turn = (role: Turn['role'], parts: readonly Part[]): Turn => ({ role, at: `${at}.role`, parts })
  switch (item['type']) {
    case undefined:
    case 'message': {
      const role = item['role'] === 'developer' ? 'system' : item['role']
      if (role !== 'user' && role !== 'assistant' && role !== 'system') return refuse(`${at}.role`)
      return turn(role, contentOf(item, 'content', at))
    }
    case 'function_call': {
      const id = mustText(item, 'call_id', at)
      const space = text(item, 'namespace', at)
      const name = space === undefined ? mustText(item, 'name', at) : flatName(space, mustText(item, 'name', at))
      names.set(id, name)
      return turn('assistant', [{ kind: 'call', at, id, name, args: argsOf(item, 'arguments', at) }])
    }
    case 'function_call_output': {
      const id = mustText(item, 'call_id', at)
      const name = names.get(id) ?? refuse(`${at}.call_id`, 'answers no function call before it')
      return turn('user', [{ kind: 'result', at, id, name, parts: contentOf(item, 'output', at), isError: false }])
    }
    case 'reasoning': {
      const summary = list(item['summary'])
        .map((part) => str(part['text']))
        .join('\n')
      return turn('assistant', [{ kind: 'thinking', at, text: summary, seal: sealOf(item) }])
    }
    case 'item_reference':
      return refuse(`${at}.type`, 'refers to an item that is not stored for this model: send items whole (`store: false`)')
    default:
      return refuse(`${at}.type`)
  }
}

/** The vendor wants the item's id with its secret: both make the seal. */
export function sealOf(item: Raw): Seal | undefined {
  const value = str(item['encrypted_content'])
  if (value === '') return undefined
  const seal = uncarry(value, DIALECT)
  return seal.from === DIALECT && !seal.value.includes(' ') ? { ...seal, value: `${str(item['id'])} ${value}` } : seal
}

function contentOf(item: Raw, key: string, where: string): (TextPart | MediaPart)[] {
  const content = item[key]
  const place = `${where}.${key}`
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content, at: place }]
  return objects(item, key, where).map((part, index) => partOf(part, `${place}[${index}]`))
}

function partOf(part: Raw, at: string): TextPart | MediaPart {
  only(part, at, PART)
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { kind: 'text', text: mustText(part, 'text', at), at }
    case 'refusal':
      return { kind: 'text', text: mustText(part, 'refusal', at), at }
    case 'input_image':
      if (has(part, 'file_id')) return refuse(`${at}.file_id`)
      return mediaFrom(imageUrl(part, at), 'image', at, { detail: text(part, 'detail', at) })
    case 'input_file':
      if (has(part, 'file_id')) return refuse(`${at}.file_id`)
      return mediaFrom(text(part, 'file_url', at) ?? mustText(part, 'file_data', at), 'document', at, { name: text(part, 'filename', at) })
    default:
      return refuse(`${at}.type`)
  }
}

/** Chat's way of naming a picture, which clients that speak both mix up. */
const imageUrl = (part: Raw, at: string): string =>
  isRaw(part['image_url']) ? mustText(part['image_url'], 'url', `${at}.image_url`) : mustText(part, 'image_url', at)

const TOOL = new Set(['type', 'name', 'description', 'parameters', 'strict', 'defer_loading', 'allowed_callers', 'output_schema', 'async'])

/** A group's description is for the model: without groups, each of its tools begins with it. */
function toolsOf(tool: Raw, where: string, spaces: Map<string, { readonly space: string; readonly name: string }>): Tool[] {
  if (tool['type'] !== 'namespace') return [toolOf(tool, where)]
  only(tool, where, new Set(['type', 'name', 'description', 'tools']))
  const space = mustText(tool, 'name', where)
  const about = text(tool, 'description', where) ?? ''
  return objects(tool, 'tools', where).map((inner, at) => {
    const one = toolOf(inner, `${where}.tools[${at}]`)
    const name = flatName(space, one.name)
    spaces.set(name, { space, name: one.name })
    return { ...one, name, description: [about, one.description ?? ''].filter((words) => words !== '').join('\n\n') || undefined }
  })
}

function toolOf(tool: Raw, where: string): Tool {
  if (tool['type'] !== 'function') return refuse(`${where}.type`)
  only(tool, where, TOOL)
  for (const key of ['defer_loading', 'async']) if (tool[key] === true) refuse(`${where}.${key}`)
  if (texts(tool, 'allowed_callers', where).some((caller) => caller !== 'direct')) refuse(`${where}.allowed_callers`)
  // Output schemas are for programs that call tools, which we do not run.
  return {
    at: where,
    name: mustText(tool, 'name', where),
    description: text(tool, 'description', where),
    schema: object(tool, 'parameters', where) ?? { type: 'object', properties: {} },
    strict: flag(tool, 'strict', where),
  }
}

function choiceOf(body: Raw): Choice | undefined {
  const choice = body['tool_choice']
  if (choice === undefined || choice === null) return undefined
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice, names: [] }
  if (!isRaw(choice)) return refuse('tool_choice')
  if (choice['type'] === 'function') return { mode: 'required', names: [mustText(choice, 'name', 'tool_choice')] }
  if (choice['type'] !== 'allowed_tools') return refuse('tool_choice.type')
  return { mode: choice['mode'] === 'required' ? 'required' : 'auto', names: list(choice['tools']).map((tool) => str(tool['name'])) }
}
