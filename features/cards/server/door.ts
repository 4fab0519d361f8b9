import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import type { CardType } from '../words.ts'
import { selectCardById, selectListedCards } from './cards/data.ts'
import type { Card } from './cards/data.ts'
import { cardTypes } from './settings.ts'

export { selectCustomerCards } from './cards/data.ts'
export { selectTakenByTask, selectTaskHold as taskHoldOf } from './tasks/data.ts'
export { listCardsForTask, computeCostOnCard } from './tasks/check.ts'
export type { TaskCard, TaskProblem } from './tasks/check.ts'
export { armTask, chargeTask, disarmTask, releaseTask, holdForTask } from './tasks/task-hold.ts'
export { revealForTask } from './tasks/reveal.ts'

/** Cards, for the services that need one. */
export interface UsableCard {
  readonly id: string
  readonly type: CardType
  readonly last4: string
}
const toUsableCard = ({ id, type, last4 }: Card): UsableCard => ({ id, type, last4 })

/** True if the user has an active card; checked by services that require one. */
export async function hasActiveCard(sql: Sql, userId: string): Promise<boolean> {
  return (await selectListedCards(sql, userId)).some(({ state }) => state === 'active')
}

/** Best type among the user's active cards; undefined without one. */
export async function findBestCardType(sql: Sql, userId: string): Promise<CardType | undefined> {
  const types = (await selectListedCards(sql, userId)).filter(({ state }) => state === 'active').map(({ type }) => type)
  return types.includes('pro') ? 'pro' : types[0]
}

/**
 * Requires a working card that pays for the service: the named one, or the one in use. Errors: NO_CARD (none that works), CARD_NOT_FOUND
 * (not the user's own), CARD_NOT_READY (its type does not pay for the service), CARD_MUST_CHANGE.
 */
export async function requireUsableCard(deps: Deps, userId: string, wish: { cardId?: string; service?: string } = {}): Promise<UsableCard> {
  const named = wish.cardId === undefined ? undefined : ((await selectCardById(deps.db, wish.cardId, userId)) ?? fail('CARD_NOT_FOUND'))
  const card = named ?? (await selectListedCards(deps.db, userId)).find(({ state }) => state === 'active')
  if (!card || card.state !== 'active') return fail('NO_CARD')
  if (card.mustChange) fail('CARD_MUST_CHANGE')
  const types = await deps.settings.get(cardTypes)
  if (wish.service !== undefined && types[card.type].notFor.includes(wish.service)) fail('CARD_NOT_READY', { service: wish.service })
  return toUsableCard(card)
}
