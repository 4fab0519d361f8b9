import { crashPoint } from '#platform/server/crash.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import type { ReservedCall, SettledCall } from '../hot/deps.ts'
import { parkLetter, unwritten, writeFlush } from './data-flush.ts'
import { isPassing, isWritten, within } from './faults.ts'

/**
 * All writes of the journal go through here: rows that arrive while a commit is under way join the next; a second is under
 * way beside it only when many wait. A row that the database refuses is found by halving its batch and parked; while the database is away
 * settlements wait and reservations are refused.
 */
export interface Committer {
  /**
   * Resolves when the open call is durable; rejects when the database is away. Unless `soon`, the row waits up to LAZY_MS for a
   * settlement that takes its place.
   */
  open(call: ReservedCall, soon: boolean): Promise<void>
  /** True while the open row of a call has not left for the database. */
  isWaiting(callId: string): boolean
  /** Resolves when usage row and charge are durable, or parked with an alarm. Never rejects. */
  settle(call: SettledCall): Promise<void>
  /** Settlements that are not durable yet. */
  backlog(): number
  /** Resolves when everything that was handed over is written. */
  drain(): Promise<void>
}

interface OpenOp {
  readonly kind: 'open'
  readonly call: ReservedCall
  readonly done: () => void
  readonly failed: (error: unknown) => void
  skipped: boolean
}
/** `closes`: the open row was written before and goes now. */
interface SettleOp {
  readonly kind: 'settle'
  readonly call: SettledCall
  done: () => void
  closes: boolean
}
type Op = OpenOp | SettleOp

const FLUSHES = 2
/** Rows that must wait before a second flush leaves beside the first: fewer, larger flushes cost half (decision 0009). */
const CROWD = 100
/** Long against a fast answer, short against a slow one: what a killed process may forget of a call it had just dialled. */
const LAZY_MS = 10
const ROWS = 2000
const WITHIN_MS = 15_000
const BACKOFF_MS = [50, 100, 250, 500, 1000, 2000]

export function createCommitter(sql: Sql, node: string, log: Log): Committer {
  let queue: Op[] = []
  /** Open rows that a settlement may still make needless, oldest first. */
  let lazy: Array<{ readonly op: OpenOp; readonly at: number }> = []
  let timer: NodeJS.Timeout | undefined
  /** Opened calls by what became of their row; `unsure` may or may not be written. */
  const rows = new Map<string, { state: 'queued' | 'flying' | 'written' | 'unsure'; op: OpenOp; then: SettleOp | undefined }>()
  let flights = 0
  let open = 0
  let scheduled = false
  let failures = 0
  let quiet: Array<() => void> = []

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(start)
  }
  /** Open rows whose settlement did not come in time are written like any other. */
  const ripen = (before: number) => {
    timer = undefined
    let ripe = 0
    while (ripe < lazy.length && lazy[ripe]!.at <= before) {
      const { op } = lazy[ripe++]!
      if (!op.skipped) queue.push(op)
    }
    lazy = lazy.slice(ripe)
    if (queue.length) schedule()
    if (lazy.length) timer = setTimeout(() => ripen(performance.now() - LAZY_MS), LAZY_MS)
  }
  const start = () => {
    scheduled = false
    while (queue.length && (flights === 0 || (flights < FLUSHES && queue.length >= CROWD))) {
      const batch = queue.length <= ROWS ? queue : queue.slice(0, ROWS)
      queue = queue.length <= ROWS ? [] : queue.slice(ROWS)
      for (const op of batch) if (op.kind === 'open' && !op.skipped) rows.get(op.call.callId)!.state = 'flying'
      flights++
      void fly(batch).finally(() => {
        flights--
        if (queue.length) start()
        else if (!flights && !open) {
          const waiting = quiet
          quiet = []
          for (const done of waiting) done()
        }
      })
    }
  }

  /** Writes a batch, in halves where the whole is refused; whatever happens, each row comes to an end or back to the queue. */
  const fly = async (batch: readonly Op[]): Promise<void> => {
    try {
      await write(batch)
      failures = 0
      for (const op of batch) landed(op)
    } catch (error) {
      if (isPassing(error)) return postpone(batch, error)
      if (batch.length === 1) return park(batch[0]!, error)
      const half = batch.length >> 1
      await fly(batch.slice(0, half))
      await fly(batch.slice(half))
    }
  }

  const write = async (batch: readonly Op[]) => {
    const opened: ReservedCall[] = []
    const settled: SettledCall[] = []
    const closed: SettledCall[] = []
    const seen = new Set<string>()
    for (const op of batch) {
      if (op.kind === 'open') {
        if (!op.skipped) opened.push(op.call)
      } else {
        if (!seen.has(op.call.callId)) settled.push(op.call)
        seen.add(op.call.callId)
        if (op.closes) closed.push(op.call)
      }
    }
    if (opened.length) crashPoint('gateway.before-reserve')
    if (settled.length) crashPoint('gateway.before-settle')
    await within(
      WITHIN_MS,
      writeFlush(sql, node, opened, settled, closed).catch(async (error: unknown) => {
        if (!isWritten(error)) throw error
        return writeFlush(sql, node, opened, await unwritten(sql, settled), closed)
      }),
    )
    if (opened.length) crashPoint('gateway.after-reserve')
    if (settled.length) crashPoint('gateway.after-settle')
  }

  const landed = (op: Op) => {
    if (op.kind === 'settle') {
      open--
      op.done()
      return
    }
    if (op.skipped) return
    const row = rows.get(op.call.callId)!
    row.state = 'written'
    op.done()
    followUp(op.call.callId, row.then)
  }

  /** A settlement that waited for its call's row to be written. */
  const followUp = (callId: string, op: SettleOp | undefined) => {
    if (!op) return
    op.closes = true
    rows.delete(callId)
    queue.push(op)
    schedule()
  }

  const postpone = async (batch: readonly Op[], error: unknown) => {
    log.warn({ err: error, rows: batch.length }, 'journal waits for the database')
    countEvent('gateway.journal_retry')
    const again: Op[] = []
    for (const op of batch) {
      if (op.kind === 'settle') {
        again.push(op)
        continue
      }
      if (op.skipped) continue
      // Written or not: a settlement of this call deletes the row, and the sweeper finds it otherwise.
      const row = rows.get(op.call.callId)!
      row.state = 'unsure'
      op.failed(error)
      followUp(op.call.callId, row.then)
    }
    await new Promise((resolve) => {
      setTimeout(resolve, BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)])
    })
    queue = again.concat(queue)
  }

  const park = async (op: Op, error: unknown) => {
    const reason = String((error as Error)?.message ?? error).slice(0, 500)
    if (op.kind === 'open') {
      if (op.skipped) return
      const row = rows.get(op.call.callId)!
      row.state = 'unsure'
      op.failed(error)
      return followUp(op.call.callId, row.then)
    }
    countEvent('gateway.dead_letter')
    log.error({ err: error, callId: op.call.callId }, 'a call could not be written and is parked')
    const payload = JSON.stringify(op.call, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : typeof value === 'string' ? value.replaceAll('\0', '') : value,
    )
    try {
      await within(WITHIN_MS, parkLetter(sql, { callId: op.call.callId.replaceAll('\0', ''), kind: 'settle', reason, payload }))
      landed(op)
    } catch (lost) {
      await postpone([op], lost)
    }
  }

  return {
    open: (call, soon) =>
      new Promise<void>((done, failed) => {
        const op: OpenOp = { kind: 'open', call, done, failed, skipped: false }
        rows.set(call.callId, { state: 'queued', op, then: undefined })
        if (soon) {
          queue.push(op)
          schedule()
          return
        }
        lazy.push({ op, at: performance.now() })
        timer ??= setTimeout(() => ripen(performance.now() - LAZY_MS), LAZY_MS)
      }),
    isWaiting: (callId) => rows.get(callId)?.state === 'queued',
    settle: (call) =>
      new Promise<void>((done) => {
        const row = rows.get(call.callId)
        if (row?.state === 'flying' && row.then) {
          const first = row.then.done
          row.then.done = () => {
            first()
            done()
          }
          return
        }
        open++
        const op: SettleOp = { kind: 'settle', call, done, closes: false }
        if (row?.state === 'flying') {
          row.then = op
          return
        }
        rows.delete(call.callId)
        if (row?.state === 'queued') {
          // Its end came before its beginning was written: one row fewer.
          row.op.skipped = true
          op.done = () => {
            row.op.done()
            done()
          }
        }
        op.closes = row?.state === 'written' || row?.state === 'unsure'
        queue.push(op)
        schedule()
      }),
    backlog: () => open,
    drain: () =>
      new Promise<void>((done) => {
        clearTimeout(timer)
        ripen(Infinity)
        if (!flights && !open && !queue.length) return done()
        quiet.push(done)
        schedule()
      }),
  }
}
