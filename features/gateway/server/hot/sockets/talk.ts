import type { WebSocket } from 'ws'
import type { Model, QuotaRefusal, Refusal } from '../deps.ts'
import type { Taken } from '../admission/quota.ts'
import type { Load, Protocol, Why } from './rules.ts'
import type { Running } from './running.ts'
import type { Stake } from './stake.ts'
import type { Visit } from './visit.ts'

/** Why the next response has no money or no place. */
export type Denial = Refusal | 'limits'

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
  /** A place is being asked for. */
  claiming: Promise<Denial | undefined> | undefined
  readonly running: Map<string, Running>
  /** When a response was asked for that has not begun; 0: none. */
  askedAt: number
  /** Frames that wait for what is under way; each is woken when something of it changes. */
  readonly waiting: (() => void)[]
  /** Output tokens that the vendor was limited to, since there is no money for more. */
  lid: number | undefined
  toldLid?: number
  /** What the session is made of since the last response ended, and what came after it began. */
  load: Load
  fresh: Load
  count: number
  startedAt: number
  lastAt: number
  /** Nothing new may begin. */
  ending: Why | undefined
  gone: boolean
  leaveAt: number
  over: boolean
}
