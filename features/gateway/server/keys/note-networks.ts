import type { Deps } from '#platform/server/feature.ts'
import { storeMarksOfMany, buildKeyUseMarks } from '#features/risk/server/door.ts'

const HOUR_MS = 3_600_000
const MAX_REPORTED = 100_000

export interface KeyNetworkUse {
  readonly userId: string
  /** Address of the latest call; empty if unknown. */
  readonly from: string
}
type ReporterDeps = Pick<Deps, 'db' | 'secretKeys' | 'clock'>

/**
 * Reports to risk the networks that keys are used from, as hashes, at most once an hour per user and address. An invited user at the
 * inviter's workplace shares its network.
 */
export function createNetworkReporter(): (deps: ReporterDeps, uses: readonly KeyNetworkUse[]) => Promise<void> {
  let said = new Set<string>()
  let since = 0
  return async ({ db, secretKeys, clock }, uses) => {
    const now = clock.now()
    if (now.getTime() - since > HOUR_MS || said.size > MAX_REPORTED) [said, since] = [new Set(), now.getTime()]
    const fresh = uses.filter(({ userId, from }) => from !== '' && !said.has(`${userId} ${from}`))
    await storeMarksOfMany(
      db,
      fresh.map(({ userId, from }) => ({ subject: userId, marks: buildKeyUseMarks({ secretKeys }, from) })),
      now,
    )
    for (const { userId, from } of fresh) said.add(`${userId} ${from}`)
  }
}
