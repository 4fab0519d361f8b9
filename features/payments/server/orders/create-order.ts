import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler } from '#platform/server/feature.ts'
import { createJoinedDb } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { commonErrors, fail, Failure } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { ORDER_REFUSALS } from '../../contract-shapes.ts'
import type { PaymentOrder } from '../../contract-shapes.ts'
import type { paymentsContract } from '../../contract.ts'
import { capDiscount, computePriceFigures } from '../../figures.ts'
import type { FeeTerms } from '../../figures.ts'
import { BALANCE_CHANNEL_TYPE } from '../../words.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import type { TradeFrom } from '../../words.ts'
import { countOpenOrders, insertOrder } from '../data.ts'
import type { OrderRow } from '../data.ts'
import { computeOfferedDiscount } from '../kinds/discounts.ts'
import { requireOrderKind } from '../kinds/index.ts'
import type { OrderKind, OrderInput } from '../kinds/port.ts'
import { computeBalanceOffer, requirePayMethod, computeOffer, isAllowedInRegion, resolveRegionMethod } from '../offer/offer.ts'
import { requireNoRechargePause } from '../offer/quote.ts'
import { maxOpenOrders, orderMinutes } from '../settings.ts'
import { cancelDiscountedOrders } from './cancel-order.ts'
import { toPaymentOrder } from '../states/view.ts'
import { readMaintenance } from '../offer/maintain.ts'

/** Freezes amount, fee, rate and total. A fee or total sent by the client is not read (P3). */
export const createOrder: Handler<typeof paymentsContract.createOrder> = async (ctx, { payAmount, ...input }) =>
  placeOrder(ctx, { ...input, amount: input.amount ?? payAmount })

/** Creates an order to pay, in the caller's transaction; every call that creates one uses this. */
export async function placeOrder(ctx: Ctx, wish: NewOrderInput): Promise<PaymentOrder> {
  if (!ctx.tx) throw new Error('an order is placed by a call without an idempotency key')
  const row = await draftOrder(ctx, ctx.tx, wish)
  crashPoint('payments.order-before-commit')
  return toPaymentOrder(row)
}

export interface NewOrderInput extends OrderInput {
  readonly orderType: number
  readonly channelType?: number
  readonly transactionType?: number
  readonly tradeFrom?: TradeFrom
}

export async function draftOrder(given: Ctx, tx: Tx, wish: NewOrderInput): Promise<OrderRow> {
  // Use the transaction's own connection: if each payment waited for a second one, the pool would deadlock.
  const ctx = { ...given, db: createJoinedDb(tx) }
  const { closed, isMaintain, message } = await readMaintenance(ctx, ctx.lang)
  if (isMaintain && closed.includes('recharge')) fail('MAINTENANCE', { message })
  const tradeFrom = wish.tradeFrom ?? (ctx.clientType === 2 ? 'H5' : 'QRCODE')
  const kind = requireOrderKind(wish.orderType)
  const terms =
    wish.channelType === BALANCE_CHANNEL_TYPE
      ? { ...(await computeBalanceOffer(ctx, kind.orderType)), channelType: BALANCE_CHANNEL_TYPE, transactionType: 0 }
      : await resolveChannelTerms(ctx, wish, tradeFrom)
  if (wish.channelType !== BALANCE_CHANNEL_TYPE) await requireNoRechargePause(ctx)
  const amount = await computePrice(ctx, kind, { wish, terms })
  if ((await countOpenOrders(tx, ctx.userId)) >= (await ctx.settings.get(maxOpenOrders))) fail('TOO_MANY_OPEN_ORDERS')
  const { orderType } = wish
  const discount = capDiscount(
    amount,
    await computeOfferedDiscount(ctx, tx, { userId: ctx.userId, orderType, channelType: terms.channelType, transactionType: terms.transactionType }),
  )
  if (discount > 0n) await cancelDiscountedOrders(tx, ctx.userId)
  const { feePercent, fixedFee, rate, currency, channelType, transactionType } = terms
  const deposit = await kind.deposit?.(ctx, ctx.userId, wish)
  const row = await insertOrder(tx, {
    orderNo: generateOrderNo(ctx.clock.now()),
    userId: ctx.userId,
    orderType,
    ...computePriceFigures(amount, terms, { rate, discount }),
    feePercent,
    rate,
    currency,
    channelType,
    transactionType,
    tradeFrom,
    minutes: await ctx.settings.get(orderMinutes),
    wishes: { ...(wish.service ? { service: wish.service } : {}), ...(wish.cardId ? { cardId: wish.cardId } : {}), ...(deposit ? { deposit } : {}) },
  })
  await tx.audit('order.created', `order:${row.orderNo}`, { orderType, amount, discount: formatUsd(discount), feePercent, fixedFee, rate, currency })
  return row
}

/**
 * Price by the order type. An error that neither the contract nor the kind names would be missing in the API reference, so it fails outside
 * production.
 */
async function computePrice(ctx: Ctx, kind: OrderKind, { wish, terms }: { readonly wish: NewOrderInput; readonly terms: OrderTerms }): Promise<string> {
  try {
    return await kind.price(ctx, ctx.userId, { wish, bounds: terms })
  } catch (error) {
    if (!(error instanceof Failure) || ctx.config.STAGE === 'production') throw error
    const { errorName } = error
    const isDeclared = errorName in commonErrors || (ORDER_REFUSALS as readonly string[]).includes(errorName) || kind.refusals?.includes(errorName)
    if (isDeclared) throw error
    throw new Error(`orders of type ${kind.orderType} do not declare ${errorName}`, { cause: error })
  }
}

interface OrderTerms extends FeeTerms {
  readonly min: string
  readonly max: string
  readonly rate: string
  readonly currency: PayCurrency
  readonly channelType: number
  readonly transactionType: number
}

async function resolveChannelTerms(ctx: Ctx, wish: NewOrderInput, tradeFrom: TradeFrom): Promise<OrderTerms> {
  const way = await resolveRegionMethod(ctx)
  const { channel, ...offer } = await computeOffer(ctx, wish.orderType, { channelType: wish.channelType, way })
  const { transactionType } = await requirePayMethod(ctx, channel, { tradeFrom, transactionType: wish.transactionType ?? way?.transactionType })
  if (!isAllowedInRegion(way, channel.manifest.id, transactionType)) fail('CHANNEL_UNAVAILABLE')
  return { ...offer, channelType: channel.manifest.id, transactionType }
}

/** Date and 60 random bits: readable aloud, not guessable. */
export function generateOrderNo(now: Date): string {
  return `${toShanghaiDay(now).replaceAll('-', '')}-${createRandomCode(12)}`
}
