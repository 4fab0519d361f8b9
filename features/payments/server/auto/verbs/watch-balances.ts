import type { Deps } from '#platform/server/feature.ts'
import { readPostedBalances } from '#features/wallet/server/door.ts'
import { selectWatchedPlans } from '../../plans/data-plans.ts'
import { announceCharge, isChargingAllowed } from './announce-charge.ts'

const PAGE_SIZE = 500

/**
 * Compares the balances of users with auto recharge with their thresholds. Two reads by key per 500 users, whatever the number of
 * accounts, and no write unless a balance is below. Independent of the gateway.
 */
export async function watchBalances(deps: Deps): Promise<void> {
  if (!(await isChargingAllowed(deps))) return
  for (let after = ''; ;) {
    const rows = await selectWatchedPlans(deps.db, after, PAGE_SIZE)
    const balances = await readPostedBalances(
      deps.db,
      rows.map((row) => row.userId),
    )
    for (const { userId, thresholdNano: threshold } of rows) {
      if ((balances.get(userId) ?? 0n) >= threshold) continue
      await announceCharge(deps, userId).catch((error: unknown) => deps.log.error({ err: error, userId }, 'an automatic charge could not be planned'))
    }
    if (rows.length < PAGE_SIZE) return
    after = rows.at(-1)!.userId
  }
}
