import type { Deps } from '#platform/server/feature.ts'
import { createUpstreams } from '../../upstreams/upstreams.ts'
import { correctCalls } from '../corrections/data-corrections.ts'
import type { Correction } from '../corrections/data-corrections.ts'
import { resolveCallOutcome } from '../sweeping/resolve-outcome.ts'
import type { CallOutcome } from '../sweeping/sweeper.ts'
import { claimCallsToQuery } from './data-repairs.ts'
import type { UnsureCall } from './data-repairs.ts'

const MAX_CONCURRENT = 16
const MAX_CALLS_PER_ROUND = 200

/**
 * Queries vendors about calls; returns the figures that they report. A vendor that cannot be queried, or still runs the call, reports none.
 */
export async function queryVendorFigures(deps: Deps, calls: readonly UnsureCall[]): Promise<readonly Correction[]> {
  if (!calls.length) return []
  const upstreams = createUpstreams(deps)
  const found: Correction[] = []
  const queue = [...calls]
  const worker = async (): Promise<void> => {
    for (let call = queue.pop(); call; call = queue.pop()) {
      const fate = await resolveCallOutcome(deps.db, upstreams, call).catch((error: unknown): CallOutcome => {
        deps.log.warn({ err: error, callId: call!.callId }, 'a vendor could not be asked about a call')
        return { kind: 'wait' }
      })
      const correction = toCorrection(call, fate)
      if (correction) found.push(correction)
    }
  }
  try {
    await upstreams.reload(deps.db, false)
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
  } finally {
    await upstreams.stop()
  }
  return found
}

function toCorrection(call: UnsureCall, fate: CallOutcome): Correction | undefined {
  const row = { accountId: call.accountId, callId: call.callId, startedAt: call.startedAt }
  if (fate.kind === 'bill') return { ...row, figures: { ...fate.bill, provenance: 'upstream' } }
  // not billed: a charged hold is refunded, a call swept to zero is correct already
  return fate.kind === 'nothing' && call.basis === 'hold' ? { ...row, figures: { provenance: 'upstream', amount: 0n, lines: [] } } : undefined
}

/** Runs every few minutes for a week: vendors that were unreachable when a hold was charged may answer later. */
export async function retryVendorQueries(deps: Deps): Promise<void> {
  const figures = await queryVendorFigures(deps, await claimCallsToQuery(deps.db, MAX_CALLS_PER_ROUND))
  if (!figures.length) return
  const done = await correctCalls(deps.db, 'vendor', { by: 'sweeper', corrections: figures })
  deps.log.warn({ calls: done.filter(({ outcome }) => outcome === 'corrected').length }, 'vendors named figures of calls that were charged what they held')
}
