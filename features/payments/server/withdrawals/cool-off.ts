import type { Deps } from '#platform/server/feature.ts'
import type { PayoutAccountRow } from './data-account.ts'
import { withdrawCoolOffHours } from './settings.ts'

const HOUR_MS = 3_600_000

/** End of the wait after an account change (money.md X4); undefined if it was never changed. */
export async function computeCoolOffEnd(deps: Pick<Deps, 'settings'>, { changedAt: at }: Pick<PayoutAccountRow, 'changedAt'>): Promise<Date | undefined> {
  return at ? new Date(at.getTime() + (await deps.settings.get(withdrawCoolOffHours)) * HOUR_MS) : undefined
}
