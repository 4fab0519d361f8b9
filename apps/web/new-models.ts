import type { ModelRow } from '#features/gateway/contract.ts'

const NEW_DAYS = 30
const DAY_MS = 86_400_000
const MAX_SHOWN = 5

/** Models released within the last 30 days and after the user joined, newest first. */
export function findNewModels(rows: readonly ModelRow[], joinedAt: string, now: Date): readonly ModelRow[] {
  const from = Math.max(now.getTime() - NEW_DAYS * DAY_MS, Date.parse(joinedAt))
  const released = (row: ModelRow) => Date.parse(row.releasedOn ?? '')
  return rows
    .filter((row) => row.lifecycle === 'active' && released(row) > from && released(row) <= now.getTime())
    .sort((a, b) => released(b) - released(a))
    .slice(0, MAX_SHOWN)
}
