import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import type { NeutralRequest, ToolChoice, MediaPart, MessagePart, Seal, MessageTextPart, ThinkingPart, Tool, ConversationTurn } from '../form.ts'
import { readChatContent } from './parts.ts'
import { THINKING_KEYS, readChatThinking } from './thinking.ts'
import { checkTier, readOpenaiFormat, readVerbosity } from '../openai-read.ts'
import {
  omitBelow,
  readCallArguments,
  readOptionalFlag,
  hasValue,
  joinFieldPath,
  toObjectList,
  readRequiredText,
  readOptionalNumber,
  toObjectOrEmpty,
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

/** Members of the older form, which show that it was used. */
const LEGACY_KEYS = ['functions', 'function_call', 'messages'] as const

/**
 * Functions, the form of tools before several calls at once were possible: converts the request to the current form. Older clients keep
 * them in their histories as well, without ids: a result belongs to the call before it.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
function convertFunctions(body: Raw): Raw {
  const functions = toObjectList(body['functions'])
  const messages = body['messages']
  const isOlder =
    functions.length > 0 || (Array.isArray(messages) && messages.some((one) => isRaw(one) && (isRaw(one['function_call']) || one['role'] === 'function')))
  if (!isOlder) return body
  const rest = Object.fromEntries(Object.entries(body).filter(([key]) => !LEGACY_KEYS.some((one) => one === key)))
  const choice = body['function_call']
  return {
    ...rest,
    messages: Array.isArray(messages) ? convertMessages(messages) : messages,
    ...(functions.length === 0 ? {} : { tools: functions.map((it) => ({ type: 'function', function: it })) }),
    ...(choice === undefined ? {} : { tool_choice: isRaw(choice) ? { type: 'function', function: { name: choice['name'] } } : choice }),
  }
}

function convertMessages(messages: readonly unknown[]): unknown[] {
  let id = ''
  return messages.map((message, at) => {
    if (!isRaw(message)) return message
    const call = message['function_call']
    if (isRaw(call)) {
      id = `call_${at}`
      return {
        ...message,
        function_call: undefined,
        tool_calls: [{ id, type: 'function', function: { name: toTextOrEmpty(call['name']), arguments: call['arguments'] } }],
      }
    }
    return message['role'] === 'function' ? { ...message, role: 'tool', tool_call_id: id } : message
  })
}

/** `max_tokens` is the older name of `max_completion_tokens`. Fields that affect bookkeeping, not the answer, are ignored. */
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
/** Fields that would change the answer: it speaks, searches, runs tools that the caller declares in another form, or follows a grammar. */
const DECISIVE = new Set([
  ...['audio', 'moderation', 'web_search_options', 'plugins', 'search_parameters', 'enable_search', 'data_sources', 'documents'],
  ...['guided_json', 'guided_regex', 'guided_choice', 'guided_grammar', 'grammar', 'suffix', 'previous_response_id'],
])
const MESSAGE = new Set([
  ...['role', 'content', 'tool_calls', 'tool_call_id', 'refusal', 'reasoning_content', 'reasoning_details', 'reasoning'],
  ...['annotations', 'parsed', 'cache_control'],
])
const MESSAGE_DECISIVE = new Set(['audio'])

export function readChatRequest(given: Raw, stream: boolean): NeutralRequest {
  const functions = readObjectList(given, 'functions', '').length > 0
  const body = convertFunctions(given)
  checkKnownMembers(body, '', KNOWN, DECISIVE)
  if (readTextList(body, 'modalities', '').some((modality) => modality !== 'text')) rejectField('modalities')
  checkTier(body)
  // Token numbers mean other words in other models.
  if (Object.keys(readOptionalObject(body, 'logit_bias', '') ?? {}).length > 0) rejectField('logit_bias')
  const thinking = readChatThinking(body)
  const messages = readObjectList(body, 'messages', '')
  if (messages.length === 0) rejectField('messages', 'must not be empty')
  const first = messages.findIndex((message) => message['role'] !== 'system' && message['role'] !== 'developer')
  const opening = first < 0 ? messages.length : first
  return {
    stream,
    system: messages.slice(0, opening).flatMap((message, at) => systemOf(message, `messages[${at}]`)),
    turns: turnsOf(messages, opening),
    tools: readObjectList(body, 'tools', '').map(toolOf),
    choice: choiceOf(body),
    parallel: functions ? false : readOptionalFlag(body, 'parallel_tool_calls', ''),
    functions,
    maxTokens: omitBelow(1, readOptionalNumber(body, 'max_completion_tokens', '') ?? readOptionalNumber(body, 'max_tokens', '')),
    stops: readTextList(body, 'stop', '').filter((stop) => stop !== ''),
    settings: {
      temperature: omitDefault(readOptionalNumber(body, 'temperature', ''), 1),
      topP: omitDefault(omitBelow(0, readOptionalNumber(body, 'top_p', '')), 1),
      topK: omitBelow(1, readOptionalNumber(body, 'top_k', '')),
      seed: readOptionalNumber(body, 'seed', ''),
      presencePenalty: readOptionalNumber(body, 'presence_penalty', '') || undefined,
      frequencyPenalty: readOptionalNumber(body, 'frequency_penalty', '') || undefined,
    },
    format: readOpenaiFormat(readOptionalObject(body, 'response_format', ''), 'response_format', 'json_schema'),
    thinking: thinking.thinking,
    verbosity: readVerbosity(body, ''),
    cache: readOptionalObject(body, 'cache_control', ''),
    copies: readOptionalNumber(body, 'n', '') ?? 1,
    logprobs: readOptionalFlag(body, 'logprobs', '') === true ? { top: readOptionalNumber(body, 'top_logprobs', '') } : undefined,
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
  if (tool['type'] !== 'function' && hasValue(tool, 'type')) return rejectField(joinFieldPath(where, 'type'))
  checkKnownMembers(tool, where, new Set(['type', 'function', 'cache_control']))
  const it = readOptionalObject(tool, 'function', where) ?? rejectField(joinFieldPath(where, 'function'), 'is required')
  checkKnownMembers(it, `${where}.function`, new Set(['name', 'description', 'parameters', 'strict', 'cache_control']))
  return {
    at: where,
    name: readRequiredText(it, 'name', `${where}.function`),
    description: readOptionalText(it, 'description', `${where}.function`),
    schema: readOptionalObject(it, 'parameters', `${where}.function`) ?? { type: 'object', properties: {} },
    strict: readOptionalFlag(it, 'strict', `${where}.function`),
    cache: readOptionalObject(tool, 'cache_control', where) ?? readOptionalObject(it, 'cache_control', `${where}.function`),
  }
}

function choiceOf(body: Raw): ToolChoice | undefined {
  const choice = body['tool_choice']
  if (choice === undefined || choice === null) return undefined
  const word = isRaw(choice) ? choice['type'] : choice
  if (word === 'auto' || word === 'none' || word === 'required') return { mode: word, names: [] }
  if (word === 'any') return { mode: 'required', names: [] }
  if (!isRaw(choice)) return rejectField('tool_choice')
  if (choice['type'] === 'function' || choice['type'] === 'tool')
    return { mode: 'required', names: [readRequiredText(readOptionalObject(choice, 'function', 'tool_choice') ?? choice, 'name', 'tool_choice')] }
  if (choice['type'] !== 'allowed_tools') return rejectField('tool_choice.type')
  const allowed = readOptionalObject(choice, 'allowed_tools', 'tool_choice') ?? choice
  return {
    mode: allowed['mode'] === 'required' ? 'required' : 'auto',
    names: toObjectList(allowed['tools']).map((tool) => toTextOrEmpty(tool['name']) || toTextOrEmpty(toObjectOrEmpty(tool['function'])['name'])),
  }
}

function systemOf(message: Raw, where: string): MessageTextPart[] {
  checkKnownMembers(message, where, MESSAGE, MESSAGE_DECISIVE)
  return requireTextParts(markCache(readChatContent(message, where), readOptionalObject(message, 'cache_control', where)) as (MessageTextPart | MediaPart)[])
}

function requireTextParts(parts: readonly (MessageTextPart | MediaPart)[]): MessageTextPart[] {
  return parts.map((part) => (part.kind === 'text' ? part : rejectField(part.at)))
}

/** Consecutive messages of one speaker are one turn; results of tools belong to the user's. */
function turnsOf(messages: readonly Raw[], from: number): ConversationTurn[] {
  const turns: { role: ConversationTurn['role']; at: string; parts: MessagePart[] }[] = []
  const names = new Map<string, string>()
  for (let at = from; at < messages.length; at++) {
    const message = messages[at]!
    const where = `messages[${at}]`
    checkKnownMembers(message, where, message['role'] === 'tool' ? TOOL_MESSAGE : MESSAGE, MESSAGE_DECISIVE)
    const parts = markCache(partsOf(message, where, names), readOptionalObject(message, 'cache_control', where))
    const role = roleOf(message, where)
    const open = turns.at(-1)
    if (open?.role === role) open.parts.push(...parts)
    else turns.push({ role, at: `${where}.role`, parts })
  }
  return turns
}

/** The name adds no information to the call's id. */
const TOOL_MESSAGE = new Set([...MESSAGE, 'name'])

/** A cache mark on a message applies to its last part. */
function markCache(parts: MessagePart[], cache: Raw | undefined): MessagePart[] {
  const last = parts.at(-1)
  return cache === undefined || last === undefined || last.kind === 'thinking' ? parts : [...parts.slice(0, -1), { ...last, cache }]
}

function roleOf(message: Raw, where: string): ConversationTurn['role'] {
  const role = message['role']
  if (role === 'assistant') return 'assistant'
  if (role === 'system' || role === 'developer') return 'system'
  return role === 'user' || role === 'tool' ? 'user' : rejectField(`${where}.role`)
}

function partsOf(message: Raw, where: string, names: Map<string, string>): MessagePart[] {
  if (message['role'] === 'tool') {
    const id = readRequiredText(message, 'tool_call_id', where)
    return [
      {
        kind: 'result',
        at: where,
        id,
        name: names.get(id) ?? rejectField(`${where}.tool_call_id`, 'answers no tool call before it'),
        parts: readChatContent(message, where),
        isError: false,
      },
    ]
  }
  const content = readChatContent(message, where)
  if (message['role'] !== 'assistant') return content
  const refusal = readOptionalText(message, 'refusal', where)
  const calls = readObjectList(message, 'tool_calls', where).map((call, at): MessagePart => {
    const place = `${where}.tool_calls[${at}]`
    if (call['type'] !== undefined && call['type'] !== 'function') return rejectField(`${place}.type`)
    const it = readOptionalObject(call, 'function', place) ?? rejectField(`${place}.function`, 'is required')
    const id = readRequiredText(call, 'id', place)
    const name = readRequiredText(it, 'name', `${place}.function`)
    names.set(id, name)
    return { kind: 'call', at: place, id, name, args: readCallArguments(it, 'arguments', `${place}.function`), seal: sealOf(call) }
  })
  return [...thinkingOf(message, where), ...content, ...(refusal ? [{ kind: 'text' as const, text: refusal, at: `${where}.refusal` }] : []), ...calls]
}

/** Reads a call's signature from its place in Google's OpenAI-compatible API. https://ai.google.dev/gemini-api/docs/thought-signatures */
function sealOf(call: Raw): Seal | undefined {
  const signature = toTextOrEmpty(toObjectOrEmpty(toObjectOrEmpty(call['extra_content'])['google'])['thought_signature'])
  return signature === '' ? undefined : unwrapSeal(signature, 'gemini-generate')
}

/** `reasoning_details` is the field that we returned with the answer; without it the thoughts have no proof and remain plain text. */
function thinkingOf(message: Raw, where: string): ThinkingPart[] {
  const details = toObjectList(message['reasoning_details'])
  return details.map((detail, at) => {
    const value = toTextOrEmpty(detail['signature']) || toTextOrEmpty(detail['data'])
    return {
      kind: 'thinking',
      at: `${where}.reasoning_details[${at}]`,
      text: toTextOrEmpty(detail['text']),
      seal: value === '' ? undefined : unwrapSeal(value, 'openai-chat'),
    }
  })
}
