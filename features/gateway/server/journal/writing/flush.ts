import { crashPoint } from '#platform/server/crash.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { postDifferences } from '../corrections/late-figures.ts'
import { parkLetter, unwritten, writeFlush } from './data-flush.ts'
import { isAway, isOpened, isPassing, isWritten, within } from './faults.ts'
import { letterOf, rowsOf } from './ops.ts'
import { answered, failed } from './pulse.ts'
import type { Pulse } from './pulse.ts'
import type { Op, OpenOp, OpenRow, SettleOp } from './ops.ts'

const WITHIN_MS = 15_000
/**
 * So long an open row waits for the database. Its vendor has been dialled and bills: a call that is given up sooner has cost us an answer
 * that its client never saw.
 */
const OPEN_MS = 120_000
/** Short to the end: callers are refused meanwhile. */
const BACKOFF_MS = [50, 100, 250, 500]

export interface State {
  readonly sql: Sql
  readonly node: () => string
  readonly log: Log
  queue: Op[]
  /** Open rows that a settlement may still make needless, oldest first. */
  lazy: Array<{ readonly op: OpenOp; readonly at: number }>
  timer: NodeJS.Timeout | undefined
  readonly rows: Map<string, OpenRow>
  /** Flushes under way. */
  flights: number
  /** Settlements that are not durable yet. */
  open: number
  scheduled: boolean
  /** Flushes in a row that the database did not take. */
  failures: number
  drained: Array<() => void>
  readonly pulse: Pulse
}

/** Writes a batch, in halves where the whole is refused; whatever happens, each row comes to an end or back to the queue. */
export async function flush(s: State, batch: readonly Op[]): Promise<void> {
  try {
    await write(s, batch)
    s.failures = 0
    answered(s.pulse)
    for (const op of batch) written(s, op)
  } catch (error) {
    if (isPassing(error)) return postpone(s, batch, error)
    if (batch.length === 1) return isOpened(error) ? written(s, batch[0]!) : park(s, batch[0]!, error)
    const half = batch.length >> 1
    await flush(s, batch.slice(0, half))
    await flush(s, batch.slice(half))
  }
}

async function write(s: State, batch: readonly Op[]): Promise<void> {
  const { opened, settled, closed } = rowsOf(batch)
  if (opened.length) crashPoint('gateway.before-reserve')
  if (settled.length) crashPoint('gateway.before-settle')
  await within(
    WITHIN_MS,
    writeFlush(s.sql, s.node(), opened, settled, closed).catch(async (error: unknown) => {
      if (!isWritten(error)) throw error
      const fresh = await unwritten(s.sql, settled)
      await writeFlush(s.sql, s.node(), opened, fresh, closed)
      const isFresh = new Set(fresh)
      await postDifferences(
        s.sql,
        s.log,
        s.node(),
        settled.filter((call) => !isFresh.has(call)),
      )
    }),
  )
  if (opened.length) crashPoint('gateway.after-reserve')
  if (settled.length) crashPoint('gateway.after-settle')
}

function written(s: State, op: Op): void {
  if (op.kind === 'settle') {
    s.open--
    op.done()
    return
  }
  if (op.skipped) return
  const row = s.rows.get(op.call.callId)!
  row.state = 'written'
  op.done()
  followUp(s, op.call.callId, row.then)
}

/** A settlement that waited for its call's row to be written: it leaves with the next flush. */
function followUp(s: State, callId: string, op: SettleOp | undefined): void {
  if (!op) return
  op.closes = true
  s.rows.delete(callId)
  s.queue.push(op)
}

/** Written or not: a settlement of this call deletes the row, and the sweeper finds it otherwise. */
function fail(s: State, op: OpenOp, error: unknown): void {
  const row = s.rows.get(op.call.callId)!
  row.state = 'unsure'
  op.failed(error)
  followUp(s, op.call.callId, row.then)
}

/** Operations left after the flush of an open row failed: a retry or, if its call has ended meanwhile, the settlement instead. */
function tryAgain(s: State, op: OpenOp, error: unknown): Op[] {
  if (performance.now() - op.since > OPEN_MS) {
    fail(s, op, error)
    return []
  }
  const row = s.rows.get(op.call.callId)!
  const { then } = row
  if (!then) {
    row.state = 'queued'
    row.isDoubtful = true
    return [op]
  }
  op.skipped = true
  s.rows.delete(op.call.callId)
  const { done } = then
  then.closes = true
  then.done = () => {
    op.done()
    done()
  }
  return [then]
}

async function postpone(s: State, batch: readonly Op[], error: unknown): Promise<void> {
  if (isAway(error)) failed(s.pulse)
  s.log.warn({ err: error, rows: batch.length }, 'journal waits for the database')
  countEvent('gateway.journal_retry')
  const again: Op[] = []
  for (const op of batch) {
    if (op.kind === 'settle') again.push(op)
    else if (!op.skipped) again.push(...tryAgain(s, op, error))
  }
  await new Promise((resolve) => {
    setTimeout(resolve, BACKOFF_MS[Math.min(s.failures++, BACKOFF_MS.length - 1)])
  })
  s.queue = again.concat(s.queue)
}

async function park(s: State, op: Op, error: unknown): Promise<void> {
  if (op.kind === 'open') {
    if (!op.skipped) fail(s, op, error)
    return
  }
  const reason = String((error as Error)?.message ?? error).slice(0, 500)
  countEvent('gateway.dead_letter')
  s.log.error({ err: error, callId: op.call.callId }, 'a call could not be written and is parked')
  try {
    await within(WITHIN_MS, parkLetter(s.sql, { callId: op.call.callId.replaceAll('\0', ''), kind: 'settle', reason, payload: letterOf(op.call) }))
    written(s, op)
  } catch (lost) {
    await postpone(s, [op], lost)
  }
}
