import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { minus, usd } from '#platform/shared/money.ts'
import { requireReady, standingOf } from '#features/identity/server/door.ts'
import { moneyBackOf, orderFigures, rechargeFacts } from '#features/payments/server/door.ts'
import type { cardsContract } from '../../contract.ts'
import { OPENING_STATUS } from '../../words.ts'
import type { OpenReason } from '../../words.ts'
import { cardsOf } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { cardView } from './card-view.ts'
import { firstMinimum } from '../money/limits.ts'
import { cardFees, cardPrices, cardYears, closingRules, freeRequests, keepOnCard, openingPaused, rechargeLimits, spendingLimits } from '../settings.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { freeDay, memberOf } from '../members/data.ts'
import { chooseIssuer } from '../opening/choose-issuer.ts'
import { priceOf, refuseOpening } from '../opening/terms.ts'

type C = typeof cardsContract

export const cardAmount: Handler<C['cardAmount']> = async ({ settings }) => {
  const prices = await settings.get(cardPrices)
  const [recharge, spending, fees, years] = [
    await settings.get(rechargeLimits),
    await settings.get(spendingLimits),
    await settings.get(cardFees),
    await settings.get(cardYears),
  ]
  const rules = await settings.get(closingRules)
  return {
    openAccount: prices.openAccount,
    multipleCard: prices.multipleCard,
    proCard: prices.proCard,
    riskChange: prices.riskChange,
    renew: prices.openAccount,
    deposit: prices.deposit,
    activationFee: prices.activation,
    firstMinimum: usd(firstMinimum(recharge, prices)),
    minimum: recharge.min,
    maximum: recharge.max,
    maximumIdentified: recharge.maxIdentified,
    monthlyLimit: spending.month,
    monthlyLimitIdentified: spending.monthIdentified,
    keep: await settings.get(keepOnCard),
    feeAbroadPercent: fees.abroadPercent,
    feeRefundPercent: fees.refundPercent,
    feeReversal: fees.reversal,
    feeRechargePercent: (await rechargeFacts(settings)).feePercent,
    membershipYears: years.membership,
    standardYears: years.standard,
    proYears: years.pro,
    refusalsClose: rules.inRow,
    refusalRate: { percent: Math.round(rules.rate * 1000) / 10, days: rules.days, from: rules.from },
    pausedUntil: await pausedUntil({ settings }),
  }
}

async function pausedUntil({ settings }: Pick<Ctx, 'settings'>): Promise<string | null> {
  const { paused, until } = await settings.get(openingPaused)
  return paused ? until : null
}

export const opening: Handler<C['opening']> = async (ctx, { type }) => {
  const { isFirst, price, deposit, total } = await priceOf(ctx, ctx.db, ctx.userId, type ?? 'standard')
  const member = await memberOf(ctx.db, ctx.userId)
  const cards = await cardsOf(ctx.db, ctx.userId)
  const last = cards.toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime())[0]
  // A card whose order was given back is over: its user starts again.
  const newest = last?.state === 'failed' && last.order_no !== null && (await moneyBackOf(ctx.db, last.order_no)) ? undefined : last
  return {
    status: await statusOf(ctx, newest),
    orderType: isFirst ? 1 : 2,
    price: usd(price),
    deposit: usd(deposit),
    total: usd(total),
    orderNo: newest?.order_no ?? null,
    refused: await refusedFor(ctx),
    paid: await paidFor(ctx, newest),
    card: newest ? await cardView(ctx, ctx.db, newest) : null,
    member: { until: member?.until.toISOString() ?? null, freeRequests: await freeOf(ctx) },
    pausedUntil: await pausedUntil(ctx),
  }
}

/** The order's own figures: prices change, and a second card costs less than the first. */
async function paidFor({ db, userId }: Ctx, card: Card | undefined): Promise<{ orderType: number; price: string; deposit: string; total: string } | null> {
  const figures = card?.order_no ? await orderFigures(db, userId, card.order_no) : undefined
  if (!figures) return null
  const { orderType, amount, deposit } = figures
  return { orderType, price: usd(minus(amount, deposit)), deposit: usd(deposit), total: usd(amount) }
}

async function freeOf({ db, userId, settings, clock }: Ctx): Promise<{ perDay: number; today: string } | null> {
  const { perDay } = await settings.get(freeRequests)
  return perDay ? { perDay, today: usd(await freeDay(db, userId, shanghaiDay(clock.now()))) } : null
}

/** Known once the person's data are saved. */
async function refusedFor(ctx: Ctx): Promise<OpenReason | null> {
  if ((await standingOf(ctx.db, ctx.userId)).savedAt === null) return null
  const { refused } = await chooseIssuer(ctx, ctx.db, ctx.userId)
  return refused ?? null
}

async function statusOf({ db, userId }: Ctx, card: Card | undefined): Promise<number> {
  if (card?.state === 'requested') return OPENING_STATUS.OPENING
  if (card?.state === 'opening') return OPENING_STATUS.SUBMITTED
  if (card?.state === 'failed') return OPENING_STATUS.FAILED
  if (card) return OPENING_STATUS.OPENED
  const { status } = await standingOf(db, userId)
  return status === 'saved' || status === 'passed' || status === 'review' ? OPENING_STATUS.HOLDER_SAVED : OPENING_STATUS.NONE
}

/** Input for payOrder; nothing is sold here. */
export const cardCreate: Handler<C['cardCreate']> = async (ctx, { type }) => {
  const member = await memberOf(ctx.db, ctx.userId)
  if (!member) await requireReady(ctx.db, ctx.userId).catch((error: unknown) => stepMissing(error))
  const { isFirst } = await refuseOpening(ctx, ctx.userId)
  const { total } = await priceOf(ctx, ctx.db, ctx.userId, type)
  return { orderType: isFirst ? 1 : 2, amount: usd(total), service: type }
}

/** Renames identity's error for a missing step, whose data name the step for the page. */
function stepMissing(error: unknown): never {
  const { errorName, data } = error as { errorName?: string; data?: Record<string, unknown> }
  if (errorName === 'IDENTITY_STEP_MISSING') return fail('CARD_STEP_MISSING', data)
  throw error
}
