import { crashPoint } from '#platform/server/crash.ts'
import type { Db, Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { sumNano } from '#platform/shared/money.ts'
import { buildHeldLines } from '../../hot/settlement/held.ts'
import type { ReservedCall, SettledCall } from '../../hot/deps.ts'
import { selectDeadLeases, deleteDeadNodes, lockDeadLease, markLeaseChecked, selectOpenCallsOfLease, selectStrayCalls } from './data-sweep.ts'
import type { OpenCallRow, SilenceLimits } from './data-sweep.ts'
import { insertSweptCalls } from '../corrections/data-corrections.ts'
import type { SweepBasis } from '../corrections/data-corrections.ts'
import { declareDead } from '../data-nodes.ts'
import { selectUnwrittenCalls, writeFlush } from '../writing/data-flush.ts'
import { postAllCharges } from '../data-posting.ts'
import type { LeaseRef } from '../data-posting.ts'
import { endLease, narrowLease } from '../leases/data-leases.ts'

/**
 * The vendor's report on a call whose process is silent: billed; not billed; still running; or unknown, because the vendor offers no
 * lookup by call.
 */
export type CallOutcome =
  | {
      readonly kind: 'bill'
      /** `upstream`: the one that served the call; it differs from the promised one after a failover. */
      readonly bill: Pick<SettledCall, 'upstream' | 'dialect' | 'lines' | 'amount' | 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'reasoningTokens'>
    }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'unknown' }

export interface SweepOptions extends SilenceLimits {
  readonly db: Db
  readonly log: Log
  readonly deadMs: number
  readonly fateOf: (call: OpenCallRow) => Promise<CallOutcome>
}

const MAX_LEASES = 50
const MAX_CALLS = 500
const MAX_CONCURRENT = 16
const SWEEPER_NODE = 'sweeper'

/**
 * Ends the leases and calls of silent processes. A vendor's bill is charged at once. Without one a call keeps its hold until its process
 * comes back or has been silent for `silentMs`; then the hold is charged provisionally, and only a figure that names the call corrects it.
 * Money that a process set aside in memory and had not yet written (speech that a vendor may answer, a call sent in its last milliseconds)
 * cannot be seen here: for `returnMs` the whole lease is left as it is. Sweepers share the work: a lease is locked while it is ended, and a
 * call's usage row is written once.
 */
export async function sweepDeadLeases(options: SweepOptions): Promise<number> {
  const dead = await declareDead(options.db, options.deadMs)
  if (dead.length) options.log.warn({ nodes: dead.map(({ node }) => node) }, 'processes fell silent and were declared dead')
  let ended = 0
  for (const { leaseId, accountId } of await selectDeadLeases(options.db, options, MAX_LEASES)) {
    const done = await sweepLease(options, { accountId, leaseId }).catch((error: unknown) => {
      options.log.error({ err: error, leaseId: leaseId.toString() }, 'a dead lease could not be swept')
      countEvent('gateway.sweep_failed')
      return 0
    })
    ended += done
  }
  ended += await sweepStrays(options)
  await deleteDeadNodes(options.db)
  // Post charges that a process wrote but did not live to post. Unsummed rows are summed by any other process.
  await postAllCharges(options.db)
  return ended
}

async function sweepLease(options: SweepOptions, lease: LeaseRef): Promise<number> {
  // Query vendors before locking anything: they may be slow.
  const fates = await queryOutcomes(options, await selectOpenCallsOfLease(options.db, lease, MAX_CALLS))
  crashPoint('gateway.before-sweep')
  const ended = await transact(options.db, SYSTEM, async (tx) => {
    const locked = await lockDeadLease(tx, lease, options)
    if (!locked) return 0
    const open = await selectOpenCallsOfLease(tx, lease, MAX_CALLS)
    const known = open.filter((row) => fates.has(row.callId))
    const count = await endCalls(tx, known, { fates, isDue: locked.isDue, options })
    if (locked.isAwaited && !locked.isDue) await markLeaseChecked(tx, lease)
    else if (count === open.length && open.length < MAX_CALLS) await endLease(tx, lease)
    else await keepHeldAmounts(tx, lease)
    crashPoint('gateway.sweep-before-commit')
    if (count) await tx.audit('gateway.swept', `lease:${lease.leaseId}`, { calls: count, node: locked.node })
    return count
  })
  crashPoint('gateway.after-sweep')
  return ended
}

/** Calls whose process may come back keep their holds; the rest of the lease becomes free. */
async function keepHeldAmounts(tx: Sql, lease: LeaseRef): Promise<void> {
  const left = await selectOpenCallsOfLease(tx, lease, 100_000)
  await narrowLease(tx, lease, sumNano(left.map((row) => row.held)))
  await markLeaseChecked(tx, lease)
}

async function sweepStrays(options: SweepOptions): Promise<number> {
  const rows = await selectStrayCalls(options.db, options.silentMs, { limit: MAX_CALLS })
  if (!rows.length) return 0
  const fates = await queryOutcomes(options, rows)
  return transact(options.db, SYSTEM, async (tx) => {
    const still = await selectStrayCalls(tx, options.silentMs, { limit: MAX_CALLS, lock: true })
    countEvent('gateway.stray_calls')
    const ended = await endCalls(
      tx,
      still.filter((row) => fates.has(row.callId)),
      { fates, isDue: true, options },
    )
    await tx.audit('gateway.swept', 'strays', { calls: ended })
    return ended
  })
}

async function queryOutcomes(options: SweepOptions, rows: readonly OpenCallRow[]): Promise<Map<string, CallOutcome>> {
  const fates = new Map<string, CallOutcome>()
  const queue = [...rows]
  const worker = async () => {
    for (let row = queue.pop(); row; row = queue.pop())
      fates.set(
        row.callId,
        await options.fateOf(row).catch((error: unknown): CallOutcome => {
          options.log.warn({ err: error, callId: row.callId }, 'a vendor could not be asked about a call')
          return { kind: 'wait' }
        }),
      )
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
  return fates
}

/** Writes usage rows and closes the decided calls; returns their number. Before a call is due, only a vendor's bill decides. */
async function endCalls(
  tx: Sql,
  rows: readonly OpenCallRow[],
  { fates, isDue, options }: { readonly fates: ReadonlyMap<string, CallOutcome>; readonly isDue: boolean; readonly options: SweepOptions },
): Promise<number> {
  const settled: SettledCall[] = []
  const bases = new Map<string, { readonly basis: SweepBasis; readonly node: string }>()
  for (const row of rows) {
    const fate = fates.get(row.callId)!
    if (fate.kind !== 'bill' && !isDue) continue
    settled.push(toSettledCall(row, fate))
    bases.set(row.callId, { basis: fate.kind === 'bill' ? 'vendor' : fate.kind === 'nothing' ? 'none' : 'hold', node: row.node })
  }
  if (!settled.length) return 0
  const fresh = await selectUnwrittenCalls(tx, settled)
  await writeFlush(tx, SWEEPER_NODE, { opened: [], settled: fresh, closed: settled })
  const noted = fresh.map((call) => ({ ...call, ...bases.get(call.callId)!, startedAt: new Date(Math.floor(call.startedAt)) }))
  if (noted.length) await insertSweptCalls(tx, noted)
  if (noted.some(({ basis }) => basis === 'hold')) countEvent('gateway.provisional')
  options.log.warn({ calls: settled.length }, 'calls of a silent process were brought to an end')
  return settled.length
}

function toSettledCall(row: OpenCallRow, fate: CallOutcome): SettledCall {
  const call: ReservedCall = {
    callId: row.callId,
    leaseId: row.leaseId,
    accountId: row.accountId,
    keyId: row.keyId,
    userId: row.userId,
    model: row.model,
    upstream: row.upstream,
    priceVersion: Number(row.priceVersion),
    held: row.held,
    startedAt: row.startedAt.getTime(),
    ...(row.askedModel ? { askedModel: row.askedModel } : {}),
  }
  return {
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
    ...(fate.kind === 'bill' ? fate.bill : fate.kind === 'nothing' ? {} : { provenance: 'held', amount: row.held, lines: buildHeldLines([], row.held) }),
  }
}
