import type { Deps } from '#platform/server/feature.ts'
import type { AccountRow } from './data-account.ts'
import { withdrawCoolOffHours } from './settings.ts'

const HOUR_MS = 3_600_000

/** Until when a changed account gets nothing (money.md X4); undefined for one that was never changed. */
export async function coolOffEnd(deps: Pick<Deps, 'settings'>, { changed_at: at }: Pick<AccountRow, 'changed_at'>): Promise<Date | undefined> {
  return at ? new Date(at.getTime() + (await deps.settings.get(withdrawCoolOffHours)) * HOUR_MS) : undefined
}
