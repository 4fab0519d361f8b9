import type { Ctx, Handler } from '#platform/server/feature.ts'
import { subtractNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import { readCardBalances } from '#features/wallet/server/door.ts'
import type { cardsContract } from '../../contract.ts'
import { updateChosenCard as chooseFor } from '../members/data.ts'
import { selectAllCards, selectListedCards, requireOwnCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { buildCardRow, buildCardRows } from './card-view.ts'

type C = typeof cardsContract

export const cardList: Handler<C['cardList']> = async (ctx) => ({ rowList: await buildCardRows(ctx, ctx.db, await selectListedCards(ctx.db, ctx.userId)) })

export const cardInfo: Handler<C['cardInfo']> = async (ctx, { id }) => buildCardRow(ctx, ctx.db, await requireOwnCard(ctx, id))

/** Finds the card in use: the one chosen last, else the newest that works, else the newest that has not ended. */
export async function findCardInUse(ctx: Pick<Ctx, 'db'>, userId: string): Promise<Card | undefined> {
  const cards = await selectListedCards(ctx.db, userId)
  const living = cards.filter(({ state }) => state !== 'closed' && state !== 'closing')
  return living[0]
}

export const defaultCard: Handler<C['defaultCard']> = async (ctx) => {
  const card = await findCardInUse(ctx, ctx.userId)
  return { card: card ? await buildCardRow(ctx, ctx.db, card) : null }
}

export const chooseCard: Handler<C['chooseCard']> = async (ctx, { id }) => {
  const card = await requireOwnCard(ctx, id)
  await chooseFor(ctx.db, ctx.userId, card.id)
  return {}
}

export const cardTotal: Handler<C['cardTotal']> = async (ctx) => {
  const cards = await selectAllCards(ctx.db, ctx.userId)
  const balances = [
    ...(
      await readCardBalances(
        ctx.db,
        cards.map(({ id }) => id),
      )
    ).values(),
  ]
  return {
    cards: cards.filter(({ hiddenAt }) => hiddenAt === null).length,
    working: cards.filter(({ state }) => state === 'active').length,
    balance: formatUsd(sumNano(balances.map(({ posted, owed }) => subtractNano(posted, owed)))),
    reserved: formatUsd(sumNano(balances.map(({ held }) => held))),
    totalSpent: formatUsd(sumNano(cards.map(({ totalSpent }) => totalSpent))),
    totalRecharged: formatUsd(sumNano(cards.map(({ totalRecharged }) => totalRecharged))),
  }
}

export const cardBalance: Handler<C['cardBalance']> = async (ctx, { id }) => {
  const card = await requireOwnCard(ctx, id)
  const { posted, held, available, owed } = (await readCardBalances(ctx.db, [card.id])).get(card.id)!
  const shown = owed > 0n ? subtractNano(0n, owed) : available
  return {
    available: formatUsd(shown),
    balance: formatUsd(subtractNano(posted, owed)),
    reserved: formatUsd(held),
    owed: formatUsd(owed),
    at: ctx.clock.now().toISOString(),
  }
}
