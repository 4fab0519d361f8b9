import type { Bounds } from '../bounds/bounds.ts'
import type { Dialect, Model, Surface } from '../deps.ts'
import type { Tally } from '../usage/estimate.ts'
import type { Media, MediaRules } from '../media/media.ts'
import type { Walk } from '../media/steps.ts'
import type { Member } from '../json/scan.ts'
import type { Raw, Usage } from '../usage/usage.ts'
import type { Asks } from './asks.ts'
import type { FieldProblem } from '../problem.ts'

/** What the relay must know of a request; everything else in the body is the vendor's business. */
export interface Facts {
  readonly model: string
  /** Where the model's name stands in the body: one place, or several when the key is repeated. */
  readonly modelRanges: readonly Member[]
  /** Settings that are -1 and mean nothing. */
  readonly unset?: readonly Member[]
  readonly stream: boolean
  readonly outputCap: number | undefined
  /** Where it is named, for messages. */
  readonly capField?: string | undefined
  /** Answers asked for: `n`, `candidateCount`. */
  readonly copies: number
  /** The client asked for the usage chunk of an OpenAI chat stream. */
  readonly usageAsked: boolean
  readonly streamOptions: Member | undefined
  /** What is not text tokens: pictures, sound, forms. Undefined where there is none of it. */
  readonly media: Media | undefined
  /** What else the price depends on. */
  readonly asks: Asks
  /** Nothing but text, by the names that stand in it: no pictures or sound, no tools, and nothing that it only names. */
  readonly isPlain?: boolean
}

/** What a usage object is read with: the rest of its answer, what was asked, and how long it took. */
export interface Around {
  /** Members of the answer beside its usage, as `besideKeys` and the stream found them. */
  readonly beside: Raw | undefined
  readonly asks: Asks
  readonly seconds: number
}

/** What the stream has told so far. */
export interface Meter {
  /** The last usage object, as the vendor wrote it. */
  raw: Raw | undefined
  /** Events that hold the newest usage, parsed only when it is needed (Gemini sends it on every chunk). */
  unread: Buffer | undefined
  /** What the answer says beside its usage and the price hangs on. */
  beside: Raw | undefined
  /** The event that holds the whole answer, where its vendor keeps it. */
  told: Buffer | undefined
  /** The usage is the vendor's last word, not a running figure. */
  final: boolean
  /** The vendor's own end was seen: nothing after it belongs to the answer. */
  ended: boolean
  /** The vendor's own mid-stream error was seen. */
  failed: boolean
}

/** pass: send. hold: send with the next event or at the end. end: the answer's last event. drop: ours alone. Buffer: send this instead. */
export type Verdict = 'pass' | 'hold' | 'end' | 'drop' | Buffer

export interface StreamRules {
  /** False when no event in here can matter; this is all that most chunks cost. `strip`: usage was asked for by us alone. */
  readonly matters: (events: Buffer, strip: boolean, meter: Meter) => boolean
  readonly onEvent: (event: Buffer, strip: boolean, meter: Meter) => Verdict
  /** Adds the text of one event to the tally, for estimates. */
  readonly tally: (event: Buffer, tally: Tally) => void
  /** Raw usage from the meter, once the stream is over. */
  readonly rawUsage: (meter: Meter) => Raw | undefined
  readonly keepalive: Buffer
  /** The vendor's mid-stream error (wire.md 5). */
  readonly cut: (message: string, requestId: string) => Buffer
}

export interface DialectRules {
  readonly id: Dialect
  readonly surface: Surface
  /** The public endpoint, for messages. */
  readonly endpoint: string
  /** Vendor's path; `model` is the upstream's name for it. */
  readonly upstreamPath: (model: string, method: string) => string
  /** Reads and notes for `readFacts` what takes more than a turn of the event loop. */
  readonly walk?: (body: Buffer, contentType: string) => Walk<void>
  readonly readFacts: (body: Buffer, pathModel: string, method: string, contentType?: string) => Facts | FieldProblem
  /** Key of the usage object in a whole answer. */
  readonly usageKey: string
  /** Undefined when the figures make no sense. Without `around` only what the usage itself tells is read. */
  readonly usageOf: (raw: Raw, around?: Around) => Usage | undefined
  /** Keys of a whole answer that the price hangs on beside its usage, and what they say. */
  readonly besideKeys?: readonly string[]
  readonly besideOf?: (answer: Buffer, members: readonly Member[]) => Raw | undefined
  readonly stream: StreamRules | undefined
  /** The most that the input of a body can be; all of its bytes as text where absent. */
  readonly bounds?: (body: Buffer, model: Model) => Bounds
  /** The body with its answer cut at so many tokens. Absent where no answer is generated. */
  readonly withCap?: (body: Buffer, tokens: number) => Buffer
  /** The same for the rounds of the vendor's own tools, where nothing else bounds them. */
  readonly withToolCalls?: (body: Buffer) => Buffer
  /** Present where tokens of text are not all that is billed. */
  readonly media?: MediaRules
  /** The vendor's own words in an error whose shape is not the caller's: it is told in the caller's. */
  readonly foreignError?: (body: Buffer) => string | undefined
}
