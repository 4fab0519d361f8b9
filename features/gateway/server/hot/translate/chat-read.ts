import { isRaw } from '../usage.ts'
import type { Raw } from '../usage.ts'
import type { Ask, Choice, MediaPart, Part, Seal, TextPart, ThinkingPart, Tool, Turn } from './form.ts'
import { checkTier, effortOf, formatOf, mediaFrom, mediumOnly } from './openai-read.ts'
import { argsOf, flag, has, join, list, mustText, number, obj, object, objects, only, refuse, str, text, texts, uncarry, unlessDefault } from './reading.ts'

/** `max_tokens` is the older name of `max_completion_tokens`. What steers bookkeeping, not the answer, is read over. */
const KNOWN = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'seed', 'stop', 'n'],
  ...[
    'presence_penalty',
    'frequency_penalty',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
    'response_format',
    'reasoning_effort',
    'logprobs',
    'top_logprobs',
  ],
  ...['modalities', 'verbosity', 'metadata', 'user', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options'],
  ...['store', 'service_tier'],
])
const MESSAGE = new Set([
  ...['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal', 'reasoning_content', 'reasoning_details'],
  ...['annotations', 'parsed'],
])

export function readChatAsk(body: Raw, stream: boolean): Ask {
  only(body, '', KNOWN)
  if (texts(body, 'modalities', '').some((modality) => modality !== 'text')) refuse('modalities')
  checkTier(body)
  mediumOnly(body, 'verbosity', '')
  const messages = objects(body, 'messages', '')
  if (messages.length === 0) refuse('messages', 'must not be empty')
  const first = messages.findIndex((message) => message['role'] !== 'system' && message['role'] !== 'developer')
  const opening = first < 0 ? messages.length : first
  return {
    stream,
    system: messages.slice(0, opening).flatMap((message, at) => onlyText(contentOf(message, `messages[${at}]`))),
    turns: turnsOf(messages, opening),
    tools: objects(body, 'tools', '').map(toolOf),
    choice: choiceOf(body),
    parallel: flag(body, 'parallel_tool_calls', ''),
    maxTokens: number(body, 'max_completion_tokens', '') ?? number(body, 'max_tokens', ''),
    stops: texts(body, 'stop', ''),
    settings: {
      temperature: unlessDefault(number(body, 'temperature', ''), 1),
      topP: unlessDefault(number(body, 'top_p', ''), 1),
      topK: undefined,
      seed: number(body, 'seed', ''),
      presencePenalty: number(body, 'presence_penalty', '') || undefined,
      frequencyPenalty: number(body, 'frequency_penalty', '') || undefined,
    },
    format: formatOf(object(body, 'response_format', ''), 'response_format', 'json_schema'),
    thinking: has(body, 'reasoning_effort') ? { effort: effortOf(body, 'reasoning_effort', ''), budget: undefined, shown: true } : undefined,
    copies: number(body, 'n', '') ?? 1,
    logprobs: flag(body, 'logprobs', '') === true ? { top: number(body, 'top_logprobs', '') } : undefined,
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
      format: 'response_format',
      thinking: 'reasoning_effort',
      copies: 'n',
      logprobs: 'logprobs',
    },
  }
}

function toolOf(tool: Raw, at: number): Tool {
  const where = `tools[${at}]`
  if (tool['type'] !== 'function') return refuse(join(where, 'type'))
  const it = object(tool, 'function', where) ?? refuse(join(where, 'function'), 'is required')
  return {
    at: where,
    name: mustText(it, 'name', `${where}.function`),
    description: text(it, 'description', `${where}.function`),
    schema: object(it, 'parameters', `${where}.function`) ?? { type: 'object', properties: {} },
    strict: flag(it, 'strict', `${where}.function`),
  }
}

function choiceOf(body: Raw): Choice | undefined {
  const choice = body['tool_choice']
  if (choice === undefined || choice === null) return undefined
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice, names: [] }
  if (!isRaw(choice)) return refuse('tool_choice')
  if (choice['type'] === 'function') return { mode: 'required', names: [mustText(object(choice, 'function', 'tool_choice') ?? choice, 'name', 'tool_choice')] }
  if (choice['type'] !== 'allowed_tools') return refuse('tool_choice.type')
  const allowed = object(choice, 'allowed_tools', 'tool_choice') ?? choice
  return {
    mode: allowed['mode'] === 'required' ? 'required' : 'auto',
    names: list(allowed['tools']).map((tool) => str(tool['name']) || str(obj(tool['function'])['name'])),
  }
}

function onlyText(parts: readonly (TextPart | MediaPart)[]): TextPart[] {
  return parts.map((part) => (part.kind === 'text' ? part : refuse(part.at)))
}

/** Messages of one speaker that follow each other are one turn; results of tools belong to the user's. */
function turnsOf(messages: readonly Raw[], from: number): Turn[] {
  const turns: { role: Turn['role']; at: string; parts: Part[] }[] = []
  const names = new Map<string, string>()
  for (let at = from; at < messages.length; at++) {
    const message = messages[at]!
    const where = `messages[${at}]`
    only(message, where, MESSAGE)
    if (has(message, 'name') && message['role'] !== 'tool') refuse(`${where}.name`)
    const parts = partsOf(message, where, names)
    const role = roleOf(message, where)
    const open = turns.at(-1)
    if (open?.role === role) open.parts.push(...parts)
    else turns.push({ role, at: `${where}.role`, parts })
  }
  return turns
}

function roleOf(message: Raw, where: string): Turn['role'] {
  const role = message['role']
  if (role === 'assistant') return 'assistant'
  if (role === 'system' || role === 'developer') return 'system'
  return role === 'user' || role === 'tool' ? 'user' : refuse(`${where}.role`)
}

function partsOf(message: Raw, where: string, names: Map<string, string>): Part[] {
  if (message['role'] === 'tool') {
    const id = mustText(message, 'tool_call_id', where)
    return [
      {
        kind: 'result',
        at: where,
        id,
        name: names.get(id) ?? refuse(`${where}.tool_call_id`, 'answers no tool call before it'),
        parts: contentOf(message, where),
        isError: false,
      },
    ]
  }
  const content = contentOf(message, where)
  if (message['role'] !== 'assistant') return content
  const refusal = text(message, 'refusal', where)
  const calls = objects(message, 'tool_calls', where).map((call, at): Part => {
    const place = `${where}.tool_calls[${at}]`
    if (call['type'] !== undefined && call['type'] !== 'function') return refuse(`${place}.type`)
    const it = object(call, 'function', place) ?? refuse(`${place}.function`, 'is required')
    const id = mustText(call, 'id', place)
    const name = mustText(it, 'name', `${place}.function`)
    names.set(id, name)
    return { kind: 'call', at: place, id, name, args: argsOf(it, 'arguments', `${place}.function`), seal: sealOf(call) }
  })
  return [...thinkingOf(message, where), ...content, ...(refusal ? [{ kind: 'text' as const, text: refusal, at: `${where}.refusal` }] : []), ...calls]
}

/** Where Google's own OpenAI-compatible API puts the signature of a call. https://ai.google.dev/gemini-api/docs/thought-signatures */
function sealOf(call: Raw): Seal | undefined {
  const signature = str(obj(obj(call['extra_content'])['google'])['thought_signature'])
  return signature === '' ? undefined : uncarry(signature, 'gemini-generate')
}

/** `reasoning_details` is what we gave with the answer; without it the thoughts have no proof and stay text of ours. */
function thinkingOf(message: Raw, where: string): ThinkingPart[] {
  const details = list(message['reasoning_details'])
  return details.map((detail, at) => {
    const value = str(detail['signature']) || str(detail['data'])
    return {
      kind: 'thinking',
      at: `${where}.reasoning_details[${at}]`,
      text: str(detail['text']),
      seal: value === '' ? undefined : uncarry(value, 'openai-chat'),
    }
  })
}

function contentOf(message: Raw, where: string): (TextPart | MediaPart)[] {
  const content = message['content']
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content, at: `${where}.content` }]
  return objects(message, 'content', where).map((part, at) => partOf(part, `${where}.content[${at}]`))
}

function partOf(part: Raw, at: string): TextPart | MediaPart {
  only(part, at, new Set(['type', 'text', 'refusal', 'image_url', 'input_audio', 'file']))
  switch (part['type']) {
    case 'text':
      return { kind: 'text', text: mustText(part, 'text', at), at }
    case 'refusal':
      return { kind: 'text', text: mustText(part, 'refusal', at), at }
    case 'image_url': {
      const image = object(part, 'image_url', at) ?? refuse(`${at}.image_url`, 'is required')
      return mediaFrom(mustText(image, 'url', `${at}.image_url`), 'image', `${at}.image_url`, { detail: text(image, 'detail', at) })
    }
    case 'input_audio': {
      const audio = object(part, 'input_audio', at) ?? refuse(`${at}.input_audio`, 'is required')
      const format = mustText(audio, 'format', `${at}.input_audio`)
      return {
        kind: 'audio',
        at,
        mime: format === 'mp3' ? 'audio/mpeg' : `audio/${format}`,
        data: mustText(audio, 'data', `${at}.input_audio`),
        url: undefined,
      }
    }
    case 'file': {
      const file = object(part, 'file', at) ?? refuse(`${at}.file`, 'is required')
      if (has(file, 'file_id')) return refuse(`${at}.file.file_id`)
      return mediaFrom(mustText(file, 'file_data', `${at}.file`), 'document', `${at}.file.file_data`, { name: text(file, 'filename', at) })
    }
    default:
      return refuse(`${at}.type`)
  }
}
