import type { Ctx, Handler } from '#platform/server/feature.ts'
import { minus, sum, usd } from '#platform/shared/money.ts'
import { cardBalancesOf } from '#features/wallet/server/door.ts'
import type { cardsContract } from '../../contract.ts'
import { chooseCard as chooseFor } from '../members/data.ts'
import { allCardsOf, cardsOf, ownCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { cardView, cardViews } from './card-view.ts'

type C = typeof cardsContract

export const cardList: Handler<C['cardList']> = async (ctx) => ({ rowList: await cardViews(ctx, ctx.db, await cardsOf(ctx.db, ctx.userId)) })

export const cardInfo: Handler<C['cardInfo']> = async (ctx, { id }) => cardView(ctx, ctx.db, await ownCard(ctx, id))

/** The one chosen last, else the newest that works, else the newest at all that is not over. */
export async function cardInUse(ctx: Pick<Ctx, 'db'>, userId: string): Promise<Card | undefined> {
  const cards = await cardsOf(ctx.db, userId)
  const living = cards.filter(({ state }) => state !== 'closed' && state !== 'closing')
  return living[0]
}

export const defaultCard: Handler<C['defaultCard']> = async (ctx) => {
  const card = await cardInUse(ctx, ctx.userId)
  return { card: card ? await cardView(ctx, ctx.db, card) : null }
}

export const chooseCard: Handler<C['chooseCard']> = async (ctx, { id }) => {
  const card = await ownCard(ctx, id)
  await chooseFor(ctx.db, ctx.userId, card.id)
  return {}
}

export const cardTotal: Handler<C['cardTotal']> = async (ctx) => {
  const cards = await allCardsOf(ctx.db, ctx.userId)
  const balances = [
    ...(
      await cardBalancesOf(
        ctx.db,
        cards.map(({ id }) => id),
      )
    ).values(),
  ]
  return {
    cards: cards.filter(({ hidden_at }) => hidden_at === null).length,
    working: cards.filter(({ state }) => state === 'active').length,
    balance: usd(sum(balances.map(({ posted, owed }) => minus(posted, owed)))),
    reserved: usd(sum(balances.map(({ held }) => held))),
    totalSpent: usd(sum(cards.map(({ total_spent }) => total_spent))),
    totalRecharged: usd(sum(cards.map(({ total_recharged }) => total_recharged))),
  }
}

export const cardBalance: Handler<C['cardBalance']> = async (ctx, { id }) => {
  const card = await ownCard(ctx, id)
  const { posted, held, available, owed } = (await cardBalancesOf(ctx.db, [card.id])).get(card.id)!
  const shown = owed > 0n ? minus(0n, owed) : available
  return { available: usd(shown), balance: usd(minus(posted, owed)), reserved: usd(held), owed: usd(owed), at: ctx.clock.now().toISOString() }
}
