import type { Socket } from 'node:net'
import type { BodyMemory } from './body/memory.ts'
import type { ClientRequest, ClientResponse } from './client.ts'
import type { ApiKey, FailedTry, HotDeps, GatewayModel, ReservedCall, Route, KeyMinuteUsage, Surface, QuotaTake } from './deps.ts'
import type { DialectRules, CallFacts, StreamMeter } from './dialects/dialect.ts'
import { createTally } from './usage/estimate.ts'
import type { Tally } from './usage/estimate.ts'
import type { CallHead } from './request/head.ts'
import type { LocatedEndpoint, EndpointTarget } from './request/locate.ts'
import type { Breakers } from './choice/breakers.ts'
import type { TallyBlock } from './settlement/tally.ts'
import type { Translation } from './translate/translation.ts'
import type { Trust } from './settlement/trust.ts'

export type GenerateTarget = Extract<EndpointTarget, { kind: 'generate' }>

/** Control over an upstream connection in use. */
export interface DialHandle {
  /** No more bytes will come, or its end is already being settled. */
  readonly over: boolean
  /** The vendor has the request, and may bill it. */
  readonly isAsked: boolean
  abort(): void
  pause(): void
  resume(): void
}

/** A call's place in the queue of every upstream of `routes`. */
export interface QueueTicket {
  readonly accountId: bigint
  readonly routes: readonly Route[]
  readonly until: number
  done: boolean
}

/**
 * One request on its way through the steps. Plain data: the steps are functions over it. `phase` determines the ticker's checks;
 * once `settled`, no money may move any more.
 */
export interface GatewayCall {
  readonly req: ClientRequest
  readonly res: ClientResponse
  /** At its customer's negotiated prices, if any, once the key is known. */
  deps: HotDeps
  readonly breakers: Breakers
  readonly trust: Trust
  readonly bodies: BodyMemory
  /** Called when both the client's side and the money are finished. */
  readonly onDone: (call: GatewayCall) => void
  /** Index among the open calls. */
  slot: number
  readonly located: LocatedEndpoint
  readonly head: CallHead
  readonly surface: Surface
  readonly key24: string
  readonly requestId: string
  readonly startedAt: number
  phase: 'body' | 'working' | 'closing' | 'closed'
  /** none: nothing promised. promised: reserved or being reserved. settling: the figure is decided. done: it is durable. */
  money: 'none' | 'promised' | 'settling' | 'done'
  /** When the current wait began: for the body, then for the last byte to the client. */
  since: number
  apiKey: ApiKey | undefined
  body: Buffer
  /** Body memory reserved for a large body, in bytes. */
  bodyRoom: number
  /** Cap on each answer that was written only because of the balance; 0 if none. */
  outputCap: number
  /** Estimate of the input, calculated early only to release a large body. */
  inputEstimate: number
  target: GenerateTarget | undefined
  /** Dialect of the upstream request. */
  rules: DialectRules | undefined
  /** Undefined if the caller speaks the upstream's dialect. */
  translation: Translation | undefined
  model: GatewayModel | undefined
  facts: CallFacts | undefined
  /** The usage chunk was requested only by us: it is removed again. */
  strip: boolean
  reserved: ReservedCall | undefined
  /** Resolves when the promise of money is durable. Undefined if nothing is promised (free routes). */
  reserving: Promise<void> | undefined
  durable: boolean
  /** Slot within its key's limits, released at its end; undefined for keys that are not counted. */
  taken: QuotaTake | undefined
  /** Counted among the calls of its account. */
  inAccount: boolean
  /** Current use of the key's limits, for the headers. */
  standing: KeyMinuteUsage | undefined
  tried: Route[]
  /** Routes that did not answer; undefined for nearly all calls. */
  failed: FailedTry[] | undefined
  /** Position in the queue while its upstreams have no room. */
  ticket: QueueTicket | undefined
  route: Route | undefined
  /** The dial that may still write to the client; undefined once it failed or was abandoned. */
  attempt: DialHandle | undefined
  status: number
  upstreamRequestId: string
  firstByteAt: number
  /** An answer is being streamed. */
  streaming: boolean
  /** Sent as elements of a JSON array (Gemini without alt=sse), not as events. */
  isArray: boolean
  /** Socket for direct chunk writes; see reply/reply.ts. */
  socket: Socket | undefined
  /** Headers, and so perhaps bytes, have gone to the client. */
  sent: boolean
  /** The client has disconnected. */
  gone: boolean
  /** The client got a timeout response; we still wait for the vendor's figure. */
  unanswered: boolean
  /** The client was disconnected because this process is ending. */
  cutByUs: boolean
  /** Time until which the answer is read after a disconnect; 0: not reading on. */
  drainUntil: number
  /**
   * Reason for reading on. input: until the vendor reports its input. end: until the vendor's figure. check: likewise, to compare an
   * estimate with it.
   */
  readOn: 'no' | 'input' | 'end' | 'check'
  blockedSince: number
  /** The client blocked its answer for long shortly before this time: a vendor that gives up until then did so for that reason. */
  blockedUntil: number
  /** Bytes sent to the client as of the ticker's last check. */
  progress: number
  meter: StreamMeter
  tally: Tally
  /** Events relayed since the tally was last updated. */
  untallied: TallyBlock[]
}

type Start = Pick<GatewayCall, 'req' | 'res' | 'deps' | 'breakers' | 'trust' | 'bodies' | 'onDone' | 'slot' | 'located' | 'head' | 'key24'>

/**
 * Creates a call of which only the head is known. One literal, no spread: V8 would grow the object field by field. Never store a closure on
 * a call: one was, and calls then survived every minor collection (seen with --trace-gc).
 */
export function openCall(start: Start): GatewayCall {
  const now = Date.now()
  return {
    req: start.req,
    res: start.res,
    deps: start.deps,
    breakers: start.breakers,
    trust: start.trust,
    bodies: start.bodies,
    onDone: start.onDone,
    slot: start.slot,
    located: start.located,
    head: start.head,
    key24: start.key24,
    surface: start.head.surface,
    requestId: `req_${start.key24}`,
    startedAt: now,
    phase: 'working',
    money: 'none',
    since: now,
    apiKey: undefined,
    body: NOTHING,
    bodyRoom: 0,
    outputCap: 0,
    inputEstimate: 0,
    target: undefined,
    rules: undefined,
    translation: undefined,
    model: undefined,
    facts: undefined,
    strip: false,
    reserved: undefined,
    reserving: undefined,
    durable: false,
    taken: undefined,
    inAccount: false,
    standing: undefined,
    tried: [],
    failed: undefined,
    ticket: undefined,
    route: undefined,
    attempt: undefined,
    status: 0,
    upstreamRequestId: '',
    firstByteAt: 0,
    streaming: false,
    isArray: false,
    socket: undefined,
    sent: false,
    gone: false,
    unanswered: false,
    cutByUs: false,
    drainUntil: 0,
    readOn: 'no',
    blockedSince: 0,
    blockedUntil: 0,
    progress: 0,
    meter: createMeter(),
    tally: createTally(),
    untallied: [],
  }
}

export function createMeter(): StreamMeter {
  return { raw: undefined, unread: undefined, beside: undefined, told: undefined, final: false, ended: false, failed: false }
}

const NOTHING = Buffer.alloc(0)

/** Status that a call ended with for its client: 499 if the client disconnected. */
export const getEndStatus = ({ unanswered, gone, status }: GatewayCall): number => (unanswered ? 504 : gone ? 499 : status)

/** Notifies the relay that a call is finished. */
export function reportIfDone(call: GatewayCall): void {
  if (call.phase === 'closed' && (call.money === 'none' || call.money === 'done')) call.onDone(call)
}

/** Removes a call from the unordered list of open ones; false if it was not there. */
export function removeCall(calls: GatewayCall[], call: GatewayCall): boolean {
  if (calls[call.slot] !== call) return false
  const moved = calls.pop()!
  if (moved !== call) {
    calls[call.slot] = moved
    moved.slot = call.slot
  }
  call.slot = -1
  return true
}
