import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler } from '#platform/server/feature.ts'
import { joinedDb } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { commonErrors, fail, Failure } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { ORDER_REFUSALS } from '../../contract-shapes.ts'
import type { Order } from '../../contract-shapes.ts'
import type { paymentsContract } from '../../contract.ts'
import { discountFor, figuresOf } from '../../figures.ts'
import type { FeeTerms } from '../../figures.ts'
import { BALANCE_CHANNEL } from '../../words.ts'
import type { PayCurrency, TradeFrom } from '../../words.ts'
import { countOpenOrders, insertOrder } from '../data.ts'
import type { OrderRow } from '../data.ts'
import { discountOffered } from '../kinds/discounts.ts'
import { needKind } from '../kinds/index.ts'
import type { OrderKind, Wish } from '../kinds/port.ts'
import { balanceOffer, methodOf, offerFor } from '../offer/offer.ts'
import { isRegionWay, regionWay } from '../offer/region.ts'
import { refusePaused } from '../offer/recharge-pause.ts'
import { maxOpenOrders, orderMinutes } from '../settings.ts'
import { giveUpDiscounted } from './cancel-order.ts'
import { orderView } from '../states/view.ts'
import { maintenanceNow } from '../offer/maintain.ts'

/** Freezes amount, fee, rate and total. What the client says about fee or total is not even read (P3). */
export const createOrder: Handler<typeof paymentsContract.createOrder> = async (ctx, { payAmount, ...input }) =>
  placeOrder(ctx, { ...input, amount: input.amount ?? payAmount })

/** An order to pay, in the transaction of the call; every call that makes one comes through here. */
export async function placeOrder(ctx: Ctx, wish: OrderWish): Promise<Order> {
  const row = await draftOrder(ctx, ctx.tx!, wish)
  crashPoint('payments.order-before-commit')
  return orderView(row)
}

export interface OrderWish extends Wish {
  readonly orderType: number
  readonly channelType?: number
  readonly transactionType?: number
  readonly tradeFrom?: TradeFrom
}

export async function draftOrder(given: Ctx, tx: Tx, wish: OrderWish): Promise<OrderRow> {
  // On the transaction's own connection: a second one would be waited for by as many payments as the pool has connections.
  const ctx = { ...given, db: joinedDb(tx) }
  const { closed, isMaintain, message } = await maintenanceNow(ctx, ctx.lang)
  if (isMaintain && closed.includes('recharge')) fail('MAINTENANCE', { message })
  const tradeFrom = wish.tradeFrom ?? (ctx.clientType === 2 ? 'H5' : 'QRCODE')
  const kind = needKind(wish.orderType)
  const terms =
    wish.channelType === BALANCE_CHANNEL
      ? { ...(await balanceOffer(ctx, kind.orderType)), channelType: BALANCE_CHANNEL, transactionType: 0 }
      : await channelTerms(ctx, wish, tradeFrom)
  if (wish.channelType !== BALANCE_CHANNEL) await refusePaused(ctx)
  const amount = await priceOf(ctx, kind, wish, terms)
  if ((await countOpenOrders(tx, ctx.userId)) >= (await ctx.settings.get(maxOpenOrders))) fail('TOO_MANY_OPEN_ORDERS')
  const { orderType } = wish
  const discount = discountFor(
    amount,
    await discountOffered(ctx, tx, { userId: ctx.userId, orderType, channelType: terms.channelType, transactionType: terms.transactionType }),
  )
  if (discount > 0n) await giveUpDiscounted(tx, ctx.userId)
  const { feePercent, fixedFee, rate, currency, channelType, transactionType } = terms
  const deposit = await kind.deposit?.(ctx, ctx.userId, wish)
  const row = await insertOrder(tx, {
    orderNo: newOrderNo(ctx.clock.now()),
    userId: ctx.userId,
    orderType,
    ...figuresOf(amount, terms, rate, discount),
    feePercent,
    rate,
    currency,
    channelType,
    transactionType,
    tradeFrom,
    minutes: await ctx.settings.get(orderMinutes),
    wishes: { ...(wish.service ? { service: wish.service } : {}), ...(wish.cardId ? { cardId: wish.cardId } : {}), ...(deposit ? { deposit } : {}) },
  })
  await tx.audit('order.created', `order:${row.order_no}`, { orderType, amount, discount: usd(discount), feePercent, fixedFee, rate, currency })
  return row
}

/** The kind's price. A refusal that neither the contract nor the kind names would be missing in the API reference: an error outside production. */
async function priceOf(ctx: Ctx, kind: OrderKind, wish: OrderWish, terms: Terms): Promise<string> {
  try {
    return await kind.price(ctx, ctx.userId, wish, terms)
  } catch (error) {
    if (!(error instanceof Failure) || ctx.config.STAGE === 'production') throw error
    const { errorName } = error
    const isDeclared = errorName in commonErrors || (ORDER_REFUSALS as readonly string[]).includes(errorName) || kind.refusals?.includes(errorName)
    if (isDeclared) throw error
    throw new Error(`orders of type ${kind.orderType} do not declare ${errorName}`, { cause: error })
  }
}

interface Terms extends FeeTerms {
  readonly min: string
  readonly max: string
  readonly rate: string
  readonly currency: PayCurrency
  readonly channelType: number
  readonly transactionType: number
}

async function channelTerms(ctx: Ctx, wish: OrderWish, tradeFrom: TradeFrom): Promise<Terms> {
  const way = await regionWay(ctx)
  const { channel, ...offer } = await offerFor(ctx, wish.orderType, wish.channelType, way)
  const { transactionType } = await methodOf(ctx, channel, tradeFrom, wish.transactionType ?? way?.transactionType)
  if (!isRegionWay(way, channel.manifest.id, transactionType)) fail('CHANNEL_UNAVAILABLE')
  return { ...offer, channelType: channel.manifest.id, transactionType }
}

/** Day and 60 random bits: readable aloud, not guessable. */
export function newOrderNo(now: Date): string {
  return `${shanghaiDay(now).replaceAll('-', '')}-${randomCode(12)}`
}
