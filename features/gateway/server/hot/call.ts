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
  /** From its key on at its customer's own prices, where some were negotiated. */
  deps: HotDeps
  readonly breakers: Breakers
  readonly trust: Trust
  readonly bodies: BodyMemory
  /** Called when the client's side and the money are both done with. */
  readonly onDone: (call: GatewayCall) => void
  /** Its place among the open calls. */
  slot: number
  readonly located: LocatedEndpoint
  readonly head: CallHead
  readonly surface: Surface
  readonly key24: string
  readonly requestId: string
  readonly startedAt: number
  phase: 'body' | 'working' | 'closing' | 'closed'
  /** none: nothing promised. promised: reserved or being so. settling: the figure is decided. done: it is durable. */
  money: 'none' | 'promised' | 'settling' | 'done'
  /** When the current wait began: for the body, then for the last byte to the client. */
  since: number
  apiKey: ApiKey | undefined
  body: Buffer
  /** Bytes of `bodies` taken for a large body. */
  bodyRoom: number
  /** The cap on each answer that only the balance asked for; 0 where none was written. */
  outputCap: number
  /** Estimate of the input, made early only to let go of a large body. */
  inputEstimate: number
  target: GenerateTarget | undefined
  /** The dialect that the upstream is asked in. */
  rules: DialectRules | undefined
  /** Undefined where the caller speaks the upstream's dialect. */
  translation: Translation | undefined
  model: GatewayModel | undefined
  facts: CallFacts | undefined
  /** Usage chunk asked for by us alone: taken out again. */
  strip: boolean
  reserved: ReservedCall | undefined
  /** Resolves when the promise of money is durable. Undefined where nothing is promised (free routes). */
  reserving: Promise<void> | undefined
  durable: boolean
  /** Its place within its key's limits, to be given up at its end; undefined on keys that are not counted. */
  taken: QuotaTake | undefined
  /** Counted among the calls of its account. */
  inAccount: boolean
  /** How such a key stands, for the headers. */
  standing: KeyMinuteUsage | undefined
  tried: Route[]
  /** Those of them that did not answer; undefined for nearly all calls. */
  failed: FailedTry[] | undefined
  /** Its place in the queue while its upstreams have no room. */
  ticket: QueueTicket | undefined
  route: Route | undefined
  /** The dial that may still speak to the client; a failed or abandoned one is no longer here. */
  attempt: DialHandle | undefined
  status: number
  upstreamRequestId: string
  firstByteAt: number
  /** An answer is being streamed. */
  streaming: boolean
  /** As elements of a JSON array (Gemini without alt=sse), not as events. */
  isArray: boolean
  /** Socket for direct chunk writes; see reply/reply.ts. */
  socket: Socket | undefined
  /** Headers, and so perhaps bytes, have gone to the client. */
  sent: boolean
  /** The client has disconnected. */
  gone: boolean
  /** The client got a timeout response; we still wait for the vendor's figure. */
  unanswered: boolean
  /** It is gone because this process is ending and closed its connection. */
  cutByUs: boolean
  /** Reading on after the client left, until this moment; 0: not reading on. */
  drainUntil: number
  /** Why it is read on. input: until the vendor named its input. end: to the vendor's figure. check: so too, to compare an estimate with it. */
  readOn: 'no' | 'input' | 'end' | 'check'
  blockedSince: number
  /** Its client had it wait for long not long before this moment: a vendor that gives up until then gave up for that. */
  blockedUntil: number
  /** Bytes that had left for the client when the ticker last looked. */
  progress: number
  meter: StreamMeter
  tally: Tally
  /** Events relayed since the tally was last brought up to date. */
  untallied: TallyBlock[]
}

type Start = Pick<GatewayCall, 'req' | 'res' | 'deps' | 'breakers' | 'trust' | 'bodies' | 'onDone' | 'slot' | 'located' | 'head' | 'key24'>

/**
 * A new call with nothing known but its head. One literal, no spread: V8 would grow the object field by field. No closure
 * is ever stored on a call: one was, and calls then survived every minor collection (seen with --trace-gc).
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

/** The status that a call ended with for its client: 499 for one that left by itself. */
export const getEndStatus = ({ unanswered, gone, status }: GatewayCall): number => (unanswered ? 504 : gone ? 499 : status)

/** Reports to the relay that nothing is left to do for a call. */
export function reportIfDone(call: GatewayCall): void {
  if (call.phase === 'closed' && (call.money === 'none' || call.money === 'done')) call.onDone(call)
}

/** Takes a call off the list of open ones, whose order means nothing; false when it was not there. */
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
