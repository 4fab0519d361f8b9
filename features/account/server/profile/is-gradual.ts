import { createHash } from 'node:crypto'
import type { Ctx } from '#platform/server/feature.ts'
import { gradualPercent, gradualUsers } from '../settings.ts'

/** Whether the user is in the gradual-release group: named, or in the first so many hundredths by a hash that never changes. */
export async function isGradual({ userId, settings }: Ctx): Promise<{ isGradual: boolean }> {
  const percent = await settings.get(gradualPercent)
  const place = createHash('sha256').update(`account.gradual ${userId}`).digest().readUInt32BE(0) % 100
  return { isGradual: place < percent || (await settings.get(gradualUsers)).includes(userId) }
}
