import type { HotDeps, Route, UpstreamHeaders } from '../deps.ts'

/**
 * Kind of failure, classified by status or how the connection ended, never by a text (wire.md 0.6). Each kind has a separate breaker per
 * upstream and model; a refused credential opens it for the whole upstream.
 */
export type FailureKind = 'connection' | 'timeout' | 'server' | 'busy' | 'credential'

interface Rule {
  /** Consecutive failures that open the breaker. */
  readonly failures: number
  /** First open period; doubles each time the probe fails, up to `mostMs`. */
  readonly openMs: number
  readonly mostMs: number
}

const RULES: Readonly<Record<FailureKind, Rule>> = {
  connection: { failures: 3, openMs: 5_000, mostMs: 60_000 },
  timeout: { failures: 3, openMs: 15_000, mostMs: 120_000 },
  server: { failures: 5, openMs: 10_000, mostMs: 120_000 },
  busy: { failures: 3, openMs: 5_000, mostMs: 60_000 },
  // 403 may also concern one request (a region, a file): a single one proves nothing.
  credential: { failures: 3, openMs: 60_000, mostMs: 600_000 },
}
/** Upper bound of a vendor's `retry-after`. */
const MAX_RETRY_AFTER_MS = 120_000

interface Breaker {
  failures: number
  /** 0: closed. A time in the past: the next call is the probe. */
  openUntil: number
  openMs: number
  /** A probe is under way; other calls wait for its result, or for its timeout. */
  probing: boolean
}

/** closed: use it. due: the next call is the probe. open: use another upstream. */
export type BreakerState = 'closed' | 'due' | 'open'

/** Only recently failed upstreams have an entry, so that health costs one comparison. */
export interface Breakers {
  readonly subjects: Map<string, Map<FailureKind, Breaker>>
  readonly deps: Pick<HotDeps, 'log' | 'metrics'>
}

export function createBreakers(deps: Breakers['deps']): Breakers {
  return { subjects: new Map(), deps }
}

const nameOf = (route: Route): string => `${route.upstream.id}\n${route.upstreamModel}`

export function getBreakerState(breakers: Breakers, route: Route, now: number): BreakerState {
  if (breakers.subjects.size === 0) return 'closed'
  const model = findWorstState(breakers.subjects.get(nameOf(route)), now)
  if (model === 'open') return model
  const upstream = findWorstState(breakers.subjects.get(route.upstream.id), now)
  return upstream === 'closed' ? model : upstream
}

function findWorstState(kinds: ReadonlyMap<FailureKind, Breaker> | undefined, now: number): BreakerState {
  let worst: BreakerState = 'closed'
  if (kinds === undefined) return worst
  for (const breaker of kinds.values()) {
    if (breaker.openUntil > now) return 'open'
    if (breaker.openUntil > 0) worst = 'due'
  }
  return worst
}

/** Makes the caller the probe. If it reports no result, the next probe follows after the period has passed again. */
export function claimProbe(breakers: Breakers, route: Route, now: number): void {
  if (breakers.subjects.size === 0) return
  for (const subject of [nameOf(route), route.upstream.id])
    for (const [kind, breaker] of breakers.subjects.get(subject) ?? [])
      if (breaker.openUntil > 0 && breaker.openUntil <= now) {
        breaker.probing = true
        breaker.openUntil = now + breaker.openMs
        breakers.deps.metrics.breaker?.({ upstream: route.upstream.id, model: modelOf(kind, route), kind }, 'half_open')
      }
}

/** A successful answer began. While a breaker is open only its probe's result counts: other calls were dialled before. */
export function recordUpstreamSuccess(breakers: Breakers, route: Route): void {
  if (breakers.subjects.size === 0) return
  for (const subject of [nameOf(route), route.upstream.id]) {
    const kinds = breakers.subjects.get(subject)
    if (kinds === undefined) continue
    for (const [kind, breaker] of kinds) {
      if (breaker.openUntil > 0 && !breaker.probing) continue
      kinds.delete(kind)
      if (breaker.openUntil === 0) continue
      breakers.deps.metrics.breaker?.({ upstream: route.upstream.id, model: modelOf(kind, route), kind }, 'closed')
      breakers.deps.log.warn({ event: 'gateway.breaker_closed', upstream: route.upstream.id, model: modelOf(kind, route), kind }, 'upstream answers again')
    }
    if (kinds.size === 0) breakers.subjects.delete(subject)
  }
}

/** `waitMs`: backoff that the vendor requested (retry-after); opens the breaker at once. */
export function recordUpstreamFailure(breakers: Breakers, route: Route, kind: FailureKind, waitMs: number | undefined): void {
  const now = Date.now()
  const rule = RULES[kind]
  const breaker = breakerFor(breakers, kind === 'credential' ? route.upstream.id : nameOf(route), kind)
  breaker.failures++
  // Calls dialled before it opened fail too, and prove nothing new.
  if (breaker.openUntil > now && !breaker.probing) return
  if (!breaker.probing && waitMs === undefined && breaker.failures < rule.failures) return
  if (breaker.probing) breaker.openMs = Math.min(breaker.openMs * 2, rule.mostMs)
  breaker.probing = false
  const forMs = waitMs === undefined ? breaker.openMs : Math.min(waitMs, MAX_RETRY_AFTER_MS)
  breaker.openUntil = now + forMs
  const model = modelOf(kind, route)
  breakers.deps.metrics.breaker?.({ upstream: route.upstream.id, model, kind }, 'open')
  breakers.deps.log.error({ event: 'gateway.breaker_open', upstream: route.upstream.id, model, kind, failures: breaker.failures, forMs }, 'upstream avoided')
}

function breakerFor(breakers: Breakers, subject: string, kind: FailureKind): Breaker {
  let kinds = breakers.subjects.get(subject)
  if (kinds === undefined) breakers.subjects.set(subject, (kinds = new Map()))
  let breaker = kinds.get(kind)
  if (breaker === undefined) kinds.set(kind, (breaker = { failures: 0, openUntil: 0, openMs: RULES[kind].openMs, probing: false }))
  return breaker
}

const modelOf = (kind: FailureKind, route: Route): string => (kind === 'credential' ? '*' : route.upstreamModel)

/** Kind of a failure that another upstream may avoid; undefined if the request itself is at fault. */
export function classifyStatus(status: number): FailureKind | undefined {
  if (status === 429) return 'busy'
  if (status === 401 || status === 402 || status === 403) return 'credential'
  if (status === 408) return 'timeout'
  return status >= 500 || status < 400 ? 'server' : undefined
}

/** retry-after and retry-after-ms in milliseconds; a date counts from now. */
export function parseRetryAfter(headers: UpstreamHeaders): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(ms) && ms > 0) return ms
  const text = headers['retry-after']
  if (typeof text !== 'string') return undefined
  const seconds = Number(text)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(wait) && wait > 0 ? wait : undefined
}
