import type { Deps, PersonalData } from '#platform/server/feature.ts'
import { selectUses } from './data.ts'
import { selectExtensions } from './data-extension.ts'

const ROWS = 10_000

/** Exports times and traffic of proxy uses; targets are not stored. */
async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const [uses, extensions] = await Promise.all([selectUses(db, userId, ROWS, 0), selectExtensions(db, userId)])
  if (!uses.length && !extensions.length) return undefined
  return {
    uses: uses.map((use) => ({
      startedAt: use.created_at,
      endedAt: use.ended_at ?? use.expires_at,
      exit: use.exit_id,
      upBytes: Number(use.up_bytes),
      downBytes: Number(use.down_bytes),
    })),
    extensions: extensions.map(({ name, created_at: createdAt, seen_at: seenAt }) => ({ name, createdAt, seenAt })),
  }
}

export const proxyPersonal: PersonalData = { exportOf }
