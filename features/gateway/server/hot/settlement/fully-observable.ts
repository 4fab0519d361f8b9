import type { GatewayCall } from '../call.ts'
import { isRaw } from '../usage/usage.ts'
import type { Raw } from '../usage/usage.ts'

/**
 * True if everything that the vendor can bill passes through here as text, so that an abort can be charged fairly: a streamed text
 * answer to a text request, from a model that does not reason or has reasoning off, without tools, at an upstream that stops on
 * abort. Uses an allow-list: a request with any other member is read to its end. Called when a client has disconnected.
 */
export function isFullyObservable(call: GatewayCall): boolean {
  const members = MEMBERS[call.rules!.id]
  if (members === undefined || !call.facts!.stream || call.facts!.media !== undefined) return false
  if (call.route!.upstream.billsAfterAbort) return false
  const body = parseBodyObject(call.body)
  if (body === undefined || !Object.keys(body).every((key) => COMMON.has(key) || members.has(key) || isEmpty(body[key]))) return false
  return isThinkingDisabled(call, body) && TEXTS.every((key) => isText(body[key]))
}

const COMMON: ReadonlySet<string> = new Set(['model', 'stream', 'temperature', 'top_p', 'metadata'])
const OPENAI = ['stream_options', 'user', 'store', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention']
const SAMPLING = ['n', 'stop', 'seed', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'max_tokens']
const MEMBERS: Readonly<Partial<Record<string, ReadonlySet<string>>>> = {
  'openai-chat': new Set([
    ...OPENAI,
    ...SAMPLING,
    'messages',
    'max_completion_tokens',
    'logprobs',
    'top_logprobs',
    'response_format',
    'verbosity',
    'reasoning_effort',
  ]),
  'openai-completions': new Set([...OPENAI, ...SAMPLING, 'prompt', 'logprobs']),
  'openai-responses': new Set([...OPENAI, 'input', 'instructions', 'max_output_tokens', 'text', 'truncation', 'reasoning', 'parallel_tool_calls', 'include']),
  'anthropic-messages': new Set(['messages', 'system', 'max_tokens', 'top_k', 'stop_sequences', 'thinking']),
}
/** Members with input, for all dialects. */
const TEXTS = ['messages', 'system', 'input', 'instructions', 'prompt']
const TEXT_TYPES: ReadonlySet<unknown> = new Set([undefined, 'text', 'input_text', 'output_text', 'message', 'refusal'])
const PART_MEMBERS: ReadonlySet<string> = new Set(['type', 'role', 'content', 'text', 'name', 'id', 'status', 'refusal', 'annotations', 'cache_control'])

function parseBodyObject(body: Buffer): Raw | undefined {
  // Large bodies are released at the first byte and cannot be checked any more.
  if (body.length === 0 || body.length > MAX_CHECKED_BYTES) return undefined
  try {
    const value: unknown = JSON.parse(body.toString('utf8', body[0] === 0xef ? 3 : 0))
    return isRaw(value) ? value : undefined
  } catch {
    return undefined
  }
}
const MAX_CHECKED_BYTES = 262_144

/** `tools: []`, `tool_choice: null`. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Text, messages of text, parts that are text: nothing that is fetched, drawn, heard or run. */
function isText(value: unknown, depth = 0): boolean {
  if (isEmpty(value) || typeof value === 'string') return true
  if (depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((one) => isText(one, depth + 1))
  if (!isRaw(value) || !TEXT_TYPES.has(value['type'])) return false
  return Object.keys(value).every((key) => PART_MEMBERS.has(key) || isEmpty(value[key])) && isText(value['content'], depth + 1)
}
const MAX_DEPTH = 6

function isThinkingDisabled(call: GatewayCall, body: Raw): boolean {
  const { capabilities, traits } = call.model!
  const thinking = isRaw(body['thinking']) ? body['thinking']['type'] : undefined
  const effort = body['reasoning_effort'] ?? (isRaw(body['reasoning']) ? body['reasoning']['effort'] : undefined)
  if (call.rules!.surface === 'anthropic') {
    if (traits?.has('always-thinks') === true) return false
    return thinking === 'disabled' || (isEmpty(body['thinking']) && traits?.has('thinks-unless-told') !== true)
  }
  return effort === 'none' || (isEmpty(effort) && !capabilities.includes('thinking'))
}
