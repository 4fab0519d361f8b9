import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { Failure } from '#platform/shared/errors.ts'
import { minNano, subtractNano, floorToCents } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { resizeHold } from '#features/wallet/server/door.ts'
import { lockOrder } from '../data.ts'
import type { OrderRow } from '../data.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import { createRefundDaysLookup } from '../refunds/refundable-now.ts'
import { isInRefundWindow, computeRefundMinor, listRefundables, startRefund } from '../refunds/start-refund.ts'
import type { Refundable } from '../refunds/start-refund.ts'
import { insertPart, lockSourceOrders, lockWithdrawal, selectSourceOrders } from '../set-aside/data-parts.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import { WITHDRAWAL_HOLD_SECONDS, isAwaitingRefunds, payDebtFromHold } from '../set-aside/parts.ts'
import { withdrawChannelFirst } from './settings.ts'

/** Number of orders examined: credit is spent oldest first, so unspent credit came with the newest. */
const MAX_ORDERS = 50

/** Planned refund of one order. */
export interface PlannedPart {
  readonly order: OrderRow
  readonly amount: Nano
  /** Sum received by the payer, in minor units of the payment's currency. */
  readonly minor: bigint
  readonly currency: PayCurrency
}

/**
 * Plans how an amount would leave now: refunds, newest payment first, and the rest by transfer. `own`: the amount is already held for it.
 * Read-only.
 */
export async function planParts(
  deps: Deps,
  sql: Sql,
  { userId, amount, own = false }: { readonly userId: string; readonly amount: Nano; readonly own?: boolean },
): Promise<{ parts: PlannedPart[]; rest: Nano }> {
  const parts: PlannedPart[] = []
  let rest = amount
  if (!(await deps.settings.get(withdrawChannelFirst))) return { parts, rest }
  for (const order of await selectSourceOrders(sql, userId, MAX_ORDERS)) {
    if (rest <= 0n) break
    const from = await findChannelRefundable(deps, sql, { order, held: own ? rest : 0n })
    const part = from ? floorToCents(minNano(from.left, rest)) : 0n
    if (!from || part <= 0n) continue
    parts.push({ order, amount: part, minor: computeRefundMinor(order, from, part), currency: order.currency })
    rest = subtractNano(rest, part)
  }
  return { parts, rest }
}

/**
 * Starts the refunds of a withdrawal. Each part leaves the hold and the balance in one step, so that it cannot be spent in between. An
 * order that refuses its refund is left to the transfer.
 */
export async function startParts(deps: Deps, tx: Tx, row: WithdrawalRow): Promise<void> {
  if (!(await deps.settings.get(withdrawChannelFirst))) return
  const orders = await lockSourceOrders(tx, row.userId, MAX_ORDERS)
  let { held: rest } = await payDebtFromHold(tx, row)
  for (let order of orders) {
    while (rest > 0n) {
      const from = await findChannelRefundable(deps, tx, { order, held: rest })
      const amount = from ? floorToCents(minNano(from.left, rest)) : 0n
      if (amount <= 0n || !(await startPart(deps, tx, { row, order, amount }))) break
      rest = subtractNano(rest, amount)
      // An order paid twice takes two refunds, and the first changes its row.
      order = await lockOrder(tx, order.id)
    }
  }
}

/** Restarts a stopped refund part over the same order, with the sum left after the debt. The withdrawal and the order must be locked. */
export async function restartPart(deps: Deps, tx: Tx, { withdrawalId, order }: { readonly withdrawalId: bigint; readonly order: OrderRow }): Promise<void> {
  const row = await lockWithdrawal(tx, withdrawalId)
  if (!isAwaitingRefunds(row)) return
  const { held } = await payDebtFromHold(tx, row)
  const from = held > 0n ? await findChannelRefundable(deps, tx, { order, held }) : undefined
  const amount = from ? floorToCents(minNano(from.left, held)) : 0n
  if (amount > 0n) await startPart(deps, tx, { row, order, amount })
}

async function startPart(
  deps: Deps,
  tx: Tx,
  { row, order, amount }: { readonly row: WithdrawalRow; readonly order: OrderRow; readonly amount: Nano },
): Promise<boolean> {
  try {
    await tx.savepoint(async () => {
      await resizeHold(tx, row.withdrawalNo, { delta: subtractNano(0n, amount), options: { ttlSeconds: WITHDRAWAL_HOLD_SECONDS } })
      const { id } = await startRefund(tx, order, {
        amount,
        goesTo: 'channel',
        reason: `withdrawal ${row.withdrawalNo}`,
        state: 'approved',
        sources: ['balance'],
        daysOf: createRefundDaysLookup(deps),
      })
      await insertPart(tx, row.id, { refundId: id, amount })
    })
    return true
  } catch (error) {
    if (!(error instanceof Failure) || error.errorName === 'HOLD_CLOSED' || error.errorName === 'HOLD_UNKNOWN') throw error
    deps.log.info({ withdrawalNo: row.withdrawalNo, orderNo: order.orderNo, why: error.errorName }, 'a part of a withdrawal goes by transfer')
    return false
  }
}

/** The payment of an order with the largest part refundable over its channel now; `held` is this withdrawal's own hold. */
async function findChannelRefundable(
  deps: Deps,
  sql: Sql,
  { order, held }: { readonly order: OrderRow; readonly held: Nano },
): Promise<Refundable | undefined> {
  const within = { daysOf: createRefundDaysLookup(deps) }
  return (await listRefundables(sql, order, held))
    .filter(
      ({ source, receipt, left, minorLeft }) => source === 'balance' && receipt && left > 0n && minorLeft > 0n && isInRefundWindow(order, receipt, within),
    )
    .toSorted((a, b) => (a.left === b.left ? 0 : a.left > b.left ? -1 : 1))[0]
}
