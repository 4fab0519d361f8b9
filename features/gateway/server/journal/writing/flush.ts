import { crashPoint } from '#platform/server/crash.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { postLateDifferences } from '../corrections/late-figures.ts'
import { insertDeadLetter, selectUnwrittenCalls, writeFlush } from './data-flush.ts'
import { isDatabaseUnavailable, isAlreadyOpened, isTransientWriteError, isAlreadyWritten, withWriteTimeout } from './database-errors.ts'
import { toDeadLetter, collectRows } from './ops.ts'
import { recordFlushSuccess, recordFlushFailure } from './flush-health.ts'
import type { FlushHealth } from './flush-health.ts'
import type { Op, OpenOp, PendingOpenRow, SettleOp } from './ops.ts'

const FLUSH_TIMEOUT_MS = 15_000
/**
 * Longest wait of an open row for the database. Its vendor is already working and bills: giving up sooner costs us an answer that the
 * client never received.
 */
const OPEN_MS = 120_000
/** The last pause is short too, because callers are refused meanwhile. */
const BACKOFF_MS = [50, 100, 250, 500]

export interface CommitterState {
  readonly sql: Sql
  readonly node: () => string
  readonly log: Log
  queue: Op[]
  /** Open rows that a settlement may still make unnecessary, oldest first. */
  lazy: Array<{ readonly op: OpenOp; readonly at: number }>
  timer: NodeJS.Timeout | undefined
  readonly rows: Map<string, PendingOpenRow>
  /** Number of flushes under way. */
  flights: number
  /** Number of settlements that are not durable yet. */
  open: number
  scheduled: boolean
  /** Number of consecutive flushes that the database did not accept. */
  failures: number
  drained: Array<() => void>
  readonly pulse: FlushHealth
}

/** Writes a batch, in halves if the database refuses the whole; each row either completes or returns to the queue. */
export async function flushJournalBatch(s: CommitterState, batch: readonly Op[]): Promise<void> {
  try {
    await writeBatch(s, batch)
    s.failures = 0
    recordFlushSuccess(s.pulse)
    for (const op of batch) handleWritten(s, op)
  } catch (error) {
    if (isTransientWriteError(error)) return postpone(s, batch, error)
    if (batch.length === 1) return isAlreadyOpened(error) ? handleWritten(s, batch[0]!) : parkDeadLetter(s, batch[0]!, error)
    const half = batch.length >> 1
    await flushJournalBatch(s, batch.slice(0, half))
    await flushJournalBatch(s, batch.slice(half))
  }
}

async function writeBatch(s: CommitterState, batch: readonly Op[]): Promise<void> {
  const { opened, settled, closed } = collectRows(batch)
  if (opened.length) crashPoint('gateway.before-reserve')
  if (settled.length) crashPoint('gateway.before-settle')
  await withWriteTimeout(
    FLUSH_TIMEOUT_MS,
    writeFlush(s.sql, s.node(), { opened, settled, closed }).catch(async (error: unknown) => {
      if (!isAlreadyWritten(error)) throw error
      const fresh = await selectUnwrittenCalls(s.sql, settled)
      await writeFlush(s.sql, s.node(), { opened, settled: fresh, closed })
      const isFresh = new Set(fresh)
      await postLateDifferences(s.sql, s.log, { node: s.node(), calls: settled.filter((call) => !isFresh.has(call)) })
    }),
  )
  if (opened.length) crashPoint('gateway.after-reserve')
  if (settled.length) crashPoint('gateway.after-settle')
}

function handleWritten(s: CommitterState, op: Op): void {
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

/** A settlement that waited for its call's open row to be written joins the next flush. */
function followUp(s: CommitterState, callId: string, op: SettleOp | undefined): void {
  if (!op) return
  op.closes = true
  s.rows.delete(callId)
  s.queue.push(op)
}

/** Fails an open row that may or may not be written: a settlement of the call deletes it, otherwise the sweeper finds it. */
function failOpen(s: CommitterState, op: OpenOp, error: unknown): void {
  const row = s.rows.get(op.call.callId)!
  row.state = 'unsure'
  op.failed(error)
  followUp(s, op.call.callId, row.then)
}

/** Operations to queue after the flush of an open row failed: a retry or, if its call has ended meanwhile, the settlement instead. */
function retryOpen(s: CommitterState, op: OpenOp, error: unknown): Op[] {
  if (performance.now() - op.since > OPEN_MS) {
    failOpen(s, op, error)
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

async function postpone(s: CommitterState, batch: readonly Op[], error: unknown): Promise<void> {
  if (isDatabaseUnavailable(error)) recordFlushFailure(s.pulse)
  s.log.warn({ err: error, rows: batch.length }, 'journal waits for the database')
  countEvent('gateway.journal_retry')
  const again: Op[] = []
  for (const op of batch) {
    if (op.kind === 'settle') again.push(op)
    else if (!op.skipped) again.push(...retryOpen(s, op, error))
  }
  await new Promise((resolve) => {
    setTimeout(resolve, BACKOFF_MS[Math.min(s.failures++, BACKOFF_MS.length - 1)])
  })
  s.queue = again.concat(s.queue)
}

async function parkDeadLetter(s: CommitterState, op: Op, error: unknown): Promise<void> {
  if (op.kind === 'open') {
    if (!op.skipped) failOpen(s, op, error)
    return
  }
  const reason = String((error as Error)?.message ?? error).slice(0, 500)
  countEvent('gateway.dead_letter')
  s.log.error({ err: error, callId: op.call.callId }, 'a call could not be written and is parked')
  try {
    await withWriteTimeout(
      FLUSH_TIMEOUT_MS,
      insertDeadLetter(s.sql, { callId: op.call.callId.replaceAll('\0', ''), kind: 'settle', reason, payload: toDeadLetter(op.call) }),
    )
    handleWritten(s, op)
  } catch (lost) {
    await postpone(s, [op], lost)
  }
}
