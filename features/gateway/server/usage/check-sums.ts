import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { selectDayToCheck, lockSums, recordSumCheck, rebuildSums, selectSumDiscrepancies } from './data-sums.ts'
import type { SumDiscrepancy } from './data-sums.ts'

const DAY_MS = 86_400_000
/** Days checked in every run. Calls run for minutes, so older days get no more rows, but are checked in rotation. */
const RECENT_DAYS = 3
const MAX_DISCREPANCIES = 500

/** Compares the sums of a Shanghai day with its rows; differences raise `gateway.sums_differ`. Repairs nothing. */
export async function checkSums({ db, log }: Pick<Deps, 'db' | 'log'>, day: string): Promise<readonly SumDiscrepancy[]> {
  const faults = await selectSumDiscrepancies(db, day, MAX_DISCREPANCIES)
  await recordSumCheck(db, day, faults.length)
  if (faults.length) {
    countEvent('gateway.sums_differ')
    log.error({ day, faults: faults.length, first: faults[0] }, 'sums of usage differ from the rows')
  }
  return faults
}

/** Checks today, the days before it, and one older day in rotation. Runs every night. */
export async function checkRecentSums(deps: Pick<Deps, 'db' | 'log' | 'clock'>): Promise<void> {
  const now = deps.clock.now().getTime()
  const recent = Array.from({ length: RECENT_DAYS + 1 }, (_, ago) => toShanghaiDay(now - ago * DAY_MS))
  for (const day of recent) await checkSums(deps, day)
  const older = await selectDayToCheck(deps.db, recent.at(-1)!)
  if (older) await checkSums(deps, older)
}

/** Rebuilds the sums of a day from its rows; differences are recorded in the audit log. Summation pauses meanwhile; calls and postings do not. */
export const repairSums = (
  { db }: Pick<Deps, 'db'>,
  operator: Actor,
  { day, reason }: { readonly day: string; readonly reason: string },
): Promise<readonly SumDiscrepancy[]> =>
  transact(db, operator, async (tx) => {
    await lockSums(tx)
    const faults = await selectSumDiscrepancies(tx, day, MAX_DISCREPANCIES)
    if (!faults.length) return faults
    await rebuildSums(tx, day)
    await recordSumCheck(tx, day, (await selectSumDiscrepancies(tx, day, MAX_DISCREPANCIES)).length)
    const [worst] = faults
    await tx.audit('usage.sums-repaired', `usage-day:${day}`, {
      reason,
      faults: faults.length,
      first: { table: worst!.table, at: worst!.at, model: worst!.model, rowsAmount: worst!.rowsAmount.toString(), sumsAmount: worst!.sumsAmount.toString() },
    })
    return faults
  })
