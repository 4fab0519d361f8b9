import { withoutMarkers, type Knobs } from '../read/knobs.ts'
import { idFrom, type Ask, type Block } from '../read/ask.ts'
import type { GeneratedAnswer } from '../answer.ts'
import { refuse, refusal } from './errors.ts'
import { isObject, toList, num, obj, objects, str, strings, type Json, type JsonObject } from '../read/json.ts'
import { messageBlock, readContent, readToolChoice, readTools, thoughtsFor, toolBlock, type Content } from '../read/openai-parts.ts'
import { EVENT_STREAM, JSON_TYPE, framer, grouped, type WrittenReply, type Writing } from './reply.ts'
import { REQUEST_TOKENS, countTokens } from '../tokens.ts'
import { reported, usageFor } from '../usage.ts'

export function readChat(body: JsonObject, knobsOf: (text: string) => Knobs): Ask {
  const model = str(body['model']) ?? refuse('you must provide a model parameter')
  const messages = objects(body['messages'])
  if (!messages.length) refuse("Missing required parameter: 'messages'.", { param: 'messages', code: 'missing_required_parameter' })
  checkToolTurns(messages)
  const contents = messages.map((message, at) => readContent(message['content'], `messages[${at}].content`))
  const asked = contents.findLast((_, at) => messages[at]!['role'] === 'user')?.text ?? contents.at(-1)!.text
  const tools = objects(body['tools'])
  const knobs = knobsOf(asked)
  return {
    dialect: 'openai-chat',
    model,
    stream: body['stream'] === true,
    knobs,
    blocks: blocksOf(tools, messages, contents, body['response_format']),
    question: withoutMarkers(asked),
    images: contents.reduce((sum, content) => sum + content.images, 0),
    toolResults: endingToolResults(messages, contents),
    tools: readTools(tools),
    toolChoice: readToolChoice(body['tool_choice']),
    parallelTools: body['parallel_tool_calls'] !== false,
    maxTokens: num(body['max_completion_tokens']) ?? num(body['max_tokens']),
    stops: typeof body['stop'] === 'string' ? [body['stop']] : strings(body['stop']),
    answers: Math.min(8, Math.max(1, num(body['n']) ?? 1)),
    json: readFormat(body['response_format']),
    thinking: knobs.thinking ?? thoughtsFor(model, str(body['reasoning_effort'])),
  }
}

function blocksOf(tools: readonly JsonObject[], messages: readonly JsonObject[], contents: readonly Content[], format: Json | undefined): Block[] {
  const schema = isObject(format) && format['json_schema'] ? JSON.stringify(format) : ''
  return [
    { text: '', tokens: REQUEST_TOKENS },
    ...toolBlock(tools),
    ...(schema ? [{ text: schema, tokens: countTokens(schema) }] : []),
    ...messages.map((message, at) =>
      messageBlock(str(message['role']) ?? '', contents[at]!, message['tool_calls'] ? JSON.stringify(message['tool_calls']) : ''),
    ),
  ]
}

function endingToolResults(messages: readonly JsonObject[], contents: readonly Content[]): string[] {
  const from = messages.findLastIndex((message) => message['role'] !== 'tool') + 1
  return contents.slice(from).map((content) => content.text)
}

function readFormat(format: Json | undefined): Ask['json'] {
  const type = obj(format)['type']
  if (type === 'json_object') return 'any'
  return type === 'json_schema' ? obj(obj(obj(format)['json_schema'])['schema']) : 'no'
}

function checkToolTurns(messages: readonly JsonObject[]): void {
  let open = new Set<string>()
  for (const [at, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      const id = str(message['tool_call_id']) ?? ''
      if (!open.delete(id))
        refuse("Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.", { param: `messages[${at}].role` })
      continue
    }
    if (open.size)
      refuse(`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${[...open].join(', ')}`, {
        param: `messages[${at}].role`,
      })
    open = new Set(objects(message['tool_calls']).map((call) => str(call['id']) ?? ''))
  }
}

const FINISH = { 'stop': 'stop', 'stop-sequence': 'stop', 'length': 'length', 'tools': 'tool_calls' } as const

export function writeChat(writing: Writing, body: JsonObject): WrittenReply {
  const { ask, answers, counts } = writing
  const usage = reported(counts, ask.knobs.fault)
  const tier = ['flex', 'priority'].includes(str(body['service_tier']) ?? '') ? body['service_tier'] : 'default'
  const head = { id: idFrom('chatcmpl-', writing.id, 29), created: writing.created, model: ask.model, service_tier: tier, system_fingerprint: 'fp_sandbox0001' }
  const midError: WrittenReply['midError'] = () => `data: ${JSON.stringify(refusal('openai', 'error').body)}\n\n`
  if (ask.stream) {
    const withUsage = obj(body['stream_options'])['include_usage'] === true
    return { contentType: EVENT_STREAM, counts, midError, frames: stream(writing, head, withUsage, usage && usageFor('openai-chat', usage)) }
  }
  const whole = {
    ...head,
    object: 'chat.completion',
    choices: answers.map((answer, index) => ({ index, message: message(answer, writing.id, index), logprobs: null, finish_reason: FINISH[answer.finish] })),
    ...(usage ? { usage: usageFor('openai-chat', usage) } : {}),
  }
  return { contentType: JSON_TYPE, counts, midError, frames: [{ data: JSON.stringify(whole), output: counts.output, reasoning: counts.reasoning }] }
}

function message(answer: GeneratedAnswer, id: string, choice: number): JsonObject {
  return {
    role: 'assistant',
    content: answer.calls.length ? null : answer.text.join(''),
    refusal: null,
    annotations: [],
    ...(answer.calls.length
      ? {
          tool_calls: answer.calls.map((call, at) => ({
            id: callId(id, choice, at),
            type: 'function',
            function: { name: call.name, arguments: call.arguments.join('') },
          })),
        }
      : {}),
  }
}

function callId(id: string, choice: number, at: number): string {
  return idFrom('call_', `${id} ${choice} ${at}`)
}

function stream({ ask, answers, id }: Writing, head: JsonObject, withUsage: boolean, usage: JsonObject | undefined): WrittenReply['frames'] {
  const out = framer((event) => `data: ${JSON.stringify(event)}\n\n`)
  const chunk = (choices: Json): JsonObject => ({ ...head, object: 'chat.completion.chunk', choices, ...(withUsage ? { usage: null } : {}) })
  for (const [index, answer] of answers.entries()) {
    const send = (delta: JsonObject, tokens = 0, thought = 0, finish: string | null = null) =>
      out.add(chunk([{ index, delta, logprobs: null, finish_reason: finish }]), tokens, thought)
    send({ role: 'assistant', content: answer.calls.length ? null : '', refusal: null }, answer.reasoning, answer.reasoning)
    for (const group of grouped(answer.text, ask.knobs.pieces)) send({ content: group.text }, group.tokens)
    for (const [at, call] of answer.calls.entries()) {
      send({ tool_calls: [{ index: at, id: callId(id, index, at), type: 'function', function: { name: call.name, arguments: '' } }] }, countTokens(call.name))
      for (const group of grouped(call.arguments, ask.knobs.pieces)) send({ tool_calls: [{ index: at, function: { arguments: group.text } }] }, group.tokens)
    }
    send({}, 0, 0, FINISH[answer.finish])
  }
  if (withUsage && usage) out.last({ ...chunk([]), usage })
  out.raw('data: [DONE]\n\n')
  return out.frames
}

/** Embeddings take a text, texts, or token arrays. */
export function embeddingTexts(input: Json | undefined): string[] {
  if (typeof input === 'string') return [input]
  const items = toList(input)
  if (items.every((item) => typeof item === 'number') && items.length) return [items.join(' ')]
  return items.map((item) => (typeof item === 'string' ? item : toList(item).join(' ')))
}
