import { hostname } from 'node:os'
import type { Log } from '#platform/server/log.ts'
import { countEvent, watchGauges } from '#platform/server/metrics.ts'
import type { WriteResult } from './write-probe.ts'

/**
 * Alarms that need neither the worker nor the database: every process watches both and notifies an external receiver
 * (docs/decisions/outages-and-alarms.md). The names are rows of the alarm catalogue too, so that the operators' app has them once the
 * database is back.
 */
type Name = 'database.unwritable' | 'worker.silent'

/** Longer than a restart or a failover. */
const UNWRITABLE_MS = 15_000
/** Four checks of alarms were missed. */
const SILENT_MS = 60_000
const HEARTBEAT_MS = 60_000
const SEND_MS = 5_000

export interface WatchdogOptions {
  /** Receives alarms as JSON; undefined: log and metrics only. */
  readonly alarmUrl: string | undefined
  /** Called once a minute while all is well: the external service raises an alarm when the calls stop. */
  readonly heartbeatUrl: string | undefined
  readonly log: Pick<Log, 'error' | 'warn' | 'info'>
  readonly now?: () => number
  readonly fetch?: typeof globalThis.fetch
}

export interface Watchdog {
  /** Call it after each write of the probe. */
  observe(written: WriteResult): void
}

interface State {
  readonly options: WatchdogOptions
  readonly raised: Set<Name>
  /** Alarms not yet delivered, oldest first. */
  readonly queue: object[]
  sending: boolean
  heartbeatAt: number
}

export function createWatchdog(options: WatchdogOptions): Watchdog {
  const now = options.now ?? (() => performance.now())
  const startedAt = now()
  const s: State = { options, raised: new Set(), queue: [], sending: false, heartbeatAt: -Infinity }
  let latest: WriteResult | undefined
  watchGauges(() => ({ unwrittenMs: latest === undefined ? 0 : now() - latest.at, lookAgeMs: latest?.lookAgeMs }))
  return {
    observe: (written) => {
      latest = written
      const { failingSince } = written
      decide(s, 'database.unwritable', { isWrong: failingSince !== undefined && now() - failingSince >= UNWRITABLE_MS, isOver: failingSince === undefined })
      // Without the database the age is unknown; before the first check it counts from the start.
      const age = failingSince === undefined ? (written.lookAgeMs ?? now() - startedAt) : undefined
      decide(s, 'worker.silent', { isWrong: age !== undefined && age >= SILENT_MS, isOver: age !== undefined && age < SILENT_MS })
      if (failingSince === undefined && written.lookAgeMs !== undefined && written.lookAgeMs < SILENT_MS) sendHeartbeat(s, now())
      void send(s)
    },
  }
}

function decide(s: State, name: Name, { isWrong, isOver }: { readonly isWrong: boolean; readonly isOver: boolean }): void {
  if (isWrong && !s.raised.has(name)) {
    s.raised.add(name)
    if (name === 'database.unwritable') countEvent('database.unwritable')
    else countEvent('worker.silent')
    s.options.log.error({ alarm: name }, 'alarm')
    s.queue.push(buildMessage(name, 'raised'))
  }
  if (isOver && s.raised.delete(name)) {
    s.options.log.info({ alarm: name }, 'alarm over')
    s.queue.push(buildMessage(name, 'over'))
  }
}

const TEXTS: Readonly<Record<Name, string>> = {
  'database.unwritable': '数据库无法写入，新的模型调用被拒绝 · The database cannot be written; new model calls are refused',
  'worker.silent': 'worker 没有在看告警，任务可能停止 · No worker looks at alarms; jobs may have stopped',
}

/** `key` is the same in all processes, so that receivers deduplicate. `text` is shown by chat webhooks. */
const buildMessage = (name: Name, state: 'raised' | 'over'): object => ({
  key: name,
  name,
  state,
  severity: 'critical',
  text: `[${state}] ${name}: ${TEXTS[name]} (${hostname()})`,
  host: hostname(),
  at: new Date().toISOString(),
  runbook: 'docs/runbooks/system.md',
})

/** Delivers in order, each until the receiver accepts it; the next observation retries. */
async function send(s: State): Promise<void> {
  const { alarmUrl, log } = s.options
  if (alarmUrl === undefined) s.queue.length = 0
  if (s.sending || alarmUrl === undefined) return
  s.sending = true
  try {
    while (s.queue.length) {
      const reply = await request(s, alarmUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(s.queue[0]) })
      if (!reply.ok) throw new Error(`HTTP ${reply.status}`)
      s.queue.shift()
    }
  } catch (error) {
    log.warn({ err: error }, 'the alarm was not delivered and stays queued')
  } finally {
    s.sending = false
  }
}

function sendHeartbeat(s: State, at: number): void {
  const { heartbeatUrl, log } = s.options
  if (heartbeatUrl === undefined || at - s.heartbeatAt < HEARTBEAT_MS) return
  s.heartbeatAt = at
  request(s, heartbeatUrl, {}).catch((error: unknown) => log.warn({ err: error }, 'the heartbeat did not arrive'))
}

async function request(s: State, url: string, init: RequestInit): Promise<Response> {
  const reply = await (s.options.fetch ?? globalThis.fetch)(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(SEND_MS) })
  await reply.body?.cancel()
  return reply
}
