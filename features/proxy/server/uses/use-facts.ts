import type { Sql } from '#platform/server/database/db.ts'
import { selectUse } from '../data.ts'
import type { Purpose } from '../data.ts'

/** Facts of a use for operators: exit, traffic, tunnels, refusals by cause. Never the targets. */
export async function readUseFacts(sql: Sql, purpose: Purpose, ref: string): Promise<Readonly<Record<string, string>>> {
  const use = await selectUse(sql, purpose, ref)
  if (!use) return {}
  const refusals = Object.entries(use.refusals).map(([cause, times]) => [`refused_${cause}`, String(times)])
  return { exit: use.exitId, upBytes: String(use.upBytes), downBytes: String(use.downBytes), tunnels: String(use.tunnels), ...Object.fromEntries(refusals) }
}
