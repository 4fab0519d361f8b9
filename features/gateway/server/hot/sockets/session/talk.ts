import type { WebSocket } from 'ws'
import type { Model, QuotaRefusal, Refusal } from '../../deps.ts'
import type { Taken } from '../../deps/quota.ts'
import { NO_LOAD } from '../rules.ts'
import type { Load, Protocol, Why } from '../rules.ts'
import type { Promised, Running } from './running.ts'
import type { Stake } from './stake.ts'
import type { Visit } from '../visit.ts'

/** Why the next response has no money or no place. */
export type Denial = Refusal | 'limits'

/** A response that the vendor was asked for and has not begun: it is made, and billed, whoever leaves. */
export interface Asked extends Promised {
  /** The client's name for the event that asked, which the vendor repeats where it refuses. */
  readonly eventId: string | undefined
  readonly saidAt: number
  /** Ends the wait for it. */
  timer: NodeJS.Timeout | undefined
}

/** How far the vendor has come with what was said (echo.ts). */
export interface Echo {
  /** When the ping was sent that is on its way. */
  pingedAt: number | undefined
  timer: NodeJS.Timeout | undefined
  /** All that was said before has reached the vendor, and all that the vendor had said before is looked at. */
  heardUntil: number
  /** It has echoed once. */
  echoes: boolean
  /** When its first frame came without an echo before it. */
  spokeAt: number | undefined
  /** From then on no echo is expected. */
  muteAt: number | undefined
  /** Milliseconds that this process ran since the session began, and the time of its last look. */
  silentMs: number
  lookedAt: number
  /** The last echoes: when each ping went, and when it was back. */
  readonly back: { readonly sentAt: number; readonly backAt: number }[]
  /** What was said before this will not be answered any more, if it has not been. */
  overTo: number
}

/** What was said to a vendor that answers by itself (ahead.ts). */
export interface Spoken {
  /** When each second of it went, as far as it may still be answered. */
  readonly wentAt: number[]
  /** Seconds that the last of them has room for. */
  room: number
  /** When some of it last was ahead of its time: it may be answered in one breath. */
  breathAt: number
}

/** A session between a client and a vendor: frames pass as they came, money is promised before each response and settled after it. */
export interface Talk {
  readonly visit: Visit
  readonly client: WebSocket
  readonly upstream: WebSocket
  readonly model: Model
  readonly upstreamId: string
  readonly protocol: Protocol
  readonly callId: string
  /** For the next response, and for what is billed apart (transcriptions). */
  readonly stake: Stake
  readonly ears: Stake
  /** Its place within the key's limits, where those are counted; and what kept it from one. */
  ticket: Taken | undefined
  denied: QuotaRefusal | undefined
  /** When its places were last kept. */
  keptAt: number
  /** A place is being asked for. */
  claiming: Promise<Denial | undefined> | undefined
  asked: Asked | undefined
  /** Output that the last one asked for may come to: while speech may be answered as well, the vendor begins either first. */
  askedOutput: number
  readonly running: Map<string, Running>
  /** Frames that wait for what is under way; each is woken when something of it changes. */
  readonly waiting: (() => void)[]
  /** Output tokens that the vendor was limited to, since there is no money for more. */
  lid: number | undefined
  /** When it was first needed: what was said before may be answered at full length. */
  lidAt?: number
  toldLid?: number
  /** What the session is made of since the last response ended, and what came after it began. */
  load: Load
  fresh: Load
  /** Places and responses that were given a name. */
  count: number
  /** What was billed apart. */
  apart: number
  startedAt: number
  lastAt: number
  /** When somebody who speaks in real time would have said what was heard. */
  heardTo: number
  readonly spoken: Spoken
  readonly echo: Echo
  /** What the vendor said last is being taken in: rows are written, money is asked for. */
  isActing: boolean
  /** Nothing new may begin. */
  ending: Why | undefined
  /** When something last went to the vendor that it may answer unasked; 0: never. */
  stirredAt: number
  /** The client has left. */
  gone: boolean
  leaveAt: number
  over: boolean
}

/** What of a session is there before it has begun. */
export type Began = Pick<
  Talk,
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

/** A session that nobody has said anything in, but for what it begins with. */
export function beginning(fresh: Load, now: number): Began {
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
