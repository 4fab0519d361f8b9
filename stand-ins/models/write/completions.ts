import { idFrom, type Ask } from '../read/ask.ts'
import { refuse, refusal } from './errors.ts'
import { num, obj, str, strings, type JsonObject } from '../read/json.ts'
import { withoutMarkers, type Knobs } from '../read/knobs.ts'
import { mediaAsk } from '../read/media-ask.ts'
import { EVENT_STREAM, JSON_TYPE, framer, grouped, type WrittenReply, type Writing } from './reply.ts'
import { countTokens } from '../tokens.ts'
import { reported, usageFor } from '../usage.ts'

/** The legacy endpoint: plain text is continued. One prompt at a time; thoughts have no place here. */
export function readCompletion(body: JsonObject, knobsOf: (text: string) => Knobs): Ask {
  const model = str(body['model']) ?? refuse('you must provide a model parameter')
  const prompts = typeof body['prompt'] === 'string' ? [body['prompt']] : strings(body['prompt'])
  const prompt = prompts.length === 1 ? prompts[0]! : refuse("The sandbox takes one 'prompt' as text.", { param: 'prompt', code: 'invalid_type' })
  return {
    ...mediaAsk('openai-completions', model, prompt, body['stream'] === true, knobsOf(prompt)),
    blocks: [{ text: prompt, tokens: countTokens(prompt) }],
    question: withoutMarkers(prompt),
    maxTokens: num(body['max_tokens']) ?? 16,
    stops: typeof body['stop'] === 'string' ? [body['stop']] : strings(body['stop']),
    answers: Math.min(8, Math.max(1, num(body['n']) ?? 1)),
  }
}

export function writeCompletion({ ask, answers, counts, id, created }: Writing, body: JsonObject): WrittenReply {
  const usage = reported(counts, ask.knobs.fault)
  const head = { id: idFrom('cmpl-', id, 29), object: 'text_completion', created, model: ask.model }
  const finish = (at: number): string => (answers[at]!.finish === 'length' ? 'length' : 'stop')
  const echo = body['echo'] === true ? ask.blocks[0]!.text : ''
  const midError: WrittenReply['midError'] = () => `data: ${JSON.stringify(refusal('openai', 'error').body)}\n\n`
  if (!ask.stream) {
    const choices = answers.map((answer, index) => ({ index, text: echo + answer.text.join(''), logprobs: null, finish_reason: finish(index) }))
    const whole = { ...head, choices, ...(usage ? { usage: usageFor('openai-completions', usage) } : {}) }
    return { contentType: JSON_TYPE, counts, midError, frames: [{ data: JSON.stringify(whole), output: counts.output, reasoning: 0 }] }
  }
  const told = obj(body['stream_options'])['include_usage'] === true
  const { frames, add, raw, last } = framer((event) => `data: ${JSON.stringify(event)}\n\n`)
  const event = (index: number, text: string, reason: string | null): JsonObject => ({
    ...head,
    choices: [{ index, text, logprobs: null, finish_reason: reason }],
    ...(told ? { usage: null } : {}),
  })
  for (const [index, answer] of answers.entries()) {
    if (echo) add(event(index, echo, null))
    for (const group of grouped(answer.text, ask.knobs.pieces)) add(event(index, group.text, null), group.tokens)
    add(event(index, '', finish(index)))
  }
  if (told && usage) last({ ...head, choices: [], usage: usageFor('openai-completions', usage) })
  raw('data: [DONE]\n\n')
  return { contentType: EVENT_STREAM, counts, midError, frames }
}
