import { NOTHING, type Ask, type Counts } from './ask.ts'
import { refusal } from '../write/errors.ts'
import type { Json } from './json.ts'
import { withoutMarkers, type Knobs } from './knobs.ts'
import { checkModel } from '../models.ts'
import { JSON_TYPE, type Frame, type WrittenReply } from '../write/reply.ts'

/** A request for pictures, sound or scores, as an ask that generates no text of its own. */
export function mediaAsk(dialect: Ask['dialect'], model: string, text: string, stream: boolean, knobs: Knobs): Ask {
  checkModel(model)
  return {
    dialect,
    model,
    stream,
    blocks: [{ text, tokens: 0 }],
    question: withoutMarkers(text),
    images: 0,
    toolResults: [],
    tools: [],
    toolChoice: 'none',
    parallelTools: false,
    maxTokens: undefined,
    stops: [],
    answers: 0,
    json: 'no',
    thinking: 0,
    knobs,
  }
}

export function counted(more: Partial<Counts>): Counts {
  return { ...NOTHING, ...more }
}

const midError: WrittenReply['midError'] = () => `data: ${JSON.stringify(refusal('openai', 'error').body)}\n\n`

/** One body. */
export function wholeReply(counts: Counts, data: Json | Buffer | string, contentType = JSON_TYPE): WrittenReply {
  const text = typeof data === 'string' || Buffer.isBuffer(data) ? data : JSON.stringify(data)
  return { contentType, counts, midError, frames: [{ data: text, output: counts.output, reasoning: 0, generated: counts }] }
}

/** A body in pieces, or events. */
export function framedReply(counts: Counts, frames: readonly Frame[], contentType: string): WrittenReply {
  return { contentType, counts, midError, frames }
}
