import type { ReservedCall, SettledCall } from '../../hot/deps.ts'
import { flushJournalBatch } from './flush.ts'
import type { CommitterState } from './flush.ts'
import type { Op, OpenOp, SettleOp } from './ops.ts'
import { createFlushHealth, isFlushSlow, isFlushStuck, clearFlushFailure, waitUntilQuick } from './flush-health.ts'

/**
 * Performs all writes of the journal: rows that arrive while a commit is under way join the next; a second commit runs in parallel only
 * when many rows wait. A row that the database refuses is isolated by halving its batch and parked. While the database is unavailable,
 * settlements wait, and so do, for a limited time, reservations of calls whose vendors have started already.
 */
export interface Committer {
  /**
   * Resolves when the open call is durable; rejects if the database is unavailable for OPEN_MS. Unless `soon`, the row waits up to LAZY_MS
   * for a settlement that replaces it.
   */
  open(call: ReservedCall, soon: boolean): Promise<void>
  /** True while the open row of a call has not been sent to the database. */
  isWaiting(callId: string): boolean
  /** Resolves when usage row and charge are durable, or parked with an alarm. Never rejects. */
  settle(call: SettledCall): Promise<void>
  /** Number of settlements that are not durable yet. */
  backlog(): number
  /** True while the database keeps rows waiting: a new call must not be sent before `whenQuick` resolves. */
  isSlow(): boolean
  /** Resolves to true once rows are accepted again, to false when that takes so long that the call should be refused. */
  whenQuick(): Promise<boolean>
  /** True while calls are refused because rows have waited for too long. */
  isStuck(): boolean
  /** Resolves when all rows handed over are written. */
  drain(): Promise<void>
}

const MAX_FLUSHES = 2
/**
 * Rows that must wait before a second flush starts beside the first: fewer, larger flushes cost half
 * (docs/decisions/leases-and-group-commit.md).
 */
const SECOND_FLUSH_ROWS = 100
/** Long compared to a fast answer, short compared to a slow one: the period in which a killed process may lose a call that it just sent. */
const LAZY_MS = 10
const MAX_FLUSH_ROWS = 2000

export interface CommitterOptions extends Pick<CommitterState, 'sql' | 'node' | 'log'> {
  /** Longest wait of a new call for rows to be accepted. */
  readonly refuseMs: number
}

export function createCommitter({ sql, node, log, refuseMs }: CommitterOptions): Committer {
  const s: CommitterState = {
    sql,
    node,
    log,
    queue: [],
    lazy: [],
    timer: undefined,
    rows: new Map(),
    flights: 0,
    open: 0,
    scheduled: false,
    failures: 0,
    drained: [],
    pulse: createFlushHealth(refuseMs),
  }
  return {
    open: (call, soon) => openCall(s, call, soon),
    isWaiting: (callId) => s.rows.get(callId)?.state === 'queued',
    settle: (call) => settleCall(s, call),
    backlog: () => s.open,
    isSlow: () => isFlushSlow(s.pulse),
    whenQuick: () => waitUntilQuick(s.pulse),
    isStuck: () => isFlushStuck(s.pulse),
    drain: () => drain(s),
  }
}

function openCall(s: CommitterState, call: ReservedCall, soon: boolean): Promise<void> {
  return new Promise<void>((done, failed) => {
    const op: OpenOp = { kind: 'open', call, done, failed, since: performance.now(), skipped: false }
    s.rows.set(call.callId, { state: 'queued', op, then: undefined, isDoubtful: false })
    if (soon) return enqueue(s, op)
    s.lazy.push({ op, at: performance.now() })
    s.timer ??= setTimeout(() => enqueueOverdue(s), LAZY_MS)
  })
}

function settleCall(s: CommitterState, call: SettledCall): Promise<void> {
  return new Promise<void>((done) => {
    const row = s.rows.get(call.callId)
    if (row?.state === 'flying' && row.then) {
      const first = row.then.done
      row.then.done = () => {
        first()
        done()
      }
      return
    }
    s.open++
    const op: SettleOp = { kind: 'settle', call, done, closes: false }
    if (row?.state === 'flying') {
      row.then = op
      return
    }
    s.rows.delete(call.callId)
    if (row?.state === 'queued') {
      // The call ended before its open row was written: skip that row.
      row.op.skipped = true
      op.done = () => {
        row.op.done()
        done()
      }
    }
    op.closes = row?.state === 'written' || row?.state === 'unsure' || row?.isDoubtful === true
    enqueue(s, op)
  })
}

function drain(s: CommitterState): Promise<void> {
  return new Promise<void>((done) => {
    clearTimeout(s.timer)
    enqueueOverdue(s, Infinity)
    if (!s.flights && !s.open && !s.queue.length) return done()
    s.drained.push(done)
    schedule(s)
  })
}

function enqueue(s: CommitterState, op: Op): void {
  s.queue.push(op)
  schedule(s)
}

function schedule(s: CommitterState): void {
  if (s.scheduled) return
  s.scheduled = true
  setImmediate(() => startFlushes(s))
}

/** Open rows without a timely settlement are written like any other. */
function enqueueOverdue(s: CommitterState, before = performance.now() - LAZY_MS): void {
  s.timer = undefined
  let due = 0
  while (due < s.lazy.length && s.lazy[due]!.at <= before) {
    const { op } = s.lazy[due++]!
    if (!op.skipped) s.queue.push(op)
  }
  s.lazy = s.lazy.slice(due)
  if (s.queue.length) schedule(s)
  if (s.lazy.length) s.timer = setTimeout(() => enqueueOverdue(s), LAZY_MS)
}

function startFlushes(s: CommitterState): void {
  s.scheduled = false
  while (s.queue.length && (s.flights === 0 || (s.flights < MAX_FLUSHES && s.queue.length >= SECOND_FLUSH_ROWS))) {
    const batch = s.queue.length <= MAX_FLUSH_ROWS ? s.queue : s.queue.slice(0, MAX_FLUSH_ROWS)
    s.queue = s.queue.length <= MAX_FLUSH_ROWS ? [] : s.queue.slice(MAX_FLUSH_ROWS)
    for (const op of batch) if (op.kind === 'open' && !op.skipped) s.rows.get(op.call.callId)!.state = 'flying'
    s.flights++
    const flight = { at: performance.now() }
    s.pulse.flights.add(flight)
    void flushJournalBatch(s, batch).finally(() => {
      s.pulse.flights.delete(flight)
      handleFlushEnd(s)
    })
  }
}

function handleFlushEnd(s: CommitterState): void {
  s.flights--
  if (!s.queue.length && !s.flights) clearFlushFailure(s.pulse)
  if (s.queue.length) startFlushes(s)
  else if (!s.flights && !s.open) {
    const waiting = s.drained
    s.drained = []
    for (const done of waiting) done()
  }
}
