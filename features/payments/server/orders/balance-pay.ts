import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler } from '#platform/server/feature.ts'
import { createJoinedDb } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { maxNano, minNano, subtractNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { requirePayPassword } from '#features/account/server/door.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import type { ordersContract } from '../../contract-orders.ts'
import { BALANCE_CHANNEL_TYPE, PAYABLE } from '../../words.ts'
import { bookBalancePayment } from '../bookings.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { requireOrderKind, toSoldOrder } from '../kinds/index.ts'
import type { OrderKind } from '../kinds/port.ts'
import { balancePassword } from '../settings.ts'
import { toPaymentOrder } from '../states/view.ts'
import { draftOrder } from './create-order.ts'
import { emitOrderEvent } from '../states/emit-order-event.ts'

/** Pays an order from the balance, and creates it first if none is named. One transaction: paid and delivered, or nothing. */
const pay: Handler<typeof ordersContract.balancePay> = async (ctx, input) => {
  const tx = ctx.tx // audited by emitOrderEvent
  const order = await lockPayableOrder(ctx, tx, input)
  const paid = await payFromBalance(tx, order)
  crashPoint('payments.balance-before-commit')
  const { available } = await readBalance(tx, ctx.userId)
  return { ...toPaymentOrder(paid), balance: formatUsd(available) }
}

type Input = Parameters<typeof pay>[1]

/** Checks the payment password before the transaction, so that a failed attempt is counted even if nothing is paid. */
export const balancePay: typeof pay = Object.assign(pay, {
  before: async (ctx: Ctx, { payPassword }: Input) => {
    if (!(await ctx.settings.get(balancePassword))) return
    if (payPassword === undefined) fail('BAD_INPUT', { fields: ['payPassword'] })
    await requirePayPassword(ctx, ctx.userId, payPassword)
  },
})

async function lockPayableOrder(ctx: Ctx, tx: Tx, { orderNo, orderType, ...wish }: Input): Promise<OrderRow> {
  if (orderNo === undefined && orderType === undefined) fail('BAD_INPUT', { fields: ['orderNo'] })
  const found = orderNo === undefined ? undefined : ((await data.selectOrderByNo(tx, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND'))
  const order = await data.lockOrder(tx, (found ?? (await draftOrder(ctx, tx, { ...wish, orderType: orderType!, channelType: BALANCE_CHANNEL_TYPE }))).id)
  if (order.channelType !== BALANCE_CHANNEL_TYPE) fail('BALANCE_NOT_ACCEPTED')
  if (!PAYABLE.includes(order.state) || order.expiresAt <= order.now) fail('ORDER_NOT_PAYABLE')
  await requireOrderKind(order.orderType).mayPay?.({ ...ctx, db: createJoinedDb(tx) }, toSoldOrder(order), false)
  return order
}

async function payFromBalance(tx: Tx, order: OrderRow): Promise<OrderRow> {
  const kind = requireOrderKind(order.orderType)
  const bought = await computePurchasedPart(tx, kind, order)
  if (kind.earns === 'service') await withBalanceTooLow(tx, order, { bought, work: () => bookBalancePayment(tx, order, bought) })
  crashPoint('payments.balance-after-journal')
  let moved =
    order.state === 'created' ? await data.moveOrder(tx, order, { to: 'paying', reason: 'paid from the balance', told: { facts: { method: '0' } } }) : order
  moved = await data.moveOrder(tx, moved, {
    to: 'paid',
    reason: 'paid from the balance',
    told: { facts: { payAmount: formatUsd(order.amountNano), payCurrency: 'USD' } },
  })
  const outcome = await withBalanceTooLow(tx, order, { bought, work: () => kind.fulfil(tx, toSoldOrder(moved)) })
  // No money has left the system yet, so the transaction rolls the whole payment back.
  if (outcome === 'impossible') return fail('ORDER_SOLD_OUT')
  if (outcome === 'done') moved = await data.moveOrder(tx, moved, { to: 'fulfilled', reason: 'delivered' })
  await data.scheduleCheck(tx, order.id, null)
  await emitOrderEvent(tx, order, { event: 'order.paid', more: { payAmount: formatUsd(order.amountNano) } })
  return moved
}

/** Part of the order that granted credit cannot pay. */
async function computePurchasedPart(tx: Tx, { bought }: OrderKind, order: OrderRow): Promise<Nano> {
  if (bought === 'all') return order.amountNano
  return bought ? minNano(await bought(tx, toSoldOrder(order)), order.amountNano) : 0n
}

async function withBalanceTooLow<T>(tx: Tx, order: OrderRow, { bought, work }: { readonly bought: Nano; readonly work: () => Promise<T> }): Promise<T> {
  try {
    return await tx.savepoint(work)
  } catch (error) {
    if (!(error instanceof Failure) || error.errorName !== 'INSUFFICIENT_FUNDS') throw error
    const { available, withdrawable } = await readBalance(tx, order.userId)
    return fail('BALANCE_TOO_LOW', { missing: formatUsd(maxNano(maxNano(subtractNano(order.amountNano, available), subtractNano(bought, withdrawable)), 0n)) })
  }
}
