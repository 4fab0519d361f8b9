import { BOM, csvLine } from '#platform/server/csv.ts'
import type { Ctx, Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { FileReply, InputOf } from '#platform/shared/contract.ts'
import { plus, sum, usd } from '#platform/shared/money.ts'
import { maskedContactsOf } from '#features/account/server/door.ts'
import type { reviewContract } from '../../contract.console.ts'
import { paidIn } from './data.ts'

const HEAD = ['month', 'user', 'contact', 'payouts', 'to_balance_usd', 'withdrawn_usd', 'total_usd']

/** A line a person and month, then the year's sum. Contacts are masked; who has to withhold tax asks for them one by one. */
export async function* paidLines({ db }: Pick<Deps, 'db'>, year: number): AsyncGenerator<string> {
  const rows = await paidIn(db, year)
  const names = await maskedContactsOf(db, [...new Set(rows.map((row) => row.user_id))])
  yield `${BOM}${csvLine(HEAD)}`
  for (const { month, user_id: userId, payouts, balance_nano: moved, withdrawn_nano: withdrawn } of rows)
    yield csvLine([month, userId, names.get(userId) ?? '', String(payouts), usd(moved), usd(withdrawn), usd(plus(moved, withdrawn))])
  const [moved, withdrawn] = [sum(rows.map((row) => row.balance_nano)), sum(rows.map((row) => row.withdrawn_nano))]
  const payouts = rows.reduce((all, row) => all + row.payouts, 0)
  yield csvLine([String(year), 'all', '', String(payouts), usd(moved), usd(withdrawn), usd(plus(moved, withdrawn))])
}

/** Reading it away is itself written down. */
export async function paidFile(ctx: Ctx, { year }: InputOf<typeof reviewContract.paidFile>): Promise<FileReply> {
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('invitation.paid-exported', 'invitations', { year, via: ctx.operator!.by, viaId: ctx.sessionId }))
  return { type: 'text/csv; charset=utf-8', filename: `rewards-paid-${year}.csv`, body: paidLines(ctx, year) }
}
