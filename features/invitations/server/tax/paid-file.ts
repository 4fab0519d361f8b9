import { BOM, formatCsvLine } from '#platform/server/csv.ts'
import type { Ctx, Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { FileReply, InputOf } from '#platform/shared/contract.ts'
import { addNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import { loadMaskedContacts } from '#features/account/server/door.ts'
import type { reviewContract } from '../../contract.console.ts'
import { selectPaidRewards } from './data.ts'

const HEAD = ['month', 'user', 'contact', 'payouts', 'to_balance_usd', 'withdrawn_usd', 'total_usd']

/**
 * One line per person and month, then the year's sum. Contacts are masked; an operator who has to withhold tax requests them one by one.
 */
export async function* formatPaidLines({ db }: Pick<Deps, 'db'>, year: number): AsyncGenerator<string> {
  const rows = await selectPaidRewards(db, year)
  const names = await loadMaskedContacts(db, [...new Set(rows.map((row) => row.userId))])
  yield `${BOM}${formatCsvLine(HEAD)}`
  for (const { month, userId, payouts, balanceNano: moved, withdrawnNano: withdrawn } of rows)
    yield formatCsvLine([month, userId, names.get(userId) ?? '', String(payouts), formatUsd(moved), formatUsd(withdrawn), formatUsd(addNano(moved, withdrawn))])
  const [moved, withdrawn] = [sumNano(rows.map((row) => row.balanceNano)), sumNano(rows.map((row) => row.withdrawnNano))]
  const payouts = rows.reduce((all, row) => all + row.payouts, 0)
  yield formatCsvLine([String(year), 'all', '', String(payouts), formatUsd(moved), formatUsd(withdrawn), formatUsd(addNano(moved, withdrawn))])
}

/** Exports the file; the export itself is audited. */
export async function paidFile(ctx: Ctx, { year }: InputOf<typeof reviewContract.paidFile>): Promise<FileReply> {
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('invitation.paid-exported', 'invitations', { year, via: ctx.operator!.by, viaId: ctx.sessionId }))
  return { type: 'text/csv; charset=utf-8', filename: `rewards-paid-${year}.csv`, body: formatPaidLines(ctx, year) }
}
