import type { Deps, PersonalData } from '#platform/server/feature.ts'
import { selectUses, selectExtensions } from './data.ts'

const ROWS = 10_000

/** Exports times and traffic of proxy uses; targets are not stored. */
async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const [uses, extensions] = await Promise.all([selectUses(db, userId, { limit: ROWS, offset: 0 }), selectExtensions(db, userId)])
  if (!uses.length && !extensions.length) return undefined
  return {
    uses: uses.map((use) => ({
      startedAt: use.createdAt,
      endedAt: use.endedAt ?? use.expiresAt,
      exit: use.exitId,
      upBytes: Number(use.upBytes),
      downBytes: Number(use.downBytes),
    })),
    extensions: extensions.map(({ name, createdAt, seenAt }) => ({ name, createdAt, seenAt })),
  }
}

export const proxyPersonal: PersonalData = { exportOf }
