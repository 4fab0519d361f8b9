import type { WebSocket } from 'ws'
import type { GatewayModel, QuotaRefusal, FundsRefusal } from '../../deps.ts'
import type { QuotaTake } from '../../deps/quota.ts'
import { NO_LOAD } from '../rules.ts'
import type { TokenLoad, Protocol, CloseCause } from '../rules.ts'
import type { PromisedResponse, RunningResponse } from './running.ts'
import type { Stake } from './stake.ts'
import type { AuthenticatedHandshake } from '../handshake.ts'

/** Why the next response has no money or no place. */
export type Denial = FundsRefusal | 'limits'

/** A requested response that has not begun: it is made and billed even if the client disconnects. */
export interface RequestedResponse extends PromisedResponse {
  /** Client's id of the requesting event; the vendor repeats it in a refusal. */
  readonly eventId: string | undefined
  readonly saidAt: number
  /** Ends the wait for it. */
  timer: NodeJS.Timeout | undefined
}

/** The vendor's progress with what was sent (echo.ts). */
export interface PongState {
  /** Send time of the pending ping. */
  pingedAt: number | undefined
  timer: NodeJS.Timeout | undefined
  /** Everything sent before this reached the vendor, and everything the vendor sent before was processed. */
  heardUntil: number
  /** At least one pong arrived. */
  echoes: boolean
  /** Time of the first frame that came without a pong before it. */
  spokeAt: number | undefined
  /** No pong is expected from then on. */
  muteAt: number | undefined
  /** Milliseconds that this process ran since the session began, and the time of its last look. */
  silentMs: number
  lookedAt: number
  /** Latest pongs: send and return time of each ping. */
  readonly back: { readonly sentAt: number; readonly backAt: number }[]
  /** Input sent before this will no longer be answered. */
  overTo: number
}

/** Speech sent to a vendor that answers automatically (ahead.ts). */
export interface ForwardedSpeech {
  /** Send time of each second that may still be answered. */
  readonly wentAt: number[]
  /** Seconds of room in the last of them. */
  room: number
  /** Last time that speech was ahead of real time: it may be answered at once. */
  breathAt: number
}

/** A session between a client and a vendor. Frames pass unchanged; money is promised before each response and settled after it. */
export interface VendorSession {
  readonly visit: AuthenticatedHandshake
  readonly client: WebSocket
  readonly upstream: WebSocket
  readonly model: GatewayModel
  readonly upstreamId: string
  readonly protocol: Protocol
  readonly callId: string
  /** Stakes for the next response and for separate bills (transcriptions). */
  readonly stake: Stake
  readonly ears: Stake
  /** Its place within the key's counted limits, if any, and the refusal of one. */
  ticket: QuotaTake | undefined
  denied: QuotaRefusal | undefined
  /** Last renewal of its places. */
  keptAt: number
  /** Pending request for a place. */
  claiming: Promise<Denial | undefined> | undefined
  asked: RequestedResponse | undefined
  /** Output cap of the last requested response: while speech may also be answered, either may come first. */
  askedOutput: number
  readonly running: Map<string, RunningResponse>
  /** Wakes a waiting frame when the running responses change. */
  readonly waiting: (() => void)[]
  /** Output token limit sent to the vendor, because there is no money for more. */
  lid: number | undefined
  /** Time it was first needed: earlier input may be answered at full length. */
  lidAt?: number
  toldLid?: number
  /** Load of the session since the last response ended, and load added since it began. */
  load: TokenLoad
  fresh: TokenLoad
  /** Number of ids given to places and responses. */
  count: number
  /** Number of separate bills. */
  apart: number
  startedAt: number
  lastAt: number
  /** Time at which the received speech would have ended in real time. */
  heardTo: number
  readonly spoken: ForwardedSpeech
  readonly echo: PongState
  /** The vendor's last frame is being processed: rows are written, money is requested. */
  isActing: boolean
  /** Set when no new response may begin. */
  ending: CloseCause | undefined
  /** Last time of input that the vendor may answer automatically; 0: never. */
  stirredAt: number
  /** The client has disconnected. */
  gone: boolean
  leaveAt: number
  over: boolean
}

/** Initial fields of a session. */
export type VendorSessionStart = Pick<
  VendorSession,
  | 'ticket'
  | 'denied'
  | 'keptAt'
  | 'claiming'
  | 'asked'
  | 'askedOutput'
  | 'running'
  | 'waiting'
  | 'lid'
  | 'load'
  | 'fresh'
  | 'count'
  | 'apart'
  | 'startedAt'
  | 'lastAt'
  | 'heardTo'
  | 'spoken'
  | 'echo'
  | 'isActing'
  | 'ending'
  | 'stirredAt'
  | 'gone'
  | 'leaveAt'
  | 'over'
>

/** Creates the initial state of a session with its first load. */
export function createVendorSessionStart(fresh: TokenLoad, now: number): VendorSessionStart {
  return {
    ticket: undefined,
    denied: undefined,
    keptAt: now,
    claiming: undefined,
    asked: undefined,
    askedOutput: 0,
    running: new Map(),
    waiting: [],
    lid: undefined,
    load: NO_LOAD,
    fresh,
    count: 0,
    apart: 0,
    startedAt: now,
    lastAt: now,
    heardTo: now,
    spoken: { wentAt: [], room: 0, breathAt: 0 },
    echo: {
      pingedAt: undefined,
      timer: undefined,
      heardUntil: now,
      echoes: false,
      spokeAt: undefined,
      muteAt: undefined,
      silentMs: 0,
      lookedAt: now,
      back: [],
      overTo: 0,
    },
    isActing: false,
    ending: undefined,
    stirredAt: 0,
    gone: false,
    leaveAt: 0,
    over: false,
  }
}
