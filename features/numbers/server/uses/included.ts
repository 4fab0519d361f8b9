import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { findBestCardType } from '#features/cards/server/door.ts'
import { includedUses } from '../settings.ts'

/** Uses included with the card; none without a working card. */
export async function countIncludedNumberUses(deps: Pick<Deps, 'settings'>, sql: Sql, userId: string): Promise<number> {
  const type = await findBestCardType(sql, userId)
  return type ? (await deps.settings.get(includedUses))[type] : 0
}
