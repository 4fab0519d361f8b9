import type { GeneratedAnswer } from '../answer.ts'
import { idFrom, seal, type Counts } from '../read/ask.ts'
import { refusal } from './errors.ts'
import { obj, objects, str, strings, type Json, type JsonObject } from '../read/json.ts'
import { EVENT_STREAM, JSON_TYPE, framer, grouped, type Frame, type WrittenReply, type Writing } from './reply.ts'
import { countTokens } from '../tokens.ts'
import { reported, usageFor } from '../usage.ts'

/** Output items of a Responses answer, and the events that build them up. */
export interface WrittenResponse {
  readonly reply: WrittenReply
  readonly response: JsonObject
  readonly items: readonly JsonObject[]
}

export function writeResponse(writing: Writing, body: JsonObject): WrittenResponse {
  const { ask, counts } = writing
  const answer = writing.answers[0]!
  const usage = reported(counts, ask.knobs.fault)
  const shell = shellOf(writing, body)
  const items = itemsOf(answer, writing, body)
  const cut = answer.finish === 'length'
  const end: JsonObject = {
    ...shell,
    status: cut ? 'incomplete' : 'completed',
    completed_at: cut ? null : writing.created,
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    output: items,
    usage: usage ? usageFor('openai-responses', usage) : null,
  }
  const midError: WrittenReply['midError'] = (failed, sent, events) =>
    failed
      ? event(failedEvent(shell, counts, sent, events))
      : event({
          type: 'error',
          code: 'server_error',
          message: str(obj(obj(refusal('openai', 'error').body)['error'])['message'])!,
          param: null,
          sequence_number: events,
        })
  const frames = ask.stream
    ? stream(answer, shell, items, end, ask.knobs.pieces)
    : [{ data: JSON.stringify(end), output: counts.output, reasoning: counts.reasoning }]
  return { response: end, items, reply: { contentType: ask.stream ? EVENT_STREAM : JSON_TYPE, counts, frames, midError } }
}

function event(data: Json): string {
  return `event: ${str(obj(data)['type'])}\ndata: ${JSON.stringify(data)}\n\n`
}

function failedEvent(shell: JsonObject, counts: Counts, sent: Frame | undefined, events: number): JsonObject {
  const usage = usageFor('openai-responses', { ...counts, output: sent?.output ?? 0, reasoning: sent?.reasoning ?? 0 })
  return {
    type: 'response.failed',
    sequence_number: events,
    response: { ...shell, status: 'failed', error: { code: 'server_error', message: 'The server had an error while processing the request.' }, usage },
  }
}

function shellOf({ ask, id, created }: Writing, body: JsonObject): JsonObject {
  const reasoning = obj(body['reasoning'])
  const text = obj(body['text'])
  return {
    id: idFrom('resp_', id, 48),
    object: 'response',
    created_at: created,
    status: 'in_progress',
    access_programs: null,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: body['max_tool_calls'] ?? null,
    model: ask.model,
    output: [],
    parallel_tool_calls: ask.parallelTools,
    previous_response_id: body['previous_response_id'] ?? null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    reasoning: { effort: reasoning['effort'] ?? (ask.thinking ? 'medium' : null), summary: reasoning['summary'] ?? null },
    safety_identifier: body['safety_identifier'] ?? null,
    service_tier: 'default',
    store: body['store'] !== false,
    temperature: body['temperature'] ?? 1,
    text: { format: text['format'] ?? { type: 'text' }, verbosity: text['verbosity'] ?? 'medium' },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: objects(body['tools']),
    top_logprobs: 0,
    top_p: body['top_p'] ?? 1,
    truncation: body['truncation'] ?? 'disabled',
    usage: null,
    user: null,
    metadata: obj(body['metadata']),
  }
}

function itemsOf(answer: GeneratedAnswer, { id, ask }: Writing, body: JsonObject): JsonObject[] {
  const items: JsonObject[] = []
  if (ask.thinking) {
    const thoughts = answer.thoughts.join('')
    const summarised = Boolean(obj(body['reasoning'])['summary'])
    items.push({
      id: idFrom('rs_', `${id} reasoning`, 48),
      type: 'reasoning',
      summary: summarised && thoughts ? [{ type: 'summary_text', text: thoughts }] : [],
      ...(strings(body['include']).includes('reasoning.encrypted_content') ? { encrypted_content: seal(thoughts) } : {}),
    })
  }
  const full = answer.reasoning < ask.thinking
  if (!answer.calls.length && !full) {
    items.push({
      id: idFrom('msg_', `${id} message`, 48),
      type: 'message',
      status: answer.finish === 'length' ? 'incomplete' : 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', annotations: [], logprobs: [], text: answer.text.join('') }],
    })
  }
  for (const [at, call] of answer.calls.entries()) {
    items.push({
      id: idFrom('fc_', `${id} item ${at}`, 48),
      type: 'function_call',
      status: call.whole ? 'completed' : 'incomplete',
      arguments: call.arguments.join(''),
      call_id: idFrom('call_', `${id} call ${at}`),
      name: call.name,
    })
  }
  return items
}

function stream(answer: GeneratedAnswer, shell: JsonObject, items: readonly JsonObject[], end: JsonObject, size: number): Frame[] {
  let sequence = 0
  const out = framer((data) => event(data))
  const send = (type: string, fields: JsonObject, output = 0, reasoning = 0) => out.add({ type, sequence_number: sequence++, ...fields }, output, reasoning)
  send('response.created', { response: shell })
  send('response.in_progress', { response: shell })
  let call = 0
  for (const [outputIndex, item] of items.entries()) {
    const at = { item_id: item['id'], output_index: outputIndex }
    const added = (start: JsonObject) => send('response.output_item.added', { output_index: outputIndex, item: start })
    if (item['type'] === 'reasoning') {
      added({ ...item, summary: [] })
      summaryEvents(item, at, answer, size, send)
    } else if (item['type'] === 'message') {
      added({ ...item, status: 'in_progress', content: [] })
      textEvents(item, at, answer.text, size, send)
    } else {
      const { name, arguments: tokens } = answer.calls[call++]!
      added({ ...item, status: 'in_progress', arguments: '' })
      for (const group of grouped(tokens, size)) send('response.function_call_arguments.delta', { ...at, delta: group.text }, group.tokens)
      send('response.function_call_arguments.done', { ...at, arguments: item['arguments'], name }, countTokens(name))
    }
    const hidden = item['type'] === 'reasoning' && !objects(item['summary']).length ? answer.reasoning : 0
    send('response.output_item.done', { output_index: outputIndex, item }, hidden, hidden)
  }
  out.last({ type: `response.${str(end['status'])}`, sequence_number: sequence, response: end })
  return out.frames
}

type Send = (type: string, fields: JsonObject, output?: number, reasoning?: number) => void

function summaryEvents(item: JsonObject, at: JsonObject, answer: GeneratedAnswer, size: number, send: Send): void {
  const summary = objects(item['summary'])[0]
  if (!summary) return
  const where = { ...at, summary_index: 0 }
  send('response.reasoning_summary_part.added', { ...where, part: { type: 'summary_text', text: '' } })
  for (const group of grouped(answer.thoughts, size)) send('response.reasoning_summary_text.delta', { ...where, delta: group.text }, group.tokens, group.tokens)
  send('response.reasoning_summary_text.done', { ...where, text: summary['text'] })
  send('response.reasoning_summary_part.done', { ...where, part: summary })
}

function textEvents(item: JsonObject, at: JsonObject, tokens: readonly string[], size: number, send: Send): void {
  const where = { ...at, content_index: 0 }
  const part = objects(item['content'])[0]!
  send('response.content_part.added', { ...where, part: { ...part, text: '' } })
  for (const group of grouped(tokens, size)) send('response.output_text.delta', { ...where, delta: group.text, logprobs: [] }, group.tokens)
  send('response.output_text.done', { ...where, text: part['text'], logprobs: [] })
  send('response.content_part.done', { ...where, part })
}
