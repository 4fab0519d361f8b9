import { createHash } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import { gradualPercent, gradualUsers } from './settings.ts'

/**
 * Whether the user is in the gradual-release group: named, or in the first so many hundredths by a hash that never changes. What is
 * marked for the group is offered to its users and to nobody else. A visitor is in no group.
 */
export async function inGradualGroup({ settings }: Pick<Deps, 'settings'>, userId: string): Promise<boolean> {
  if (userId === '') return false
  const percent = await settings.get(gradualPercent)
  const place = createHash('sha256').update(`account.gradual ${userId}`).digest().readUInt32BE(0) % 100
  return place < percent || (await settings.get(gradualUsers)).includes(userId)
}
