import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import type { Ask, Choice, MediaPart, Part, Seal, TextPart, ThinkingPart, Tool, Turn } from '../form.ts'
import { contentOf } from './parts.ts'
import { withTools } from './functions.ts'
import { THINKING_KEYS, chatThinking } from './thinking.ts'
import { checkTier, formatOf, verbosityOf } from '../openai-read.ts'
import {
  above,
  argsOf,
  flag,
  has,
  join,
  list,
  mustText,
  number,
  obj,
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
  ...['store', 'service_tier', 'top_k', 'logit_bias', 'cache_control', 'functions', 'function_call', ...THINKING_KEYS],
])
/** Without these the answer would be another one: it speaks, searches, runs what the caller has in another form, or keeps to a grammar. */
const DECISIVE = new Set([
  ...['audio', 'moderation', 'web_search_options', 'plugins', 'search_parameters', 'enable_search', 'data_sources', 'documents'],
  ...['guided_json', 'guided_regex', 'guided_choice', 'guided_grammar', 'grammar', 'suffix', 'previous_response_id'],
])
const MESSAGE = new Set([
  ...['role', 'content', 'tool_calls', 'tool_call_id', 'refusal', 'reasoning_content', 'reasoning_details', 'reasoning'],
  ...['annotations', 'parsed', 'cache_control'],
])
const MESSAGE_DECISIVE = new Set(['audio'])

export function readChatAsk(given: Raw, stream: boolean): Ask {
  const functions = objects(given, 'functions', '').length > 0
  const body = withTools(given)
  only(body, '', KNOWN, DECISIVE)
  if (texts(body, 'modalities', '').some((modality) => modality !== 'text')) refuse('modalities')
  checkTier(body)
  // Numbers of tokens mean other words elsewhere.
  if (Object.keys(object(body, 'logit_bias', '') ?? {}).length > 0) refuse('logit_bias')
  const thinking = chatThinking(body)
  const messages = objects(body, 'messages', '')
  if (messages.length === 0) refuse('messages', 'must not be empty')
  const first = messages.findIndex((message) => message['role'] !== 'system' && message['role'] !== 'developer')
  const opening = first < 0 ? messages.length : first
  return {
    stream,
    system: messages.slice(0, opening).flatMap((message, at) => systemOf(message, `messages[${at}]`)),
    turns: turnsOf(messages, opening),
    tools: objects(body, 'tools', '').map(toolOf),
    choice: choiceOf(body),
    parallel: functions ? false : flag(body, 'parallel_tool_calls', ''),
    functions,
    maxTokens: above(1, number(body, 'max_completion_tokens', '') ?? number(body, 'max_tokens', '')),
    stops: texts(body, 'stop', '').filter((stop) => stop !== ''),
    settings: {
      temperature: unlessDefault(number(body, 'temperature', ''), 1),
      topP: unlessDefault(above(0, number(body, 'top_p', '')), 1),
      topK: above(1, number(body, 'top_k', '')),
      seed: number(body, 'seed', ''),
      presencePenalty: number(body, 'presence_penalty', '') || undefined,
      frequencyPenalty: number(body, 'frequency_penalty', '') || undefined,
    },
    format: formatOf(object(body, 'response_format', ''), 'response_format', 'json_schema'),
    thinking: thinking.thinking,
    verbosity: verbosityOf(body, ''),
    cache: object(body, 'cache_control', ''),
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
      thinking: thinking.at,
      verbosity: 'verbosity',
      copies: 'n',
      logprobs: 'logprobs',
    },
  }
}

function toolOf(tool: Raw, at: number): Tool {
  const where = `tools[${at}]`
  if (tool['type'] !== 'function' && has(tool, 'type')) return refuse(join(where, 'type'))
  only(tool, where, new Set(['type', 'function', 'cache_control']))
  const it = object(tool, 'function', where) ?? refuse(join(where, 'function'), 'is required')
  only(it, `${where}.function`, new Set(['name', 'description', 'parameters', 'strict', 'cache_control']))
  return {
    at: where,
    name: mustText(it, 'name', `${where}.function`),
    description: text(it, 'description', `${where}.function`),
    schema: object(it, 'parameters', `${where}.function`) ?? { type: 'object', properties: {} },
    strict: flag(it, 'strict', `${where}.function`),
    cache: object(tool, 'cache_control', where) ?? object(it, 'cache_control', `${where}.function`),
  }
}

function choiceOf(body: Raw): Choice | undefined {
  const choice = body['tool_choice']
  if (choice === undefined || choice === null) return undefined
  const word = isRaw(choice) ? choice['type'] : choice
  if (word === 'auto' || word === 'none' || word === 'required') return { mode: word, names: [] }
  if (word === 'any') return { mode: 'required', names: [] }
  if (!isRaw(choice)) return refuse('tool_choice')
  if (choice['type'] === 'function' || choice['type'] === 'tool')
    return { mode: 'required', names: [mustText(object(choice, 'function', 'tool_choice') ?? choice, 'name', 'tool_choice')] }
  if (choice['type'] !== 'allowed_tools') return refuse('tool_choice.type')
  const allowed = object(choice, 'allowed_tools', 'tool_choice') ?? choice
  return {
    mode: allowed['mode'] === 'required' ? 'required' : 'auto',
    names: list(allowed['tools']).map((tool) => str(tool['name']) || str(obj(tool['function'])['name'])),
  }
}

function systemOf(message: Raw, where: string): TextPart[] {
  only(message, where, MESSAGE, MESSAGE_DECISIVE)
  return onlyText(marked(contentOf(message, where), object(message, 'cache_control', where)) as (TextPart | MediaPart)[])
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
    only(message, where, message['role'] === 'tool' ? TOOL_MESSAGE : MESSAGE, MESSAGE_DECISIVE)
    const parts = marked(partsOf(message, where, names), object(message, 'cache_control', where))
    const role = roleOf(message, where)
    const open = turns.at(-1)
    if (open?.role === role) open.parts.push(...parts)
    else turns.push({ role, at: `${where}.role`, parts })
  }
  return turns
}

/** The name adds nothing to the call's id. */
const TOOL_MESSAGE = new Set([...MESSAGE, 'name'])

/** A mark on a message is one on the last of what it says. */
function marked(parts: Part[], cache: Raw | undefined): Part[] {
  const last = parts.at(-1)
  return cache === undefined || last === undefined || last.kind === 'thinking' ? parts : [...parts.slice(0, -1), { ...last, cache }]
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

/** Reads a call's signature from its place in Google's OpenAI-compatible API. https://ai.google.dev/gemini-api/docs/thought-signatures */
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
