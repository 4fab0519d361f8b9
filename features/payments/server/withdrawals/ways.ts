import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { formatMinor, toMinorUnitsDown, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readBalance, readDebt } from '#features/wallet/server/door.ts'
import type { WithdrawalRow as Row } from '../../contract-withdraw.ts'
import { planParts } from './channel-first.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import { selectWithdrawalParts } from '../set-aside/data-parts.ts'
import { isAwaitingRefunds, computeLeaving } from '../set-aside/parts.ts'
import { CANCELLABLE, toWithdrawalView } from './view.ts'

type Ways = NonNullable<Row['plan']>

/** How an amount would leave now, as shown to its owner. `own`: a withdrawal holds it already. */
export async function planWays(
  deps: Deps,
  sql: Sql,
  { userId, wish }: { readonly userId: string; readonly wish: { amount: Nano; rate: string; own?: boolean } },
): Promise<Ways> {
  const { parts, rest } = await planParts(deps, sql, { userId, amount: wish.amount, own: wish.own })
  return {
    parts: parts.map(({ order, amount, minor, currency }) => ({
      orderNo: order.orderNo,
      transactionType: order.transactionType,
      amount: formatUsd(amount),
      payAmount: formatMinor(minor),
      payCurrency: currency,
    })),
    transfer: rest > 0n ? { amount: formatUsd(rest), payAmount: formatMinor(toMinorUnitsDown(rest, wish.rate)) } : null,
  }
}

/** One withdrawal with its refunded parts, or, before any was sent, with the planned ones. */
export async function loadWithdrawalWithWays(deps: Deps, sql: Sql, row: WithdrawalRow): Promise<Row> {
  const view = toWithdrawalView(row, await selectWithdrawalParts(sql, [row.id]))
  const isStill = CANCELLABLE.includes(row.state)
  if (!isStill && (row.source === 'reward' || !isAwaitingRefunds(row))) return view
  const owed = await readDebt(sql, row.userId)
  if (row.source === 'reward') {
    return { ...view, ...(owed > 0n ? { owed: formatUsd(owed) } : {}), plan: { parts: [], transfer: { amount: view.amount, payAmount: view.payAmount } } }
  }
  const { promised } = await readBalance(sql, row.userId)
  const { leaving, taken } = computeLeaving(row, promised, owed)
  const seen = { ...view, taken: formatUsd(taken) }
  return isStill ? { ...seen, plan: await planWays(deps, sql, { userId: row.userId, wish: { amount: leaving, rate: row.rate, own: true } }) } : seen
}
