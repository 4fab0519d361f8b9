import type { Deps, PersonalData } from '#platform/server/feature.ts'
import { listKeys } from './data.ts'
import { masked } from './secret.ts'

const MOST = 10_000

/** Keys of a user, deleted ones too, without their secrets. */
async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const { rows } = await listKeys(db, userId, true, MOST, 0)
  return {
    keys: rows.map((row) => ({
      keyId: row.key_id,
      keyName: row.name,
      apiToken: masked(row.last4),
      createdAt: row.created_at,
      lastUseAt: row.last_used_at,
      deletedAt: row.deleted_at,
    })),
  }
}

export const gatewayPersonal: PersonalData = { exportOf }
