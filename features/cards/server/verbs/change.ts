import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { readCardBalances } from '#features/wallet/server/door.ts'
import { lockOrderByNo, findLatestRefund, ORDER_TYPE, placeOrder } from '#features/payments/server/door.ts'
import type { cardsContract } from '../../contract.ts'
import { requireNoCardDebt } from '../money/debts.ts'
import { isReplaceable, isReplacementSold, readCardDebt, readReplacementPrice } from '../opening/card-service-kinds.ts'
import { cardPrices, cardYears, changeDays, openingPaused } from '../settings.ts'
import { requestReplacement } from '../opening/request-card.ts'
import { retryCardOpening, selectCardById, lockOwnCard, selectNewestReplacement, requireOwnCard } from '../cards/data.ts'
import { buildCardRow } from '../views/card-view.ts'

type C = typeof cardsContract

/** Gives a working card a new number for its remaining validity; free, so limited to once every so many days. */
export const changeCard: Handler<C['changeCard']> = async (ctx, { id }) => {
  const tx = ctx.tx
  const card = await lockOwnCard(tx, id, ctx.userId)
  if (card.state === 'closed' || card.state === 'closing') fail('CARD_CLOSED')
  // A card that the issuer stopped no longer works: an order of type 14 replaces it for a price.
  if (card.mustChange) fail('CARD_MUST_CHANGE')
  if (card.state !== 'active' && !(card.state === 'frozen' && card.frozenBy === 'user')) fail('CARD_NOT_READY')
  // An expired card is renewed, not changed.
  if (card.validUntil && card.validUntil <= ctx.clock.now()) fail('CARD_NOT_READY')
  if (!(await isReplaceable(tx, card))) fail('CARD_BUSY')
  await requireNoCardDebt(tx, ctx.userId)
  const days = await ctx.settings.get(changeDays)
  const isEarly = card.replaces !== null && card.openedAt !== null && ctx.clock.now().getTime() - card.openedAt.getTime() < days * 86_400_000
  if (isEarly) fail('CARD_BUSY', { days })
  const made = await requestReplacement(ctx, tx, { old: card, why: 'user', orderNo: null })
  await tx.audit('card.change_requested', `card:${id}`, { newCard: made.id })
  return { changeId: made.id }
}

export const changeCardStatus: Handler<C['changeCardStatus']> = async (ctx, { cardId }) => {
  const card = await requireOwnCard(ctx, cardId)
  const next = await selectNewestReplacement(ctx.db, card.id)
  if (!next) return { status: 'idle', newCard: null, amount: '0' }
  const { posted } = (await readCardBalances(ctx.db, [next.id])).get(next.id)!
  const status = next.state === 'failed' ? 'failed' : next.state === 'requested' || next.state === 'opening' ? 'changing' : 'success'
  return { status, newCard: await buildCardRow(ctx, ctx.db, next), amount: formatUsd(posted) }
}

export const reOpenCard: Handler<C['reOpenCard']> = async (ctx, { id }) => {
  const tx = ctx.tx
  const { paused, until } = await ctx.settings.get(openingPaused)
  if (paused) fail('CARD_OPENING_PAUSED', { until })
  const { orderNo } = (await selectCardById(tx, id, ctx.userId)) ?? fail('CARD_NOT_FOUND')
  if (orderNo !== null) await lockOrderByNo(tx, orderNo)
  const card = await lockOwnCard(tx, id, ctx.userId)
  // After a refund the card is not opened for free: it takes a new order.
  if (card.state !== 'failed' || (orderNo !== null && (await findLatestRefund(tx, orderNo)))) fail('CARD_BUSY')
  const now = await retryCardOpening(tx, card, 'again')
  await tx.audit('card.reopened', `card:${id}`, { attempt: now.attempt })
  return buildCardRow(ctx, tx, now)
}

export const cardUnfreeze: Handler<C['cardUnfreeze']> = async (ctx, { cardId, ...wish }) => {
  if (wish.channelType !== undefined) return placeOrder(ctx, { ...wish, cardId, orderType: ORDER_TYPE.CARD_UNFREEZE })
  const card = await requireOwnCard(ctx, cardId)
  if (card.state !== 'frozen' || card.frozenBy !== 'risk') fail('CARD_NOT_READY')
  return { orderType: ORDER_TYPE.CARD_UNFREEZE, amount: (await ctx.settings.get(cardPrices)).unfreeze }
}

export const cardOutstanding: Handler<C['cardOutstanding']> = async (ctx, { cardId, ...wish }) => {
  if (wish.channelType !== undefined) return placeOrder(ctx, { ...wish, cardId, orderType: ORDER_TYPE.CARD_OUTSTANDING })
  const owed = await readCardDebt(ctx, await requireOwnCard(ctx, cardId))
  return owed > 0n ? { orderType: ORDER_TYPE.CARD_OUTSTANDING, amount: formatUsd(owed) } : fail('CARD_NOTHING_OWED')
}

export const cardChange: Handler<C['cardChange']> = async (ctx, { cardId, ...wish }) => {
  if (wish.channelType !== undefined) return placeOrder(ctx, { ...wish, cardId, orderType: ORDER_TYPE.CARD_RISK_CHANGE })
  const card = await requireOwnCard(ctx, cardId)
  if (!(await isReplacementSold(ctx, ctx.db, { card, orderType: 14 }))) fail('CARD_NOT_READY')
  return { orderType: ORDER_TYPE.CARD_RISK_CHANGE, amount: await readReplacementPrice(ctx, card, 14) }
}

export const cardRenewal: Handler<C['cardRenewal']> = async (ctx, { cardId }) => {
  const card = await requireOwnCard(ctx, cardId)
  if (!(await isReplacementSold(ctx, ctx.db, { card, orderType: 15 }))) fail('CARD_NOT_READY')
  const years = (await ctx.settings.get(cardYears))[card.type]
  const until = new Date(ctx.clock.now())
  until.setUTCFullYear(until.getUTCFullYear() + years)
  return { orderType: ORDER_TYPE.CARD_RENEWAL, amount: await readReplacementPrice(ctx, card, 15), validUntil: until.toISOString() }
}
