import type { Ctx } from '#platform/server/feature.ts'
import { gradualPercent, gradualUsers } from '../settings.ts'
import { keyed } from '../tokens.ts'

/** Whether the user is in the gradual-release group: named, or in the first so many hundredths by a hash that never changes. */
export async function isGradual({ userId, settings, secretKey }: Ctx): Promise<{ isGradual: boolean }> {
  const percent = await settings.get(gradualPercent)
  const place = keyed(secretKey, 'account.gradual', userId).readUInt32BE(0) % 100
  return { isGradual: place < percent || (await settings.get(gradualUsers)).includes(userId) }
}
