import type { Dialect, Trait } from '../deps.ts'
import type { Raw, Usage } from '../usage/usage.ts'

/**
 * The common form between the dialects. Each dialect has a reader that produces it and a writer that consumes it: four and four, never a
 * pair. Parts without an equivalent in a dialect are dropped by name if they are hints (dropped.ts), and otherwise refused by the field's
 * name in the caller's own body (`at`).
 */
export type ModelDialect = Extract<Dialect, 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini-generate'>

/** Dialects that a caller may use: legacy completions have no upstream in a translation. */
export type CallerDialect = ModelDialect | 'openai-completions'

/** Thrown by readers and writers: the field has no equivalent in the other dialect, or is invalid. */
export class UntranslatableError extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** A vendor's proof of its own thinking, meaningless to others: it is returned only to the dialect that issued it. */
export interface Seal {
  readonly from: ModelDialect
  readonly kind: 'signature' | 'redacted'
  readonly value: string
}

export interface MessageTextPart {
  readonly kind: 'text'
  readonly text: string
  readonly at: string
  readonly cache?: Raw | undefined
  /** Some vendors sign text too. */
  readonly seal?: Seal | undefined
}

/** An image, a document or audio: inline as base64, or by URL. */
export interface MediaPart {
  readonly kind: 'image' | 'document' | 'audio'
  readonly at: string
  readonly mime: string
  readonly data: string | undefined
  readonly url: string | undefined
  readonly name?: string | undefined
  readonly detail?: string | undefined
  readonly cache?: Raw | undefined
}

export interface CallPart {
  readonly kind: 'call'
  readonly at: string
  readonly id: string
  readonly name: string
  /** JSON text of an object. */
  readonly args: string
  readonly seal?: Seal | undefined
  readonly cache?: Raw | undefined
}

export interface ResultPart {
  readonly kind: 'result'
  readonly at: string
  readonly id: string
  readonly name: string
  readonly parts: readonly (MessageTextPart | MediaPart)[]
  readonly isError: boolean
  readonly cache?: Raw | undefined
}

export interface ThinkingPart {
  readonly kind: 'thinking'
  readonly at: string
  readonly text: string
  readonly seal: Seal | undefined
}

export type MessagePart = MessageTextPart | MediaPart | CallPart | ResultPart | ThinkingPart

export interface ConversationTurn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly at: string
  readonly parts: readonly MessagePart[]
}

export interface Tool {
  readonly at: string
  /** Flat even if the dialect groups tools: see spaces.ts. */
  readonly name: string
  readonly description: string | undefined
  readonly schema: Raw
  readonly strict: boolean | undefined
  readonly cache?: Raw | undefined
}

/** `names`: the only tools that may be called; empty means any. */
export interface ToolChoice {
  readonly mode: 'auto' | 'none' | 'required'
  readonly names: readonly string[]
}

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

export interface Thinking {
  readonly effort: Effort | undefined
  /** Tokens. */
  readonly budget: number | undefined
  /** The caller requested thoughts, as far as the vendor shows them. */
  readonly shown: boolean
}

export type Format =
  | { readonly kind: 'json' }
  | { readonly kind: 'schema'; readonly name: string | undefined; readonly schema: Raw; readonly strict: boolean | undefined }

/** Log probabilities of the text; `top`: how many alternatives of each token. */
export interface LogprobsOptions {
  readonly top: number | undefined
}

/** Plain settings that have one value and mean the same in every dialect that supports them. */
export interface Settings {
  readonly temperature: number | undefined
  readonly topP: number | undefined
  readonly topK: number | undefined
  readonly seed: number | undefined
  readonly presencePenalty: number | undefined
  readonly frequencyPenalty: number | undefined
}

export interface NeutralRequest {
  readonly stream: boolean
  readonly system: readonly MessageTextPart[]
  readonly turns: readonly ConversationTurn[]
  readonly tools: readonly Tool[]
  readonly choice: ToolChoice | undefined
  /** False: at most one call in an answer. */
  readonly parallel: boolean | undefined
  readonly maxTokens: number | undefined
  readonly stops: readonly string[]
  readonly settings: Settings
  readonly format: Format | undefined
  readonly thinking: Thinking | undefined
  /** Tools were given in OpenAI's older form; calls are returned in it too. */
  readonly functions?: boolean
  /** Length of the answer. */
  readonly verbosity?: 'low' | 'medium' | 'high' | undefined
  /** Cache mark on the request itself: its beginning is to be cached. */
  readonly cache?: Raw | undefined
  /** Number of answers. */
  readonly copies: number
  readonly logprobs: LogprobsOptions | undefined
  /** Grouped tools by their flat names; undefined if there are none. */
  readonly spaces?: ToolNamespaces | undefined
  /** Names of the settings in the caller's body. */
  readonly at: Readonly<Record<keyof Settings | 'choice' | 'parallel' | 'stops' | 'format' | 'thinking' | 'copies' | 'logprobs', string>> & {
    readonly verbosity?: string
  }
}

/** Flat name of a grouped tool -> where the caller has it. */
export type ToolNamespaces = ReadonlyMap<string, { readonly space: string; readonly name: string }>

/** Facts of the model for which a request is written. */
export interface WriteTarget {
  readonly model: string
  /** Maximum output tokens, for dialects that require a cap. */
  readonly mostOutput: number
  readonly traits: ReadonlySet<Trait>
}

export type StopReason = 'end' | 'length' | 'stop-sequence' | 'tools' | 'refusal' | 'context'

/** One token of the answer and its alternatives. */
export interface Logprob {
  readonly token: string
  readonly logprob: number
  readonly top: readonly { readonly token: string; readonly logprob: number }[]
}

/** Events of an answer, in order. Complete answers are the same events, collected. */
export type AnswerEvent =
  /** The following events belong to this one of several answers; the first starts without it. */
  | { readonly kind: 'choice'; readonly index: number }
  | { readonly kind: 'text'; readonly text: string; readonly logprobs?: readonly Logprob[] | undefined }
  | { readonly kind: 'refusal'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  /** Seal of the preceding thinking; of hidden thinking if there is none. `ofText`: of the preceding text; no vendor requires it back. */
  | { readonly kind: 'seal'; readonly seal: Seal; readonly ofText?: boolean }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly seal: Seal | undefined }
  /** Part of the preceding call's arguments. */
  | { readonly kind: 'args'; readonly text: string }
  | { readonly kind: 'stop'; readonly stop: StopReason; readonly sequence: string | undefined }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'error'; readonly message: string }

/** Reads a vendor's events in order; keeps its state internally. */
export type StreamReader = (event: Raw) => readonly AnswerEvent[]

export interface AnswerHead {
  readonly id: string
  /** Model name that the caller used. */
  readonly model: string
  /** Unix seconds. */
  readonly created: number
  readonly spaces?: ToolNamespaces | undefined
  /** The caller did not ask for thoughts: if they would be a separate block, their seal travels in the ids of calls. */
  readonly hidesThinking?: boolean
  /** Calls are returned as `function_call`. */
  readonly functions?: boolean
  /** Estimate, for a dialect that reports the input before the answer. */
  readonly inputTokens?: number
}

/** Writes the caller's events. */
export interface StreamWriter {
  said(said: AnswerEvent): string
  /** The answer's end, with stop reason and usage. */
  end(): string
  /** The caller's own mid-stream error. */
  fail(message: string): string
}

/** One of the answers to a request, collected from its events. */
export interface AnswerVariant {
  readonly parts: readonly (
    | { readonly kind: 'text' | 'refusal'; readonly text: string; readonly logprobs: readonly Logprob[] }
    | { readonly kind: 'thinking'; readonly text: string; readonly seal: Seal | undefined; readonly ofText?: boolean | undefined }
    | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly args: string; readonly seal: Seal | undefined }
  )[]
  readonly stop: StopReason
  readonly sequence: string | undefined
}

/** The first answer, the others if several were requested, and the usage of all of them. */
export interface NeutralAnswer extends AnswerVariant {
  readonly others: readonly AnswerVariant[]
  readonly usage: Usage | undefined
}

/** Translation functions of one dialect. */
export interface DialectCodec {
  readAsk(body: Raw, stream: boolean): NeutralRequest
  /** Writes the request in this dialect. Throws Unexpressible. */
  writeAsk(ask: NeutralRequest, aim: WriteTarget): Raw
  /** The dialect cannot limit a request to one call: further calls are dropped from the answer. */
  readonly callsSideBySide?: true
  /** The dialect has no JSON mode without a schema: it is emulated by an instruction and a check of the answer. */
  readonly needsSchema?: true
  /** The vendor's method and query for this request, and headers it must have. */
  readonly dial: (stream: boolean) => { readonly method: string; readonly query: string; readonly headers: readonly string[] }
  readAnswer(body: Raw): readonly AnswerEvent[]
  streamReader(): StreamReader
  writeAnswer(answer: NeutralAnswer, head: AnswerHead): Raw
  streamWriter(head: AnswerHead, options: { readonly usage: boolean; readonly sse: boolean }): StreamWriter
}

/** A dialect used only by callers needs no more. */
export type CallerCodec = Pick<DialectCodec, 'readAsk' | 'writeAnswer' | 'streamWriter'>
