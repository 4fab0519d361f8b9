import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { sumNano, formatUsd } from '#platform/shared/money.ts'
import type { SettledCall } from '../../hot/deps.ts'
import { correctCalls, insertVendorIds, selectSweptCallIds } from './data-corrections.ts'

/**
 * Handles calls of this process whose usage row exists already. A retried flush finds its own rows and changes nothing. A row that a
 * sweeper wrote while this process was considered dead is replaced by the real figure of the answer; the difference is posted, once.
 */
export async function postLateDifferences(
  sql: Sql,
  log: Log,
  { node, calls }: { readonly node: string; readonly calls: readonly SettledCall[] },
): Promise<void> {
  const swept = await selectSweptCallIds(sql, calls)
  const late = calls.filter((call) => swept.has(call.callId))
  if (!late.length) return
  const done = await correctCalls(sql, 'node', {
    by: node,
    corrections: late.map((call) => ({ accountId: call.accountId, callId: call.callId, startedAt: new Date(Math.floor(call.startedAt)), figures: call })),
  })
  const corrected = done.filter(({ outcome }) => outcome === 'corrected')
  if (!corrected.length) return
  const own = new Set(corrected.map((row) => row.callId))
  await insertVendorIds(
    sql,
    late.filter((call) => own.has(call.callId)),
  )
  countEvent('gateway.late_figure')
  log.warn(
    { calls: corrected.length, difference: formatUsd(sumNano(corrected.map((row) => row.difference))) },
    'late figures replaced what a sweeper had charged',
  )
}
