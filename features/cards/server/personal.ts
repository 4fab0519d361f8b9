import type { Blocker, Deps, PersonalData } from '#platform/server/feature.ts'
import { usd } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { cardBalancesOf } from '#features/wallet/server/door.ts'
import { billsOf } from './bills/data.ts'
import { allCardsOf } from './cards/data.ts'
import { cardInUse } from './views/cards.ts'
import { cardNoOf } from './views/card-view.ts'
import { disputesOf } from './disputes/data.ts'
import { says } from './mail-texts.ts'

const ROWS = 10_000

/** A card that is not closed keeps money or may be charged; one that owes keeps its debt. */
async function blockersOf({ db }: Deps, userId: string, lang: Lang): Promise<readonly Blocker[]> {
  const cards = await allCardsOf(db, userId)
  const balances = await cardBalancesOf(
    db,
    cards.map(({ id }) => id),
  )
  const say = says(lang)
  return cards.flatMap(({ id, state, last4 }) => {
    const { posted, owed } = balances.get(id)!
    if (owed > 0n) return [{ code: 'card', text: say('close_card_owes', { last4, amount: usd(owed) }), path: '/card' }]
    return state === 'closed' || (state === 'failed' && posted === 0n)
      ? []
      : [{ code: 'card', text: say('close_card', { last4, amount: usd(posted) }), path: '/card' }]
  })
}

/** Cards, bills and disputes: what the pages show. */
async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const cards = await allCardsOf(db, userId)
  if (!cards.length) return undefined
  const bills = await billsOf(db, { userId }, ROWS, 0)
  const disputes = await disputesOf(db, userId, ROWS, 0)
  return {
    cards: cards.map((card) => ({
      id: card.id,
      type: card.type,
      state: card.state,
      last4: card.last4,
      holder: card.holder,
      billingAddress: card.address,
      validUntil: card.valid_until,
      totalSpent: usd(card.total_spent),
      totalRecharged: usd(card.total_recharged),
      createdAt: card.created_at,
      closedAt: card.closed_at,
    })),
    bills: bills.map((bill) => ({
      id: bill.id,
      card: bill.last4,
      at: bill.at,
      kind: bill.kind,
      state: bill.state,
      merchant: bill.merchant,
      place: bill.place,
      country: bill.country,
      amount: usd(bill.amount),
      fee: usd(bill.fee),
    })),
    disputes: disputes.map(({ id, state, reason, words, amount, created_at: createdAt }) => ({ id, state, reason, words, amount: usd(amount), createdAt })),
  }
}

const factsOf = async (deps: Deps, userId: string) => {
  const card = await cardInUse(deps, userId)
  return card?.bin ? { cardNo: cardNoOf(card) } : {}
}

export const cardsPersonal: PersonalData = { blockersOf, exportOf, factsOf }
