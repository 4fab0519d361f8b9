import { crashPoint } from '#platform/server/crash.ts'
import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import type { paymentsContract } from '../../contract.ts'
import { figuresOf } from '../../figures.ts'
import { countOpenOrders, insertOrder } from '../data.ts'
import { checkAmount, methodOf, offerFor } from '../offer.ts'
import { maxOpenOrders, orderMinutes } from '../settings.ts'
import { orderView } from '../view.ts'
import { maintenanceNow } from './maintain.ts'

/** Freezes amount, fee, rate and total. What the client says about fee or total is not even read (P3). */
export const createOrder: Handler<typeof paymentsContract.createOrder> = async (ctx, input) => {
  const { closed, isMaintain, message } = await maintenanceNow(ctx, ctx.lang)
  if (isMaintain && closed.includes('recharge')) fail('MAINTENANCE', { message })
  const offer = await offerFor(ctx, input.orderType, input.channelType)
  checkAmount(input.amount, offer)
  const tradeFrom = input.tradeFrom ?? (ctx.clientType === 2 ? 'H5' : 'QRCODE')
  const method = await methodOf(ctx, offer.channel, tradeFrom, input.transactionType)
  const tx = ctx.tx!
  if ((await countOpenOrders(tx, ctx.userId)) >= (await ctx.settings.get(maxOpenOrders))) fail('TOO_MANY_OPEN_ORDERS')
  const row = await insertOrder(tx, {
    orderNo: newOrderNo(ctx.clock.now()),
    userId: ctx.userId,
    orderType: input.orderType,
    ...figuresOf(input.amount, offer.feePercent, offer.rate),
    feePercent: offer.feePercent,
    rate: offer.rate,
    channelType: offer.channel.manifest.id,
    transactionType: method.transactionType,
    tradeFrom,
    minutes: await ctx.settings.get(orderMinutes),
  })
  await tx.audit('order.created', `order:${row.order_no}`, { amount: input.amount, feePercent: offer.feePercent, rate: offer.rate })
  crashPoint('payments.order-before-commit')
  return orderView(row)
}

/** Day and 60 random bits: readable aloud, not guessable. */
function newOrderNo(now: Date): string {
  return `${shanghaiDay(now).replaceAll('-', '')}-${randomCode(12)}`
}
