import { crashPoint } from '#platform/server/crash.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import type { ReservedCall, SettledCall } from '../hot/deps.ts'
import { parkLetter, unwritten, writeFlush } from './data-flush.ts'
import { isPassing, isWritten, within } from './faults.ts'
import { letterOf, rowsOf } from './ops.ts'
import type { Op, OpenOp, OpenRow, SettleOp } from './ops.ts'

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

const FLUSHES = 2
/** Rows that must wait before a second flush leaves beside the first: fewer, larger flushes cost half (decision 0009). */
const CROWD = 100
/** Long against a fast answer, short against a slow one: what a killed process may forget of a call it had just dialled. */
const LAZY_MS = 10
const ROWS = 2000
const WITHIN_MS = 15_000
const BACKOFF_MS = [50, 100, 250, 500, 1000, 2000]

export const createCommitter = (sql: Sql, node: string, log: Log): Committer => new RowCommitter(sql, node, log)

class RowCommitter implements Committer {
  readonly #sql: Sql
  readonly #node: string
  readonly #log: Log
  #queue: Op[] = []
  /** Open rows that a settlement may still make needless, oldest first. */
  #lazy: Array<{ readonly op: OpenOp; readonly at: number }> = []
  #timer: NodeJS.Timeout | undefined
  readonly #rows = new Map<string, OpenRow>()
  /** Flushes under way. */
  #flights = 0
  /** Settlements that are not durable yet. */
  #open = 0
  #scheduled = false
  /** Flushes in a row that the database did not take. */
  #failures = 0
  #drained: Array<() => void> = []

  constructor(sql: Sql, node: string, log: Log) {
    this.#sql = sql
    this.#node = node
    this.#log = log
  }

  open(call: ReservedCall, soon: boolean): Promise<void> {
    return new Promise<void>((done, failed) => {
      const op: OpenOp = { kind: 'open', call, done, failed, skipped: false }
      this.#rows.set(call.callId, { state: 'queued', op, then: undefined })
      if (soon) return this.#enqueue(op)
      this.#lazy.push({ op, at: performance.now() })
      this.#timer ??= setTimeout(this.#enqueueOverdue, LAZY_MS)
    })
  }

  isWaiting(callId: string): boolean {
    return this.#rows.get(callId)?.state === 'queued'
  }

  settle(call: SettledCall): Promise<void> {
    return new Promise<void>((done) => {
      const row = this.#rows.get(call.callId)
      if (row?.state === 'flying' && row.then) {
        const first = row.then.done
        row.then.done = () => {
          first()
          done()
        }
        return
      }
      this.#open++
      const op: SettleOp = { kind: 'settle', call, done, closes: false }
      if (row?.state === 'flying') {
        row.then = op
        return
      }
      this.#rows.delete(call.callId)
      if (row?.state === 'queued') {
        // Its end came before its beginning was written: one row fewer.
        row.op.skipped = true
        op.done = () => {
          row.op.done()
          done()
        }
      }
      op.closes = row?.state === 'written' || row?.state === 'unsure'
      this.#enqueue(op)
    })
  }

  backlog(): number {
    return this.#open
  }

  drain(): Promise<void> {
    return new Promise<void>((done) => {
      clearTimeout(this.#timer)
      this.#enqueueOverdue(Infinity)
      if (!this.#flights && !this.#open && !this.#queue.length) return done()
      this.#drained.push(done)
      this.#schedule()
    })
  }

  #enqueue(op: Op): void {
    this.#queue.push(op)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#start)
  }

  /** Open rows whose settlement did not come in time are written like any other. */
  readonly #enqueueOverdue = (before = performance.now() - LAZY_MS): void => {
    this.#timer = undefined
    let due = 0
    while (due < this.#lazy.length && this.#lazy[due]!.at <= before) {
      const { op } = this.#lazy[due++]!
      if (!op.skipped) this.#queue.push(op)
    }
    this.#lazy = this.#lazy.slice(due)
    if (this.#queue.length) this.#schedule()
    if (this.#lazy.length) this.#timer = setTimeout(this.#enqueueOverdue, LAZY_MS)
  }

  readonly #start = (): void => {
    this.#scheduled = false
    while (this.#queue.length && (this.#flights === 0 || (this.#flights < FLUSHES && this.#queue.length >= CROWD))) {
      const batch = this.#queue.length <= ROWS ? this.#queue : this.#queue.slice(0, ROWS)
      this.#queue = this.#queue.length <= ROWS ? [] : this.#queue.slice(ROWS)
      for (const op of batch) if (op.kind === 'open' && !op.skipped) this.#rows.get(op.call.callId)!.state = 'flying'
      this.#flights++
      void this.#flush(batch).finally(this.#landed)
    }
  }

  readonly #landed = (): void => {
    this.#flights--
    if (this.#queue.length) this.#start()
    else if (!this.#flights && !this.#open) {
      const waiting = this.#drained
      this.#drained = []
      for (const done of waiting) done()
    }
  }

  /** Writes a batch, in halves where the whole is refused; whatever happens, each row comes to an end or back to the queue. */
  async #flush(batch: readonly Op[]): Promise<void> {
    try {
      await this.#write(batch)
      this.#failures = 0
      for (const op of batch) this.#written(op)
    } catch (error) {
      if (isPassing(error)) return this.#postpone(batch, error)
      if (batch.length === 1) return this.#park(batch[0]!, error)
      const half = batch.length >> 1
      await this.#flush(batch.slice(0, half))
      await this.#flush(batch.slice(half))
    }
  }

  async #write(batch: readonly Op[]): Promise<void> {
    const { opened, settled, closed } = rowsOf(batch)
    if (opened.length) crashPoint('gateway.before-reserve')
    if (settled.length) crashPoint('gateway.before-settle')
    await within(
      WITHIN_MS,
      writeFlush(this.#sql, this.#node, opened, settled, closed).catch(async (error: unknown) => {
        if (!isWritten(error)) throw error
        return writeFlush(this.#sql, this.#node, opened, await unwritten(this.#sql, settled), closed)
      }),
    )
    if (opened.length) crashPoint('gateway.after-reserve')
    if (settled.length) crashPoint('gateway.after-settle')
  }

  #written(op: Op): void {
    if (op.kind === 'settle') {
      this.#open--
      op.done()
      return
    }
    if (op.skipped) return
    const row = this.#rows.get(op.call.callId)!
    row.state = 'written'
    op.done()
    this.#followUp(op.call.callId, row.then)
  }

  /** A settlement that waited for its call's row to be written. */
  #followUp(callId: string, op: SettleOp | undefined): void {
    if (!op) return
    op.closes = true
    this.#rows.delete(callId)
    this.#enqueue(op)
  }

  /** Written or not: a settlement of this call deletes the row, and the sweeper finds it otherwise. */
  #fail(op: OpenOp, error: unknown): void {
    const row = this.#rows.get(op.call.callId)!
    row.state = 'unsure'
    op.failed(error)
    this.#followUp(op.call.callId, row.then)
  }

  async #postpone(batch: readonly Op[], error: unknown): Promise<void> {
    this.#log.warn({ err: error, rows: batch.length }, 'journal waits for the database')
    countEvent('gateway.journal_retry')
    const again: Op[] = []
    for (const op of batch) {
      if (op.kind === 'settle') again.push(op)
      else if (!op.skipped) this.#fail(op, error)
    }
    await new Promise((resolve) => {
      setTimeout(resolve, BACKOFF_MS[Math.min(this.#failures++, BACKOFF_MS.length - 1)])
    })
    this.#queue = again.concat(this.#queue)
  }

  async #park(op: Op, error: unknown): Promise<void> {
    if (op.kind === 'open') {
      if (!op.skipped) this.#fail(op, error)
      return
    }
    const reason = String((error as Error)?.message ?? error).slice(0, 500)
    countEvent('gateway.dead_letter')
    this.#log.error({ err: error, callId: op.call.callId }, 'a call could not be written and is parked')
    try {
      await within(WITHIN_MS, parkLetter(this.#sql, { callId: op.call.callId.replaceAll('\0', ''), kind: 'settle', reason, payload: letterOf(op.call) }))
      this.#written(op)
    } catch (lost) {
      await this.#postpone([op], lost)
    }
  }
}
