import type { InputBounds } from '../bounds/bounds.ts'
import type { Dialect, GatewayModel, Surface } from '../deps.ts'
import type { Tally } from '../usage/estimate.ts'
import type { Media, MediaRules } from '../media/media.ts'
import type { SteppedWalk } from '../media/steps.ts'
import type { JsonMember } from '../json/scan.ts'
import type { Raw, Usage } from '../usage/usage.ts'
import type { BillableOptions } from './billable-options.ts'
import type { FieldProblem } from '../problem.ts'

/** Facts of a request that the relay needs; the rest of the body is for the vendor. */
export interface CallFacts {
  readonly model: string
  /** Positions of the model's name in the body; several if the key is repeated. */
  readonly modelRanges: readonly JsonMember[]
  /** Settings with the value -1, which means unset. */
  readonly unset?: readonly JsonMember[]
  readonly stream: boolean
  readonly outputCap: number | undefined
  /** Name of the cap's field, for messages. */
  readonly capField?: string | undefined
  /** Number of answers requested: `n`, `candidateCount`. */
  readonly copies: number
  /** The client asked for the usage chunk of an OpenAI chat stream. */
  readonly usageAsked: boolean
  readonly streamOptions: JsonMember | undefined
  /** Pictures, sound and forms; undefined without any. */
  readonly media: Media | undefined
  /** Other parts of the request that affect the price. */
  readonly asks: BillableOptions
  /** Text only, judging by the member names: no pictures, sound, tools or references. */
  readonly isPlain?: boolean
}

/** Context for reading a usage object: the rest of the answer, the request, and the duration. */
export interface UsageContext {
  /** Members of the answer beside its usage, as `besideKeys` and the stream found them. */
  readonly beside: Raw | undefined
  readonly asks: BillableOptions
  readonly seconds: number
}

/** State of a stream so far. */
export interface StreamMeter {
  /** Latest usage object, as the vendor wrote it. */
  raw: Raw | undefined
  /** Events with the newest usage, parsed only when needed (Gemini sends it on every chunk). */
  unread: Buffer | undefined
  /** Members of the answer beside its usage that affect the price. */
  beside: Raw | undefined
  /** Event that holds the whole answer, if the vendor stores it. */
  told: Buffer | undefined
  /** The usage is final, not a running figure. */
  final: boolean
  /** The vendor's end of stream was seen; later bytes do not belong to the answer. */
  ended: boolean
  /** The vendor's own mid-stream error was seen. */
  failed: boolean
}

/** pass: send. hold: send with the next event or at the end. end: the answer's last event. drop: ours alone. Buffer: send this instead. */
export type EventVerdict = 'pass' | 'hold' | 'end' | 'drop' | Buffer

export interface StreamRules {
  /** False if no event in this chunk can matter; most chunks cost only this check. `strip`: usage was requested only by us. */
  readonly matters: (events: Buffer, strip: boolean, meter: StreamMeter) => boolean
  readonly onEvent: (event: Buffer, strip: boolean, meter: StreamMeter) => EventVerdict
  /** Adds the text of one event to the tally, for estimates. */
  readonly tally: (event: Buffer, tally: Tally) => void
  /** Raw usage from the meter, once the stream is over. */
  readonly rawUsage: (meter: StreamMeter) => Raw | undefined
  readonly keepalive: Buffer
  /** The vendor's mid-stream error (wire.md 5). */
  readonly cut: (message: string, requestId: string) => Buffer
}

export interface DialectRules {
  readonly id: Dialect
  readonly surface: Surface
  /** Public endpoint, for messages. */
  readonly endpoint: string
  /** Vendor's path; `model` is the upstream's name for it. */
  readonly upstreamPath: (model: string, method: string) => string
  /** Reads parts of the body that take more than one turn of the event loop, and records them for `readFacts`. */
  readonly walk?: (body: Buffer, contentType: string) => SteppedWalk<void>
  readonly readFacts: (body: Buffer, pathModel: string, method: string, contentType?: string) => CallFacts | FieldProblem
  /** Key of the usage object in a whole answer. */
  readonly usageKey: string
  /** undefined if the figures are invalid. Without `around`, reads only the usage object itself. */
  readonly usageOf: (raw: Raw, around?: UsageContext) => Usage | undefined
  /** Keys of a whole answer, beside its usage, that affect the price, and their reader. */
  readonly besideKeys?: readonly string[]
  readonly besideOf?: (answer: Buffer, members: readonly JsonMember[]) => Raw | undefined
  readonly stream: StreamRules | undefined
  /** Maximum input of a body; all of its bytes as text if absent. */
  readonly bounds?: (body: Buffer, model: GatewayModel) => InputBounds
  /** Returns the body with its answer capped at this many tokens. Absent if no answer is generated. */
  readonly withCap?: (body: Buffer, tokens: number) => Buffer
  /** Likewise for the rounds of the vendor's own tools, if nothing else limits them. */
  readonly withToolCalls?: (body: Buffer) => Buffer
  /** Present if the bill has more than tokens of text. */
  readonly media?: MediaRules
  /** The vendor's message from an error in a foreign shape; it is sent in the caller's shape. */
  readonly foreignError?: (body: Buffer) => string | undefined
}
