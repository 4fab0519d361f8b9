import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

/** All metrics of /metrics. Labels are bounded: route patterns and model ids, never users or keys. */
export const registry = new Registry()
collectDefaultMetrics({ register: registry })

const requests = new Histogram({
  name: 'mingxi_http_seconds',
  help: 'Platform requests',
  labelNames: ['route', 'method', 'status'],
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
  registers: [registry],
})
const calls = new Histogram({
  name: 'mingxi_model_call_seconds',
  help: 'Model calls',
  labelNames: ['model', 'status'],
  buckets: [0.05, 0.5, 2, 10, 60, 600],
  registers: [registry],
})
const streams = new Gauge({ name: 'mingxi_open_streams', help: 'Open model streams', registers: [registry] })
const STATES = { closed: 0, half_open: 1, open: 2 } as const
const breakers = new Gauge({
  name: 'mingxi_upstream_breaker',
  help: 'Breakers of model upstreams: 0 closed, 1 half open, 2 open',
  labelNames: ['upstream', 'model', 'kind'],
  registers: [registry],
})
/** Calls of a limited upstream: in progress and waiting. */
interface GateFigures {
  readonly upstream: string
  readonly active: number
  readonly waiting: number
}
let gates: () => Iterable<GateFigures> = () => []
new Gauge({
  name: 'mingxi_upstream_calls',
  help: 'Calls at limited model upstreams',
  labelNames: ['upstream', 'state'],
  registers: [registry],
  collect() {
    this.reset()
    for (const { upstream, active, waiting } of gates()) {
      this.set({ upstream, state: 'active' }, active)
      this.set({ upstream, state: 'waiting' }, waiting)
    }
  },
})
let gauges: () => { readonly unwrittenMs: number; readonly lookAgeMs: number | undefined } = () => ({ unwrittenMs: 0, lookAgeMs: undefined })
new Gauge({
  name: 'mingxi_database_unwritten_seconds',
  help: 'Seconds since this process last wrote to the database; it does so every two seconds',
  registers: [registry],
  collect() {
    this.set(gauges().unwrittenMs / 1000)
  },
})
new Gauge({
  name: 'mingxi_alarm_look_seconds',
  help: 'Seconds since a worker looked at alarms, as of the last write; NaN before the first look',
  registers: [registry],
  collect() {
    const { lookAgeMs } = gauges()
    this.set(lookAgeMs === undefined ? Number.NaN : lookAgeMs / 1000)
  },
})
const events = new Counter({ name: 'mingxi_events_total', help: 'Things worth an alarm, by name', labelNames: ['event'], registers: [registry] })

export function observeRequest(route: string, method: string, { status, ms }: { readonly status: number; readonly ms: number }): void {
  requests.observe({ route, method, status }, ms / 1000)
}

export const callMetrics = {
  call: (model: string, status: number, ms: number) => {
    calls.observe({ model, status }, ms / 1000)
  },
  stream: (delta: 1 | -1) => {
    streams.inc(delta)
  },
  alarm: (event: string) => countEvent(event),
  breaker: ({ upstream, model, kind }: { readonly upstream: string; readonly model: string; readonly kind: string }, state: keyof typeof STATES) => {
    breakers.set({ upstream, model, kind }, STATES[state])
    if (state === 'open') countEvent('gateway.breaker_open')
  },
}

/** Read at each scrape. */
export function watchGauges(read: typeof gauges): void {
  gauges = read
}

/** Read at each scrape. */
export function watchGates(read: () => Iterable<GateFigures>): void {
  gates = read
}

export function countEvent(event: string): void {
  events.inc({ event })
  const known = pendingEvents.get(event)
  pendingEvents.set(event, { times: (known?.times ?? 0) + 1, lastAt: new Date() })
}

export interface CountedEvent {
  readonly times: number
  readonly lastAt: Date
}
let pendingEvents = new Map<string, CountedEvent>()

/** Returns the events counted since the last call and resets them; the alarm job stores them in the database. */
export function takeEvents(): ReadonlyMap<string, CountedEvent> {
  const taken = pendingEvents
  pendingEvents = new Map()
  return taken
}
