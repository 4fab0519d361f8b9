import type { Blocker, Deps, PersonalData } from '#platform/server/feature.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { readCardBalances } from '#features/wallet/server/door.ts'
import { CARD_FIELDS } from '../contract-card.ts'
import { selectBills } from './bills/data.ts'
import { selectAllCards } from './cards/data.ts'
import { findCardInUse } from './views/cards.ts'
import { formatCardNumber } from './views/card-view.ts'
import { selectDisputes } from './disputes/data.ts'
import { createCardTranslator } from './mail-texts.ts'

const ROWS = 10_000

/** A card that is not closed keeps money or may be charged; one that owes keeps its debt. */
async function blockersOf({ db }: Deps, userId: string, lang: Lang): Promise<readonly Blocker[]> {
  const cards = await selectAllCards(db, userId)
  const balances = await readCardBalances(
    db,
    cards.map(({ id }) => id),
  )
  const say = createCardTranslator(lang)
  return cards.flatMap(({ id, state, last4 }) => {
    const { posted, owed } = balances.get(id)!
    if (owed > 0n) return [{ code: 'card', text: say('close_card_owes', { last4, amount: formatUsd(owed) }), path: '/card' }]
    return state === 'closed' || (state === 'failed' && posted === 0n)
      ? []
      : [{ code: 'card', text: say('close_card', { last4, amount: formatUsd(posted) }), path: '/card' }]
  })
}

/** Cards, bills and disputes: what the pages show. */
async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const cards = await selectAllCards(db, userId)
  if (!cards.length) return undefined
  const bills = await selectBills(db, { userId }, { limit: ROWS, offset: 0 })
  const disputes = await selectDisputes(db, userId, { limit: ROWS, offset: 0 })
  return {
    cards: cards.map((card) => ({
      ...pick(card, 'id', ...CARD_FIELDS, 'holder'),
      billingAddress: card.address,
      validUntil: card.validUntil,
      totalSpent: formatUsd(card.totalSpent),
      totalRecharged: formatUsd(card.totalRecharged),
      createdAt: card.createdAt,
      closedAt: card.closedAt,
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
      amount: formatUsd(bill.amount),
      fee: formatUsd(bill.fee),
    })),
    disputes: disputes.map(({ id, state, reason, words, amount, createdAt }) => ({
      id,
      state,
      reason,
      words,
      amount: formatUsd(amount),
      createdAt,
    })),
  }
}

const factsOf = async (deps: Deps, userId: string) => {
  const card = await findCardInUse(deps, userId)
  return card?.bin ? { cardNo: formatCardNumber(card) } : {}
}

export const cardsPersonal: PersonalData = { blockersOf, exportOf, factsOf }
