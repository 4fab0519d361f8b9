import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { requireReady, readIdentityStatus } from '#features/identity/server/door.ts'
import { findLatestRefund, readOrderFigures, readRechargeTerms } from '#features/payments/server/door.ts'
import type { cardsContract } from '../../contract.ts'
import { OPENING_STATUS } from '../../words.ts'
import type { OpenReason } from '../../words.ts'
import { selectListedCards } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { buildCardRow } from './card-view.ts'
import { computeFirstMinimum } from '../money/limits.ts'
import { cardFees, cardPrices, cardYears, closingRules, freeRequests, keepOnCard, openingPaused, rechargeLimits, spendingLimits } from '../settings.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { pick } from '#platform/shared/pick.ts'
import { selectFreeDay, selectMember } from '../members/data.ts'
import { chooseIssuer } from '../opening/choose-issuer.ts'
import { readOpeningPrice, refuseOpening } from '../opening/terms.ts'

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
    ...pick(prices, 'openAccount', 'multipleCard', 'proCard', 'riskChange'),
    renew: prices.openAccount,
    deposit: prices.deposit,
    activationFee: prices.activation,
    firstMinimum: formatUsd(computeFirstMinimum(recharge, prices)),
    minimum: recharge.min,
    maximum: recharge.max,
    maximumIdentified: recharge.maxIdentified,
    monthlyLimit: spending.month,
    monthlyLimitIdentified: spending.monthIdentified,
    keep: await settings.get(keepOnCard),
    feeAbroadPercent: fees.abroadPercent,
    feeRefundPercent: fees.refundPercent,
    feeReversal: fees.reversal,
    feeRechargePercent: (await readRechargeTerms(settings)).feePercent,
    membershipYears: years.membership,
    standardYears: years.standard,
    proYears: years.pro,
    refusalsClose: rules.inRow,
    refusalRate: { percent: Math.round(rules.rate * 1000) / 10, days: rules.days, from: rules.from },
    pausedUntil: await readPausedUntil({ settings }),
  }
}

async function readPausedUntil({ settings }: Pick<Ctx, 'settings'>): Promise<string | null> {
  const { paused, until } = await settings.get(openingPaused)
  return paused ? until : null
}

export const readCardOpening: Handler<C['opening']> = async (ctx, { type }) => {
  const { isFirst, price, deposit, total } = await readOpeningPrice(ctx, ctx.db, { userId: ctx.userId, type: type ?? 'standard' })
  const member = await selectMember(ctx.db, ctx.userId)
  const cards = await selectListedCards(ctx.db, ctx.userId)
  const last = cards.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0]
  // A card whose order was refunded has ended: its user starts again.
  const newest = last?.state === 'failed' && last.orderNo !== null && (await findLatestRefund(ctx.db, last.orderNo)) ? undefined : last
  return {
    status: await readOpeningStatus(ctx, newest),
    orderType: isFirst ? 1 : 2,
    price: formatUsd(price),
    deposit: formatUsd(deposit),
    total: formatUsd(total),
    orderNo: newest?.orderNo ?? null,
    refused: await findRefusalReason(ctx),
    paid: await readPaidOrder(ctx, newest),
    card: newest ? await buildCardRow(ctx, ctx.db, newest) : null,
    member: { until: member?.until.toISOString() ?? null, freeRequests: await readFreeRequests(ctx) },
    pausedUntil: await readPausedUntil(ctx),
  }
}

/** The order's own figures: prices change, and a second card costs less than the first. */
async function readPaidOrder(
  { db, userId }: Ctx,
  card: Card | undefined,
): Promise<{ orderType: number; price: string; deposit: string; total: string } | null> {
  const figures = card?.orderNo ? await readOrderFigures(db, userId, card.orderNo) : undefined
  if (!figures) return null
  const { orderType, amount, deposit } = figures
  return { orderType, price: formatUsd(subtractNano(amount, deposit)), deposit: formatUsd(deposit), total: formatUsd(amount) }
}

async function readFreeRequests({ db, userId, settings, clock }: Ctx): Promise<{ perDay: number; today: string } | null> {
  const { perDay } = await settings.get(freeRequests)
  return perDay ? { perDay, today: formatUsd(await selectFreeDay(db, userId, toShanghaiDay(clock.now()))) } : null
}

/** Finds the reason for which no issuer accepts the user; known once the person's data is saved. */
async function findRefusalReason(ctx: Ctx): Promise<OpenReason | null> {
  if ((await readIdentityStatus(ctx.db, ctx.userId)).savedAt === null) return null
  const { refused } = await chooseIssuer(ctx, ctx.db, ctx.userId)
  return refused ?? null
}

async function readOpeningStatus({ db, userId }: Ctx, card: Card | undefined): Promise<number> {
  if (card?.state === 'requested') return OPENING_STATUS.OPENING
  if (card?.state === 'opening') return OPENING_STATUS.SUBMITTED
  if (card?.state === 'failed') return OPENING_STATUS.FAILED
  if (card) return OPENING_STATUS.OPENED
  const { status } = await readIdentityStatus(db, userId)
  return status === 'saved' || status === 'passed' || status === 'review' ? OPENING_STATUS.HOLDER_SAVED : OPENING_STATUS.NONE
}

/** Checks the steps and returns the input for payOrder; creates no card. */
export const cardCreate: Handler<C['cardCreate']> = async (ctx, { type }) => {
  const member = await selectMember(ctx.db, ctx.userId)
  if (!member) await requireReady(ctx.db, ctx.userId).catch((error: unknown) => failWithMissingStep(error))
  const { isFirst } = await refuseOpening(ctx, ctx.userId)
  const { total } = await readOpeningPrice(ctx, ctx.db, { userId: ctx.userId, type })
  return { orderType: isFirst ? 1 : 2, amount: formatUsd(total), service: type }
}

/** Renames identity's error for a missing step, whose data name the step for the page. */
function failWithMissingStep(error: unknown): never {
  const { errorName, data } = error as { errorName?: string; data?: Record<string, unknown> }
  if (errorName === 'IDENTITY_STEP_MISSING') return fail('CARD_STEP_MISSING', data)
  throw error
}
