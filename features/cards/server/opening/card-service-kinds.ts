import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { minNano, subtractNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readCardBalances, roundDebtUp } from '#features/wallet/server/door.ts'
import { ORDER_TYPE } from '#features/payments/server/door.ts'
import type { OrderKind } from '#features/payments/server/door.ts'
import type { cardErrors } from '../../errors.ts'
import { insertBill } from '../bills/data.ts'
import { selectCardById, changeCard, lockCard, selectNewestReplacement } from '../cards/data.ts'
import type { Card, CardChangeReason } from '../cards/data.ts'
import { bookDebtSettlement, readNetCardBalance } from '../money/bookings.ts'
import { requireNoCardDebt } from '../money/debts.ts'
import { cardPrices } from '../settings.ts'
import { requestReplacement } from './request-card.ts'
import { selectCardIdByOrder, countLivingCards } from './data.ts'
import { endCard } from './take-back.ts'
import { lacksDeposit } from './terms.ts'

/** Order types 12 to 15: services for an existing card. */
export const createCardServiceKinds = (deps: () => Deps): readonly OrderKind[] => [
  createThawKind(),
  createSettleKind(),
  createReplaceKind(14, 'risk', deps),
  createReplaceKind(15, 'expired', deps),
]

async function requireCard(deps: Pick<Deps, 'db'>, userId: string, cardId: string | undefined): Promise<Card> {
  if (cardId === undefined) return fail('BAD_INPUT', { fields: ['cardId'] })
  return (await selectCardById(deps.db, cardId, userId)) ?? fail('CARD_NOT_FOUND')
}

const REFUSALS = ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_IN_DEBT', 'CARD_NOTHING_OWED'] as const satisfies (keyof typeof cardErrors)[]
const SERVICE = { earns: 'service', amounts: 'own', refusals: REFUSALS, undo: async () => {} } as const

/** Order type 12: unfreezes a card that risk rules froze. */
const createThawKind = (): OrderKind => ({
  ...SERVICE,
  orderType: ORDER_TYPE.CARD_UNFREEZE,
  price: async (deps, userId, { wish: { cardId } }) => {
    const card = await requireCard(deps, userId, cardId)
    if (card.state !== 'frozen' || card.frozenBy !== 'risk') fail('CARD_NOT_READY')
    // a rule froze the card for its debt: unfrozen before that is paid, the issuer would approve again without us
    await requireNoCardDebt(deps.db, userId)
    return (await deps.settings.get(cardPrices)).unfreeze
  },
  fulfil: async (tx, { userId, wishes, orderNo }) => {
    const card = await lockCard(tx, wishes.cardId ?? '')
    if (card.userId !== userId || card.state !== 'frozen' || card.frozenBy !== 'risk') return 'impossible'
    await changeCard(tx, card, {
      change: { state: 'active', frozenBy: null, issuerWanted: 'active', refusals: 0 },
      options: { seconds: 0, reason: `order ${orderNo}` },
    })
    await tx.audit('card.thawed', `card:${card.id}`, { orderNo })
    return 'done'
  },
})

/** Debt of a card, rounded up to the cent. */
export async function readCardDebt(deps: Pick<Deps, 'db'>, card: Card): Promise<Nano> {
  return roundDebtUp((await readCardBalances(deps.db, [card.id])).get(card.id)!.owed)
}

/** Order type 13: settles a card's debt; a sum above the debt at payment goes to the balance. */
const createSettleKind = (): OrderKind => ({
  ...SERVICE,
  orderType: ORDER_TYPE.CARD_OUTSTANDING,
  // The debt was spent at a shop, and an overpayment is refunded as money.
  bought: 'all',
  price: async (deps, userId, { wish: { cardId } }) => {
    const owed = await readCardDebt(deps, await requireCard(deps, userId, cardId))
    return owed > 0n ? formatUsd(owed) : fail('CARD_NOTHING_OWED')
  },
  fulfil: async (tx, { userId, amount, wishes, orderNo }) => {
    const card = await lockCard(tx, wishes.cardId ?? '')
    if (card.userId !== userId) return 'impossible'
    const { owed } = (await readCardBalances(tx, [card.id])).get(card.id)!
    const debt = minNano(owed, amount)
    await bookDebtSettlement(tx, userId, { cardId: card.id, ref: orderNo, debt, rest: subtractNano(amount, debt) })
    const bill = { id: `set_${orderNo}`, cardId: card.id, userId, at: card.now, kind: 'settled_debt' as const, state: 'success' as const }
    if (debt > 0n) await insertBill(tx, { ...bill, amount: debt, after: await readNetCardBalance(tx, card.id), orderNo, method: 'order' })
    await tx.audit('card.settled_debt', `card:${card.id}`, { orderNo, amount: formatUsd(debt) })
    return 'done'
  },
})

/** Order types 14 and 15: a new card that replaces one stopped by risk rules, or an expiring one. */
const createReplaceKind = (orderType: 14 | 15, why: CardChangeReason, deps: () => Deps): OrderKind => ({
  ...SERVICE,
  orderType,
  price: async (at, userId, { wish: { cardId } }) => {
    const card = await requireCard(at, userId, cardId)
    if (!(await isReplacementSold(at, at.db, { card, orderType }))) fail('CARD_NOT_READY')
    await requireNoCardDebt(at.db, userId)
    return readReplacementPrice(at, card, orderType)
  },
  fulfil: async (tx, { userId, wishes, orderNo }) => {
    const card = await lockCard(tx, wishes.cardId ?? '')
    if (card.userId !== userId || !(await isReplacementSold(deps(), tx, { card, orderType }))) return 'impossible'
    const made = await requestReplacement(deps(), tx, { old: card, why, orderNo })
    await tx.audit('card.change_requested', `card:${card.id}`, { orderNo, why, newCard: made.id })
    return 'later'
  },
  // A replacement already made has taken over the old card's money and stays.
  undo: async (tx, { orderNo }, { isAll }) => {
    const id = isAll ? await selectCardIdByOrder(tx, orderNo) : undefined
    const card = id === undefined ? undefined : await lockCard(tx, id)
    if (card?.openedAt === null) await endCard(tx, card)
  },
})

export async function readReplacementPrice(deps: Pick<Deps, 'settings'>, card: Card, orderType: 14 | 15): Promise<string> {
  const prices = await deps.settings.get(cardPrices)
  if (orderType === 14) return prices.riskChange
  return card.type === 'pro' ? prices.proCard : prices.openAccount
}

/**
 * True if this order type can replace the card. Any card can be renewed; after a risk change only a stopped card with time left is
 * replaced. Once the deposit was returned with the last card, the user opens a new one instead, which requires the deposit again.
 */
export async function isReplacementSold(
  { clock }: Pick<Deps, 'clock'>,
  sql: Sql,
  { card, orderType }: { readonly card: Card; readonly orderType: 14 | 15 },
): Promise<boolean> {
  if (orderType !== 15 && !isStopped(card, clock.now())) return false
  if ((await countLivingCards(sql, card.userId)) === 0 && (await lacksDeposit(sql, card.userId))) return false
  return isReplaceable(sql, card)
}

/** True if the issuer or a rule froze or closed the card, false if only its member did. */
function isStopped(card: Card, now: Date): boolean {
  if (card.validUntil === null || card.validUntil <= now) return false
  if (card.state === 'closing' || card.state === 'closed') return card.closeReason === 'refusals' || card.closeReason === 'refusal_rate'
  return card.mustChange || card.frozenBy === 'risk' || card.frozenBy === 'issuer'
}

/** True if the card was made and has no replacement yet. */
export async function isReplaceable(sql: Sql, card: Card): Promise<boolean> {
  if (!['active', 'frozen', 'closing', 'closed'].includes(card.state) || card.replacedBy !== null || card.hiddenAt !== null) return false
  const next = await selectNewestReplacement(sql, card.id)
  return next === undefined || next.state === 'failed' || next.state === 'closed'
}
