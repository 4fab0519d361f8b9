import type { Sql } from '#platform/server/database/db.ts'
import { selectCounts, selectProblems } from './data-replay.ts'
import type { LedgerProblem } from './data-replay.ts'
import { selectUnpaid } from './data.ts'

const UNPAID = 'a debt stands beside credit that should have paid it (command debts.repair)'

export interface LedgerVerification {
  readonly problems: readonly LedgerProblem[]
  readonly counts: Readonly<Record<string, bigint>>
}

/**
 * Recomputes chains, sequences, balances, holds, lots and totals from the journal (money.md I1 to I5, I9, L13). Reads one
 * snapshot, so it may run under traffic. The first problem is the first bad journal row, if a journal row is bad.
 */
export async function verifyLedger(sql: Sql, limit = 20): Promise<LedgerVerification> {
  const problems = await selectProblems(sql, limit)
  const known = new Set(problems.filter(({ atTable }) => atTable === 'wallet_accounts').map(({ rowId }) => rowId))
  const unpaid = (await selectUnpaid(sql, limit)).map(({ accountId }) => String(accountId)).filter((id) => !known.has(id))
  return { problems: [...problems, ...unpaid.map((id) => ({ atTable: 'wallet_accounts', rowId: id, problem: UNPAID }))], counts: await selectCounts(sql) }
}
