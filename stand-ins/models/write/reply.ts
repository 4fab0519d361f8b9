import type { GeneratedAnswer } from '../answer.ts'
import type { Ask, Counts } from '../read/ask.ts'
import type { CacheCounts } from '../prompt-cache.ts'
import type { Json } from '../read/json.ts'

/** One event of a stream, or the whole body. `output` and `reasoning` are what has been generated once it is sent. */
export interface Frame {
  readonly data: string | Buffer
  readonly output: number
  readonly reasoning: number
  /** Carries the final usage: sent twice on request. */
  readonly usage?: boolean
  /** Billed counts if this was the last piece sent, for answers that are not billed by text. */
  readonly generated?: Counts
}

export interface WrittenReply {
  readonly contentType: string
  readonly frames: readonly Frame[]
  /** Counts of the whole answer. */
  readonly counts: Counts
  /** An error in mid-stream; `failed` is the dialect's form that carries usage. */
  readonly midError: (failed: boolean, sent: Frame | undefined, events: number) => string
}

export interface Writing {
  readonly ask: Ask
  readonly answers: readonly GeneratedAnswer[]
  readonly counts: Counts
  readonly id: string
  /** Unix seconds. */
  readonly created: number
}

export function countsOf(input: number, cache: CacheCounts, answers: readonly GeneratedAnswer[]): Counts {
  return {
    input,
    ...cache,
    output: answers.reduce((sum, answer) => sum + answer.output, 0),
    reasoning: answers.reduce((sum, answer) => sum + answer.reasoning, 0),
  }
}

export const EVENT_STREAM = 'text/event-stream; charset=utf-8'
export const JSON_TYPE = 'application/json'

/** Tokens joined into the pieces that one event carries. */
export function grouped(tokens: readonly string[], size: number): { readonly text: string; readonly tokens: number }[] {
  const groups = []
  for (let at = 0; at < tokens.length; at += size) {
    const group = tokens.slice(at, at + size)
    groups.push({ text: group.join(''), tokens: group.length })
  }
  return groups
}

/** Collects frames and keeps the running totals. */
export function framer(format: (event: Json) => string): {
  readonly frames: Frame[]
  add(event: Json, output?: number, reasoning?: number): void
  raw(data: string): void
  last(event: Json): void
} {
  const frames: Frame[] = []
  let output = 0
  let reasoning = 0
  return {
    frames,
    add(event, more = 0, thought = 0) {
      output += more
      reasoning += thought
      frames.push({ data: format(event), output, reasoning })
    },
    raw: (data) => void frames.push({ data, output, reasoning }),
    last: (event) => void frames.push({ data: format(event), output, reasoning, usage: true }),
  }
}
