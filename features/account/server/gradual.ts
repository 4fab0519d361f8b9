import { createHash } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import { gradualPercent, gradualUsers } from './settings.ts'

/**
 * Checks if the user is in the gradual-release group: named in the settings, or within the configured percentage by a stable hash. Features of
 * the group are offered only to its users. Visitors are never in it.
 */
export async function isInGradualGroup({ settings }: Pick<Deps, 'settings'>, userId: string): Promise<boolean> {
  if (userId === '') return false
  const percent = await settings.get(gradualPercent)
  const place = createHash('sha256').update(`account.gradual ${userId}`).digest().readUInt32BE(0) % 100
  return place < percent || (await settings.get(gradualUsers)).includes(userId)
}
