import type { GeneratedAnswer } from '../answer.ts'
import { idFrom, seal, sign } from '../read/ask.ts'
import { refusal } from './errors.ts'
import { obj, type Json, type JsonObject } from '../read/json.ts'
import { EVENT_STREAM, JSON_TYPE, framer, grouped, type Frame, type WrittenReply, type Writing } from './reply.ts'
import { countTokens } from '../tokens.ts'
import { anthropicInput, reported, usageFor } from '../usage.ts'

const STOP = { 'stop': 'end_turn', 'stop-sequence': 'stop_sequence', 'length': 'max_tokens', 'tools': 'tool_use' } as const

export function writeMessage(writing: Writing, body: JsonObject): WrittenReply {
  const { ask, counts } = writing
  const answer = writing.answers[0]!
  const usage = reported(counts, ask.knobs.fault)
  const head = {
    id: idFrom('msg_', writing.id),
    type: 'message',
    role: 'assistant',
    model: ask.model,
    content: [] as readonly Json[],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
  }
  const end = { stop_reason: STOP[answer.finish], stop_sequence: answer.stopSequence ?? null, stop_details: null, container: null }
  const omitted = obj(body['thinking'])['display'] === 'omitted'
  const midError: WrittenReply['midError'] = () => event({ ...obj(refusal('anthropic', 'overloaded').body), request_id: undefined })
  if (ask.stream) {
    const opening = usage ? { usage: usageFor('anthropic-messages', { ...usage, output: Math.min(1, usage.output), reasoning: 0 }) } : {}
    const closing = usage
      ? {
          usage: {
            ...anthropicInput(usage, false),
            output_tokens: usage.output,
            output_tokens_details: { thinking_tokens: usage.reasoning },
            server_tool_use: null,
          },
        }
      : {}
    const frames = stream(
      writing,
      answer,
      omitted,
      { type: 'message_start', message: { ...head, ...opening } },
      { type: 'message_delta', delta: end, ...closing },
    )
    return { contentType: EVENT_STREAM, counts, frames, midError }
  }
  const whole = { ...head, ...end, content: contentOf(answer, writing, omitted), ...(usage ? { usage: usageFor('anthropic-messages', usage) } : {}) }
  return { contentType: JSON_TYPE, counts, midError, frames: [{ data: JSON.stringify(whole), output: counts.output, reasoning: counts.reasoning }] }
}

function event(data: Json): string {
  return `event: ${String(obj(data)['type'])}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The finished blocks; a stream starts each one empty. */
function contentOf(answer: GeneratedAnswer, { ask, id }: Writing, omitted: boolean): JsonObject[] {
  const blocks: JsonObject[] = []
  if (ask.thinking) {
    const thoughts = answer.thoughts.join('')
    blocks.push(
      omitted
        ? { type: 'thinking', thinking: '', signature: Buffer.from(`omitted:${sign(thoughts)}`).toString('base64') }
        : { type: 'thinking', thinking: thoughts, signature: sign(thoughts) },
    )
  }
  if (ask.knobs.redacted) blocks.push({ type: 'redacted_thinking', data: seal(`hidden ${id}`) })
  if (answer.text.length) blocks.push({ type: 'text', text: answer.text.join('') })
  for (const [at, call] of answer.calls.entries()) {
    blocks.push({
      type: 'tool_use',
      id: idFrom('toolu_', `${id} ${at}`),
      name: call.name,
      input: call.whole ? (JSON.parse(call.arguments.join('')) as Json) : {},
      caller: { type: 'direct' },
    })
  }
  return blocks
}

function stream(writing: Writing, answer: GeneratedAnswer, omitted: boolean, start: Json, end: JsonObject): Frame[] {
  const size = writing.ask.knobs.pieces
  const out = framer(event)
  out.add(start)
  let call = 0
  for (const [index, block] of contentOf(answer, writing, omitted).entries()) {
    const begin = (contentBlock: JsonObject, tokens = 0) => {
      out.add({ type: 'content_block_start', index, content_block: contentBlock }, tokens)
      if (index === 0) out.raw(event({ type: 'ping' }))
    }
    const delta = (it: JsonObject, output = 0, reasoning = 0) => out.add({ type: 'content_block_delta', index, delta: it }, output, reasoning)
    if (block['type'] === 'thinking') {
      begin({ ...block, thinking: '', signature: '' })
      for (const group of omitted ? [] : grouped(answer.thoughts, size)) delta({ type: 'thinking_delta', thinking: group.text }, group.tokens, group.tokens)
      const unseen = omitted ? answer.reasoning : 0
      delta({ type: 'signature_delta', signature: block['signature'] }, unseen, unseen)
    } else if (block['type'] === 'text') {
      begin({ ...block, text: '' })
      for (const group of grouped(answer.text, size)) delta({ type: 'text_delta', text: group.text }, group.tokens)
    } else if (block['type'] === 'tool_use') {
      const { name, arguments: tokens } = answer.calls[call++]!
      begin({ ...block, input: {} }, countTokens(name))
      delta({ type: 'input_json_delta', partial_json: '' })
      for (const group of grouped(tokens, size)) delta({ type: 'input_json_delta', partial_json: group.text }, group.tokens)
    } else {
      begin(block)
    }
    out.add({ type: 'content_block_stop', index })
  }
  out.last(end)
  out.add({ type: 'message_stop' })
  return out.frames
}
