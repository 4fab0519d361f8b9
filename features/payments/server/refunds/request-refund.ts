import { crashPoint } from '#platform/server/crash.ts'
import type { Deps, Handler } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { least, parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { requirePayouts } from '#features/account/server/door.ts'
import type { ordersContract } from '../../contract-orders.ts'
import { payStatusOf } from '../../words.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { refundById } from './data.ts'
import { userRefunds } from '../settings.ts'
import { channelById } from '../vendors/index.ts'
import { refundView } from '../orders/view-orders.ts'
import { withdrawKeep } from '../withdrawals/settings.ts'
import { refundablesOf, spareOf, startRefund } from './start-refund.ts'

/**
 * A user asks for unspent credit of an order back. By the setting an operator decides, or it is sent at once. The fee stays:
 * the channel keeps it too; and what a withdrawal leaves in the balance, a refund leaves there as well.
 */
export const refund: Handler<typeof ordersContract.refund> = async (ctx, { orderNo, amount, reason }) => {
  const mode = await ctx.settings.get(userRefunds)
  if (mode === 'off') fail('REFUND_CLOSED')
  const tx = ctx.tx! // audited by startRefund
  await requirePayouts(tx, ctx.userId)
  const found = (await data.orderByNo(tx, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  const order = await data.lockOrder(tx, found.id)
  const started = await startRefund(tx, order, {
    ...(amount === undefined ? {} : { amount: parseUsd(amount) }),
    reason: reason || 'asked for by the user',
    state: mode === 'auto' ? 'approved' : 'requested',
    sources: ['balance'],
    daysOf: daysOf(ctx),
    keep: parseUsd(await ctx.settings.get(withdrawKeep)),
  })
  crashPoint('payments.refund-before-commit')
  const { state } = await data.lockOrder(tx, order.id)
  return { ...refundView((await refundById(tx, started.id))!), orderNo, orderState: state, payStatus: payStatusOf(state) }
}

/** The most that the user could ask back in one refund. */
export async function refundableNow(deps: Deps, sql: Sql, order: OrderRow): Promise<Nano> {
  const days = daysOf(deps)
  const open = (await refundablesOf(sql, order)).filter(
    ({ source, receipt }) => source === 'balance' && receipt && order.now.getTime() - receipt.paid_at.getTime() < days(receipt.channel_type) * 86_400_000,
  )
  const most = open.reduce((best, { left }) => (left > best ? left : best), 0n)
  return least(most, await spareOf(sql, order.user_id, parseUsd(await deps.settings.get(withdrawKeep))))
}

/** Days for which a channel takes a payment back; none when it is not connected any more. */
export function daysOf({ config }: Deps): (channelType: number) => number {
  return (channelType) => channelById(config, channelType)?.manifest.supports.refundDays ?? 0
}
