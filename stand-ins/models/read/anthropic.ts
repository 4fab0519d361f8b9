import { sealIsGenuine, sign, type Ask, type Block } from './ask.ts'
import { refuse } from '../write/errors.ts'
import { isObject, num, obj, objects, str, strings, type Json, type JsonObject } from './json.ts'
import { withoutMarkers, type Knobs } from './knobs.ts'
import { MEDIA_TOKENS, MESSAGE_TOKENS, REQUEST_TOKENS, countTokens } from '../tokens.ts'

const VERSIONS = ['2023-01-01', '2023-06-01', '2026-10-21']
/** Tokens of thought when thinking is on and no marker says otherwise. */
const THOUGHTS = 24

export function readMessages(body: JsonObject, version: string | undefined, knobsOf: (text: string) => Knobs, counting: boolean): Ask {
  checkVersion(body, version)
  const model = str(body['model']) ?? refuse('model: Field required')
  const messages = objects(body['messages'])
  if (!messages.length) refuse('messages: at least one message is required')
  const cap = num(body['max_tokens'])
  if (!counting) {
    if (cap === undefined) refuse('max_tokens: Field required')
    if (cap !== undefined && cap < 1) refuse('max_tokens: Input should be greater than or equal to 1')
  }
  checkMarks(body, messages)
  const thinking = readThinking(body, messages, cap, counting)
  checkTurns(messages, version)
  const asked = lastQuestion(messages)
  const knobs = knobsOf(asked)
  const choice = obj(body['tool_choice'])
  const format = obj(obj(body['output_config'])['format'] ?? body['output_format'])
  return {
    dialect: 'anthropic-messages',
    model,
    stream: body['stream'] === true,
    knobs,
    blocks: blocksOf(body, messages, format),
    question: withoutMarkers(asked),
    images: messages.flatMap((message) => flat(message['content'])).filter((block) => block['type'] === 'image').length,
    toolResults: flatResults(messages.at(-1)!),
    tools: objects(body['tools'])
      .filter((tool) => tool['input_schema'])
      .map((tool) => ({ name: str(tool['name']) ?? '', description: str(tool['description']) ?? '', schema: obj(tool['input_schema']) })),
    toolChoice: choice['type'] === 'tool' ? [str(choice['name']) ?? ''] : choice['type'] === 'any' ? 'required' : choice['type'] === 'none' ? 'none' : 'auto',
    parallelTools: choice['disable_parallel_tool_use'] !== true,
    maxTokens: cap,
    stops: strings(body['stop_sequences']),
    answers: 1,
    json: format['type'] === 'json_schema' ? obj(format['schema']) : 'no',
    thinking: thinking ? (knobs.thinking ?? thinking) : 0,
  }
}

function checkVersion(body: JsonObject, version: string | undefined): void {
  if (!version) refuse('anthropic-version: header is required')
  if (!VERSIONS.includes(version!)) refuse(`anthropic-version: "${version}" is not a valid version`)
  if (version !== '2026-10-21') return
  for (const name of ['temperature', 'top_p', 'top_k']) if (name in body) refuse(`${name}: Extra inputs are not permitted`)
}

/** Blocks of a message, and those inside its tool results. */
function flat(content: Json | undefined): JsonObject[] {
  return objects(content).flatMap((block) => (block['type'] === 'tool_result' ? [block, ...objects(block['content'])] : [block]))
}

function checkMarks(body: JsonObject, messages: readonly JsonObject[]): void {
  const all = [...objects(body['tools']), ...objects(body['system']), ...messages.flatMap((message) => flat(message['content']))]
  const marks = all.filter((block) => isObject(block['cache_control'])).length + (isObject(body['cache_control']) ? 1 : 0)
  if (marks > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`)
}

function readThinking(body: JsonObject, messages: readonly JsonObject[], cap: number | undefined, counting: boolean): number {
  const thinking = obj(body['thinking'])
  const type = str(thinking['type'])
  if (!type || type === 'disabled') return 0
  const choice = obj(body['tool_choice'])['type']
  if (choice === 'any' || choice === 'tool') refuse('Thinking may not be enabled when tool_choice forces tool use.')
  if (type !== 'enabled') return THOUGHTS
  const budget = num(thinking['budget_tokens']) ?? refuse('thinking.enabled.budget_tokens: Field required')
  if (budget < 1024) refuse('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
  if (!counting && cap !== undefined && budget >= cap) refuse('`max_tokens` must be greater than `thinking.budget_tokens`.')
  const before = messages.at(-2)
  if (before && flatResults(messages.at(-1)!).length) {
    const first = objects(before['content'])[0]?.['type']
    if (first !== 'thinking' && first !== 'redacted_thinking') {
      refuse(
        `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
      )
    }
  }
  return THOUGHTS
}

function checkTurns(messages: readonly JsonObject[], version: string | undefined): void {
  let open = new Set<string>()
  for (const [at, message] of messages.entries()) {
    const where = `messages.${at}`
    const role = message['role']
    if (role !== 'user' && role !== 'assistant' && role !== 'system') refuse(`${where}.role: Input should be 'user' or 'assistant'`)
    const blocks = objects(message['content'])
    if (typeof message['content'] !== 'string' && !blocks.length && at < messages.length - 1)
      refuse(`${where}: all messages must have non-empty content except for the optional final assistant message`)
    for (const [index, block] of blocks.entries()) {
      if (block['type'] === 'tool_result' && !open.delete(str(block['tool_use_id']) ?? '')) {
        refuse(
          `${where}.content.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${str(block['tool_use_id']) ?? ''}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        )
      }
      checkBlock(block, `${where}.content.${index}`, role, version)
    }
    if (open.size) refuse(`${where}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open].join(', ')}.`)
    open = role === 'assistant' ? new Set(blocks.filter((block) => block['type'] === 'tool_use').map((block) => str(block['id']) ?? '')) : new Set()
  }
}

function checkBlock(block: JsonObject, where: string, role: Json | undefined, version: string | undefined): void {
  if (block['type'] === 'thinking' && !genuine(block)) refuse(`${where}: Invalid \`signature\` in \`thinking\` block`)
  if (block['type'] === 'redacted_thinking' && !sealIsGenuine(str(block['data']) ?? '')) refuse(`${where}: Invalid \`data\` in \`redacted_thinking\` block`)
  if (version !== '2026-10-21') return
  if (role === 'assistant' && block['type'] === 'document') refuse(`${where}: \`document\` blocks are not permitted in assistant messages`)
  if (role === 'user' && block['type'] === 'text' && Array.isArray(block['citations']) && block['citations'].length)
    refuse(`${where}.text.citations: Extra inputs are not permitted`)
}

/** An omitted thought comes back empty with the signature it was given. */
function genuine(block: JsonObject): boolean {
  const signature = str(block['signature']) ?? ''
  const thinking = str(block['thinking']) ?? ''
  return signature === sign(thinking) || (thinking === '' && /^omitted:/.test(Buffer.from(signature, 'base64').toString('latin1')))
}

function lastQuestion(messages: readonly JsonObject[]): string {
  for (const message of messages.toReversed()) {
    if (message['role'] !== 'user') continue
    const text =
      typeof message['content'] === 'string'
        ? message['content']
        : objects(message['content'])
            .filter((block) => block['type'] === 'text')
            .map((block) => str(block['text']))
            .join('\n')
    if (text) return text
  }
  return ''
}

function flatResults(message: JsonObject): string[] {
  return objects(message['content'])
    .filter((block) => block['type'] === 'tool_result')
    .map((block) =>
      typeof block['content'] === 'string'
        ? block['content']
        : objects(block['content'])
            .map((part) => str(part['text']) ?? '')
            .join('\n'),
    )
}

function blocksOf(body: JsonObject, messages: readonly JsonObject[], format: JsonObject): Block[] {
  const tools = objects(body['tools']).map((tool) => blockOf(tool))
  const schema = format['type'] ? [{ text: JSON.stringify(format), tokens: countTokens(JSON.stringify(format)) }] : []
  const system =
    typeof body['system'] === 'string'
      ? [{ text: body['system'], tokens: countTokens(body['system']) }]
      : objects(body['system']).map((block) => blockOf(block))
  const turns = messages.flatMap((message): Block[] => {
    const role = str(message['role']) ?? ''
    const head = { text: `\n${role}:`, tokens: MESSAGE_TOKENS }
    return typeof message['content'] === 'string'
      ? [head, { text: message['content'], tokens: countTokens(message['content']) }]
      : [head, ...objects(message['content']).map((block) => blockOf(block))]
  })
  const all: Block[] = [{ text: '', tokens: REQUEST_TOKENS }, ...tools, ...schema, ...system, ...turns]
  const automatic = markOf(body)
  return automatic ? [...all.slice(0, -1), { ...all.at(-1)!, cache: automatic }] : all
}

function markOf(holder: JsonObject): '5m' | '1h' | undefined {
  const control = holder['cache_control']
  return isObject(control) ? (control['ttl'] === '1h' ? '1h' : '5m') : undefined
}

function blockOf(block: JsonObject): Block {
  const { cache_control: _, ...rest } = block
  const text = block['type'] === 'text' ? (str(block['text']) ?? '') : JSON.stringify(rest)
  const inner = block['type'] === 'tool_result' ? objects(block['content']) : []
  const cache = markOf(block) ?? inner.map(markOf).find(Boolean)
  return { text, tokens: tokensOf(block, text, inner), cache }
}

function tokensOf(block: JsonObject, text: string, inner: readonly JsonObject[]): number {
  if (block['type'] === 'image') return MEDIA_TOKENS.anthropic
  if (block['type'] === 'document') return MEDIA_TOKENS.document
  if (block['type'] === 'tool_result' && inner.length) return MESSAGE_TOKENS + inner.reduce((sum, part) => sum + blockOf(part).tokens, 0)
  return countTokens(text)
}
