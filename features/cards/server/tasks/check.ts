import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { subtractNano, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { BALANCE_CHANNEL_TYPE } from '#features/payments/server/door.ts'
import { readCardBalances } from '#features/wallet/server/door.ts'
import type { CardBalance } from '#features/wallet/server/door.ts'
import type { CardType } from '../../words.ts'
import { readSpendingLimit, computeForeignFee, toShanghaiMonth } from '../figures.ts'
import { selectCardMonths } from '../cards/data-months.ts'
import { selectListedCards } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { findIssuer } from '../vendors/index.ts'
import { computeRechargeBounds } from '../money/limits.ts'
import { cardTypes } from '../settings.ts'
import { selectHeldByCard } from './data.ts'

/**
 * Reason that a card cannot pay for a task: its state, its type, an issuer without a frame, debt, the monthly limit, or too little on it.
 */
export type TaskProblem = 'not_active' | 'must_change' | 'card_type' | 'no_frame' | 'in_debt' | 'month' | 'short'

export interface TaskCard {
  readonly id: string
  readonly type: CardType
  readonly last4: string
  readonly available: Nano
  /** Undefined if the card can pay. */
  readonly problem: TaskProblem | undefined
  /** Sum missing on the card; 0 if none. */
  readonly missing: Nano
  /** Bounds of one recharge, where a sum is missing. */
  readonly recharge: { readonly min: Nano; readonly max: Nano } | undefined
}

export interface TaskCost {
  /** Name of the service in the setting `cards.types`. */
  readonly service: string
  /** The merchant's sum plus card fees. */
  readonly total: Nano
}

/** Total cost of a merchant's sum on a card: purchases abroad have a fee. */
export async function computeCostOnCard(deps: Pick<Deps, 'settings'>, country: string, amount: Nano): Promise<{ readonly fee: Nano; readonly total: Nano }> {
  const fee = await computeForeignFee(deps, country, amount)
  return { fee, total: addNano(amount, fee) }
}

/** Active and frozen cards of a user, each with the problem that blocks a task; the one in use first. */
export async function listCardsForTask(deps: Deps, sql: Sql, { userId, cost }: { readonly userId: string; readonly cost: TaskCost }): Promise<TaskCard[]> {
  const cards = (await selectListedCards(sql, userId)).filter(({ state }) => state === 'active' || state === 'frozen')
  if (!cards.length) return []
  const ids = cards.map(({ id }) => id)
  const balances = await readCardBalances(sql, ids)
  const months = await selectCardMonths(sql, ids, toShanghaiMonth(deps.clock.now()))
  const kept = await selectHeldByCard(sql, ids)
  const ceiling = await readSpendingLimit(deps, sql, userId)
  const { standard, pro } = await deps.settings.get(cardTypes)
  return Promise.all(
    cards.map(async (card) => {
      const has = balances.get(card.id)!
      const notFor = (card.type === 'pro' ? pro : standard).notFor
      // Sums kept for other tasks count as spent.
      const left = subtractNano(ceiling, addNano(months.get(card.id)?.spent ?? 0n, kept.get(card.id) ?? 0n))
      const problem = findTaskProblem(deps, card, { has, cost, isWrongType: notFor.includes(cost.service), left })
      return {
        id: card.id,
        type: card.type,
        last4: card.last4,
        available: has.available,
        problem,
        missing: problem === 'short' ? subtractNano(cost.total, has.available) : 0n,
        recharge: problem === 'short' ? await computeRechargeBounds(deps, sql, { card, channelType: BALANCE_CHANNEL_TYPE }) : undefined,
      }
    }),
  )
}

function findTaskProblem(
  deps: Deps,
  card: Card,
  { has, cost: { total }, isWrongType, left }: { readonly has: CardBalance; readonly cost: TaskCost; readonly isWrongType: boolean; readonly left: Nano },
): TaskProblem | undefined {
  if (card.state !== 'active' || (card.validUntil && card.validUntil <= deps.clock.now())) return 'not_active'
  if (card.mustChange) return 'must_change'
  if (isWrongType) return 'card_type'
  if (findIssuer(deps, card.issuer)?.supports.frame !== true) return 'no_frame'
  if (has.owed > 0n) return 'in_debt'
  if (left < total) return 'month'
  return has.available < total ? 'short' : undefined
}
