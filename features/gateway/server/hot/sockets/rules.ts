import type { WebSocket } from 'ws'
import type { Dialect, GatewayModel } from '../deps.ts'
import type { Raw, Usage } from '../usage/usage.ts'

/** Upper bound of tokens by kind, before the vendor reports them. */
export interface TokenLoad {
  readonly text: number
  readonly audio: number
  readonly image: number
}

/** A client's frame as the session sees it. */
export interface ClientFrame {
  readonly load: TokenLoad
  /** Sent to the client instead; the frame is not forwarded. */
  readonly refusal?: Buffer
  /** The vendor may begin a response on it. */
  readonly begins?: boolean
  /** Seconds of sound that the vendor may answer automatically. */
  readonly speech?: number
  /** It requests a response; `cap` is its output limit, if any. */
  readonly asks?: boolean
  readonly cap?: number | undefined
  /** The client's id of the event. */
  readonly eventId?: string | undefined
}

/** A vendor's frame as the session sees it; `pass` if it is none of these. */
export type VendorEvent =
  | { readonly kind: 'pass' }
  /** A response begins: its open row is written before this frame is forwarded. */
  | { readonly kind: 'begin'; readonly id: string }
  /** Part of the running response, with its estimated tokens. */
  | { readonly kind: 'more'; readonly id: string; readonly tokens: number; readonly isAudio: boolean }
  /** The vendor's final figures for a response. The usage row is written before this frame is forwarded. `isAside`: outside the conversation. */
  | { readonly kind: 'end'; readonly id: string; readonly raw: Raw | undefined; readonly isFailed: boolean; readonly isAside: boolean }
  /** Use of another model, billed separately. */
  | { readonly kind: 'apart'; readonly model: string; readonly raw: Raw }
  /** A client event was refused, by id if it had one; `isAsk`: it requested a response. The frame is forwarded. */
  | { readonly kind: 'refused'; readonly eventId: string | undefined; readonly isAsk: boolean }

export type CloseCause = 'limits' | 'no_money' | 'unavailable' | 'revoked' | 'barred' | 'idle' | 'longest' | 'draining'

/** One vendor's protocol, for one session; keeps the session's settings. */
export interface Protocol {
  readonly dialect: Dialect
  readonly usageOf: (raw: Raw) => Usage | undefined
  heard(frame: Buffer, isBinary: boolean): ClientFrame
  told(frame: Buffer): readonly VendorEvent[]
  /** Output cap that the client set, if any. */
  cap(): number | undefined
  /** Model that is billed separately for received speech (transcription). */
  apart(): GatewayModel | undefined
  /** Frame that limits the vendor's output, whatever the client sends later; undefined if the protocol has none. */
  readonly limit: ((tokens: number) => Buffer) | undefined
  /** Frame that stops the running response, if the protocol has one. */
  readonly cancel: Buffer | undefined
  /** Answers a frame that cannot be parsed; it is not forwarded. */
  refuse(socket: WebSocket, message: string): void
  /** Reports the reason in the vendor's format and closes. */
  goodbye(socket: WebSocket, why: CloseCause): void
}

export const NO_LOAD: TokenLoad = { text: 0, audio: 0, image: 0 }

export function addLoads(a: TokenLoad, b: TokenLoad): TokenLoad {
  return { text: a.text + b.text, audio: a.audio + b.audio, image: a.image + b.image }
}
