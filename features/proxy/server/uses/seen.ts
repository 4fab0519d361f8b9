import type { Sql } from '#platform/server/database/db.ts'
import { useOf } from '../data.ts'
import type { Purpose } from '../data.ts'

/** What operators see of a way out: by which exit, how much, and how often it was refused for which cause. Never where to. */
export async function useSeen(sql: Sql, purpose: Purpose, ref: string): Promise<Readonly<Record<string, string>>> {
  const use = await useOf(sql, purpose, ref)
  if (!use) return {}
  const refusals = Object.entries(use.refusals).map(([cause, times]) => [`refused_${cause}`, String(times)])
  return { exit: use.exit_id, upBytes: String(use.up_bytes), downBytes: String(use.down_bytes), tunnels: String(use.tunnels), ...Object.fromEntries(refusals) }
}
