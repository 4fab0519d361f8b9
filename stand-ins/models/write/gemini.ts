import type { GeneratedAnswer } from '../answer.ts'
import { idFrom, seal, type Counts } from '../read/ask.ts'
import { refusal } from './errors.ts'
import type { Json, JsonObject } from '../read/json.ts'
import { field, thinks } from '../read/gemini.ts'
import { obj } from '../read/json.ts'
import { EVENT_STREAM, JSON_TYPE, grouped, type Frame, type WrittenReply, type Writing } from './reply.ts'
import { countTokens } from '../tokens.ts'
import { reported, usageFor } from '../usage.ts'

const FINISH = { 'stop': 'STOP', 'stop-sequence': 'STOP', 'length': 'MAX_TOKENS', 'tools': 'STOP' } as const

export function writeGenerate(writing: Writing, body: JsonObject, sse: boolean): WrittenReply {
  const { ask, counts } = writing
  const thinking = obj(field(obj(field(body, 'generationConfig')), 'thinkingConfig'))
  const shown = field(thinking, 'includeThoughts') === true
  const tail = { modelVersion: ask.model, responseId: idFrom('', writing.id, 22) }
  if (!ask.stream) {
    const usage = usageOf(counts, writing)
    const candidates = writing.answers.map((answer, index) => ({
      content: contentOf(steps(answer, writing, index, shown, Infinity).flatMap((step) => step.parts)),
      finishReason: FINISH[answer.finish],
      index,
    }))
    const data = JSON.stringify({ candidates, ...usage, ...tail })
    return {
      contentType: `${JSON_TYPE}; charset=UTF-8`,
      counts,
      midError: () => JSON.stringify(refusal('gemini', 'error').body),
      frames: [{ data, output: counts.output, reasoning: counts.reasoning }],
    }
  }
  const frames = stream(writing, shown, tail)
  const bodyOf = refusal('gemini', 'unavailable').body
  return sse
    ? {
        contentType: EVENT_STREAM,
        counts,
        frames: frames.map((frame) => ({ ...frame, data: `data: ${frame.data}\r\n\r\n` })),
        midError: () => `data: ${JSON.stringify(bodyOf)}\r\n\r\n`,
      }
    : { contentType: `${JSON_TYPE}; charset=UTF-8`, counts, frames: asArray(frames), midError: () => `\n,\r\n${JSON.stringify(bodyOf)}\n]\n` }
}

/** Without alt=sse the stream is one JSON array, sent element by element. */
function asArray(frames: readonly Frame[]): Frame[] {
  return frames.map((frame, at) => ({ ...frame, data: `${at === 0 ? '[' : '\n,\r\n'}${frame.data}${at === frames.length - 1 ? '\n]\n' : ''}` }))
}

interface Step {
  readonly parts: readonly JsonObject[]
  readonly output: number
  readonly reasoning: number
}

function contentOf(parts: readonly JsonObject[]): JsonObject {
  return parts.length ? { parts, role: 'model' } : { role: 'model' }
}

/** The answer as Gemini sends it: thoughts, text, then whole function calls. A call that the cap cut is left out. */
function steps(answer: GeneratedAnswer, { ask, id }: Writing, choice: number, shown: boolean, size: number): Step[] {
  const sealed = seal(`${id} ${choice}`)
  const signs = ask.thinking > 0 && thinks(ask.model)
  const found: Step[] = []
  const groups = (tokens: readonly string[]) =>
    size === Infinity ? (tokens.length ? [{ text: tokens.join(''), tokens: tokens.length }] : []) : grouped(tokens, size)
  if (shown)
    for (const group of groups(answer.thoughts)) found.push({ parts: [{ text: group.text, thought: true }], output: group.tokens, reasoning: group.tokens })
  else if (answer.reasoning) found.push({ parts: [], output: answer.reasoning, reasoning: answer.reasoning })
  const texts = groups(answer.text)
  for (const [at, group] of texts.entries()) {
    const last = at === texts.length - 1 && signs && /gemini-([3-9]|\d\d)/.test(ask.model)
    found.push({ parts: [{ text: group.text, ...(last ? { thoughtSignature: sealed } : {}) }], output: group.tokens, reasoning: 0 })
  }
  for (const [at, call] of answer.calls.entries()) {
    const output = countTokens(call.name) + call.arguments.length
    if (!call.whole) {
      found.push({ parts: [], output, reasoning: 0 })
      continue
    }
    const functionCall = { name: call.name, args: JSON.parse(call.arguments.join('')) as Json, id: idFrom('', `${id} ${choice} ${at}`, 8) }
    found.push({ parts: [{ functionCall, ...(at === 0 && signs ? { thoughtSignature: sealed } : {}) }], output, reasoning: 0 })
  }
  return found
}

function usageOf(counts: Counts, { ask }: Writing): JsonObject {
  const usage = reported(counts, ask.knobs.fault)
  return usage ? { usageMetadata: usageFor('gemini-generate', usage) } : {}
}

/** Every chunk carries the running usage; the last one of a candidate its finish reason. */
function stream(writing: Writing, shown: boolean, tail: JsonObject): Frame[] {
  const frames: Frame[] = []
  let output = 0
  let reasoning = 0
  for (const [index, answer] of writing.answers.entries()) {
    const all = steps(answer, writing, index, shown, writing.ask.knobs.pieces)
    const visible = all.filter((step, at) => step.parts.length || at === all.length - 1)
    if (!visible.length) visible.push({ parts: [], output: 0, reasoning: 0 })
    for (const [at, step] of visible.entries()) {
      if (at === 0 && all[0] !== step && all[0]) [output, reasoning] = [output + all[0].output, reasoning + all[0].reasoning]
      output += step.output
      reasoning += step.reasoning
      const last = at === visible.length - 1
      const usage = usageOf({ ...writing.counts, output, reasoning }, writing)
      const candidate = { content: contentOf(step.parts), ...(last ? { finishReason: FINISH[answer.finish] } : {}), index }
      frames.push({ data: JSON.stringify({ candidates: [candidate], ...usage, ...tail }), output, reasoning, ...(last ? { usage: true } : {}) })
    }
  }
  return frames
}
