import type { WebSocket } from 'ws'
import type { Dialect, Model } from '../deps.ts'
import type { Raw, Usage } from '../usage/usage.ts'

/** Tokens by what they are made of, as far as a session can tell before the vendor does: never too few. */
export interface Load {
  readonly text: number
  readonly audio: number
  readonly image: number
}

/** What a client's frame is to the session. */
export interface Heard {
  readonly load: Load
  /** Goes to the client in its place, and the frame goes nowhere. */
  readonly refusal?: Buffer
  /** The vendor may begin a response at it. */
  readonly begins?: boolean
  /** Seconds of sound that the vendor may answer by itself. */
  readonly speech?: number
  /** It asks for a response; `cap` is the output that it allows for it, where it says so. */
  readonly asks?: boolean
  readonly cap?: number | undefined
  /** The client's own name for the event. */
  readonly eventId?: string | undefined
}

/** What a vendor's frame is to the session; `pass` where it is none of these. */
export type Told =
  | { readonly kind: 'pass' }
  /** A response begins: its promise is written before this frame goes on. */
  | { readonly kind: 'begin'; readonly id: string }
  /** More of the response that runs: tokens of it, estimated. */
  | { readonly kind: 'more'; readonly id: string; readonly tokens: number; readonly isAudio: boolean }
  /** The vendor's figures for a response, its last word. Its row is written before this frame goes on. `isAside`: not of the conversation. */
  | { readonly kind: 'end'; readonly id: string; readonly raw: Raw | undefined; readonly isFailed: boolean; readonly isAside: boolean }
  /** Something billed apart, of another model. */
  | { readonly kind: 'apart'; readonly model: string; readonly raw: Raw }
  /** An event of the client was refused, by its name where it had one; `isAsk`: one that asked for a response. The frame goes on. */
  | { readonly kind: 'refused'; readonly eventId: string | undefined; readonly isAsk: boolean }

export type Why = 'limits' | 'no_money' | 'unavailable' | 'revoked' | 'barred' | 'idle' | 'longest' | 'draining'

/** One vendor's protocol, for one session: it remembers what the session was told to do. */
export interface Protocol {
  readonly dialect: Dialect
  readonly usageOf: (raw: Raw) => Usage | undefined
  heard(frame: Buffer, isBinary: boolean): Heard
  told(frame: Buffer): readonly Told[]
  /** Output cap that the client set, if any. */
  cap(): number | undefined
  /** A model that is billed apart for what is heard (transcription). */
  apart(): Model | undefined
  /** Has the vendor answer no longer than so many tokens, whatever the client says later; undefined where it cannot be told. */
  readonly limit: ((tokens: number) => Buffer) | undefined
  /** Stops the response that runs, where the protocol can say so. */
  readonly cancel: Buffer | undefined
  /** A frame that cannot be read, and is not passed on. */
  refuse(socket: WebSocket, message: string): void
  /** Says why, in the vendor's words, and closes. */
  goodbye(socket: WebSocket, why: Why): void
}

export const NO_LOAD: Load = { text: 0, audio: 0, image: 0 }

export function addLoads(a: Load, b: Load): Load {
  return { text: a.text + b.text, audio: a.audio + b.audio, image: a.image + b.image }
}
