import type { Sql } from '#platform/server/database/db.ts'
import { selectCounts, selectProblems } from './data-replay.ts'
import type { Problem } from './data-replay.ts'

export interface Verdict {
  readonly problems: readonly Problem[]
  readonly counts: Readonly<Record<string, bigint>>
}

/**
 * Recomputes chains, sequences, balances, holds, lots and totals from the journal (money.md I1 to I5, I9, L13). Reads one
 * snapshot, so it may run under traffic. The first problem is the first bad journal row, if a journal row is bad.
 */
export async function verifyLedger(sql: Sql, limit = 20): Promise<Verdict> {
  return { problems: await selectProblems(sql, limit), counts: await selectCounts(sql) }
}
