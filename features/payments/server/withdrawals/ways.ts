import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { minorText, toMinorUnitsDown, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { balanceOf, owedBy } from '#features/wallet/server/door.ts'
import type { WithdrawalRow as Row } from '../../contract-withdraw.ts'
import { planParts } from './channel-first.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import { partsOf } from '../set-aside/data-parts.ts'
import { isWaiting, leavingOf } from '../set-aside/parts.ts'
import { CANCELLABLE, withdrawalView } from './view.ts'

type Ways = NonNullable<Row['plan']>

/** How an amount would leave at this moment, told to its owner. `own`: a withdrawal holds it already. */
export async function waysOf(deps: Deps, sql: Sql, userId: string, wish: { amount: Nano; rate: string; own?: boolean }): Promise<Ways> {
  const { parts, rest } = await planParts(deps, sql, userId, wish.amount, wish.own)
  return {
    parts: parts.map(({ order, amount, minor, currency }) => ({
      orderNo: order.order_no,
      transactionType: order.transaction_type,
      amount: usd(amount),
      payAmount: minorText(minor),
      payCurrency: currency,
    })),
    transfer: rest > 0n ? { amount: usd(rest), payAmount: minorText(toMinorUnitsDown(rest, wish.rate)) } : null,
  }
}

/** One withdrawal with the parts that left, or, before any did, with those that would. */
export async function withdrawalWithWays(deps: Deps, sql: Sql, row: WithdrawalRow): Promise<Row> {
  const view = withdrawalView(row, await partsOf(sql, [row.id]))
  const isStill = CANCELLABLE.includes(row.state)
  if (!isStill && (row.source === 'reward' || !isWaiting(row))) return view
  const owed = await owedBy(sql, row.user_id)
  if (row.source === 'reward') {
    return { ...view, ...(owed > 0n ? { owed: usd(owed) } : {}), plan: { parts: [], transfer: { amount: view.amount, payAmount: view.payAmount } } }
  }
  const { promised } = await balanceOf(sql, row.user_id)
  const { leaving, taken } = leavingOf(row, promised, owed)
  const seen = { ...view, taken: usd(taken) }
  return isStill ? { ...seen, plan: await waysOf(deps, sql, row.user_id, { amount: leaving, rate: row.rate, own: true }) } : seen
}
