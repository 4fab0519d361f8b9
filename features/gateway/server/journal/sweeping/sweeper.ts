import { crashPoint } from '#platform/server/crash.ts'
import type { Db, Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { ReservedCall, SettledCall } from '../../hot/deps.ts'
import { deadLeases, deadNodes, lockDeadLease, openCallsOf, strayCalls } from './data-sweep.ts'
import type { OpenCallRow } from './data-sweep.ts'
import { unwritten, writeFlush } from '../writing/data-flush.ts'
import { postAll } from '../data-posting.ts'
import type { LeaseRef } from '../data-posting.ts'
import { endLease } from '../leases/data-leases.ts'

/** What became of a call whose process died: its bill, nothing, or not known yet. */
export type Fate =
  | {
      readonly kind: 'bill'
      /** `upstream`: who served it, which after a failover is not who was promised. */
      readonly bill: Pick<SettledCall, 'upstream' | 'dialect' | 'lines' | 'amount' | 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'reasoningTokens'>
    }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wait' }

export interface SweepOptions {
  readonly db: Db
  readonly log: Log
  readonly deadMs: number
  /** After this long a call that its vendor still calls running costs nothing. */
  readonly orphanMs: number
  readonly fateOf: (call: OpenCallRow) => Promise<Fate>
}

const LEASES = 50
const CALLS = 500
const AT_ONCE = 16
const SWEEPER = 'sweeper'

/**
 * Brings the calls of dead processes to an end and gives the rest of their leases back. Two sweepers share the work: a
 * lease is locked while it is ended, and a call's usage row is written once whoever writes it.
 */
export async function sweep(options: SweepOptions): Promise<number> {
  let ended = 0
  for (const { lease_id: leaseId, account_id: accountId } of await deadLeases(options.db, options.deadMs, LEASES)) {
    const done = await sweepLease(options, { accountId, leaseId }).catch((error: unknown) => {
      options.log.error({ err: error, leaseId: leaseId.toString() }, 'a dead lease could not be swept')
      countEvent('gateway.sweep_failed')
      return 0
    })
    ended += done
  }
  ended += await sweepStrays(options)
  await deadNodes(options.db, options.deadMs)
  // What a process wrote and did not live to post. What it did not live to add up any other process adds up.
  await postAll(options.db)
  return ended
}

async function sweepLease(options: SweepOptions, lease: LeaseRef): Promise<number> {
  // Vendors are asked before anything is locked: they may be slow.
  const fates = await askAll(options, await openCallsOf(options.db, lease, CALLS))
  crashPoint('gateway.before-sweep')
  const ended = await transact(options.db, SYSTEM, async (tx) => {
    if (!(await lockDeadLease(tx, lease, options.deadMs))) return 0
    const open = await openCallsOf(tx, lease, CALLS)
    const known = open.filter((row) => fates.has(row.call_id))
    const count = await end(tx, known, fates, options)
    if (count === open.length && open.length < CALLS) await endLease(tx, lease)
    crashPoint('gateway.sweep-before-commit')
    if (count) await tx.audit('gateway.swept', `lease:${lease.leaseId}`, { calls: count })
    return count
  })
  crashPoint('gateway.after-sweep')
  return ended
}

async function sweepStrays(options: SweepOptions): Promise<number> {
  return transact(options.db, SYSTEM, async (tx) => {
    const rows = await strayCalls(tx, Math.max(options.deadMs, options.orphanMs), CALLS)
    if (!rows.length) return 0
    countEvent('gateway.stray_calls')
    const ended = await end(tx, rows, await askAll(options, rows), options)
    await tx.audit('gateway.swept', 'strays', { calls: ended })
    return ended
  })
}

async function askAll(options: SweepOptions, rows: readonly OpenCallRow[]): Promise<Map<string, Fate>> {
  const fates = new Map<string, Fate>()
  const queue = [...rows]
  const worker = async () => {
    for (let row = queue.pop(); row; row = queue.pop()) {
      const isOld = Date.now() - row.started_at.getTime() > options.orphanMs
      fates.set(
        row.call_id,
        await options.fateOf(row).catch((error: unknown): Fate => {
          options.log.warn({ err: error, callId: row.call_id }, 'a vendor could not be asked about a call')
          return isOld ? { kind: 'nothing' } : { kind: 'wait' }
        }),
      )
      if (isOld && fates.get(row.call_id)!.kind === 'wait') fates.set(row.call_id, { kind: 'nothing' })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return fates
}

/** Writes usage rows and closes the calls whose fate is known; returns how many. */
async function end(tx: Sql, rows: readonly OpenCallRow[], fates: ReadonlyMap<string, Fate>, options: SweepOptions): Promise<number> {
  const settled: SettledCall[] = []
  for (const row of rows) {
    const fate = fates.get(row.call_id)
    if (!fate || fate.kind === 'wait') continue
    const call: ReservedCall = {
      callId: row.call_id,
      leaseId: row.lease_id,
      accountId: row.account_id,
      keyId: row.key_id,
      userId: row.user_id,
      model: row.model,
      upstream: row.upstream,
      priceVersion: Number(row.price_version),
      held: row.held,
      startedAt: row.started_at.getTime(),
      ...(row.asked_model ? { askedModel: row.asked_model } : {}),
    }
    settled.push({
      ...call,
      dialect: 'openai-chat',
      stream: false,
      status: 500,
      outcome: 'upstream_cut',
      provenance: 'upstream',
      lines: [],
      amount: 0n,
      inputTokens: 0,
      cachedTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
      upstreamRequestId: '',
      requestId: '',
      firstByteMs: 0,
      totalMs: Math.max(0, Date.now() - call.startedAt),
      ...(fate.kind === 'bill' ? fate.bill : {}),
    })
  }
  if (settled.length) {
    await writeFlush(tx, SWEEPER, [], await unwritten(tx, settled), settled)
    options.log.warn({ calls: settled.length }, 'calls of a dead process were brought to an end')
  }
  return settled.length
}
