import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { subtractNano, parseUsd, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectInactiveUsers } from '#features/account/server/door.ts'
import { readDebt } from '#features/wallet/server/door.ts'
import type { CardBalance } from '#features/wallet/server/door.ts'
import type { Card } from '../cards/data.ts'
import { blockedMerchants, cardTypes, spendingLimits } from '../settings.ts'
import type { DeclineReason, CardMerchant } from '../vendors/port.ts'

/** Finds the reason for which a card may not pay here, whatever the amount; undefined if it may. */
export async function findDeclineReason(
  deps: Deps,
  sql: Sql,
  { card, merchant, has }: { readonly card: Card; readonly merchant: CardMerchant; readonly has: CardBalance },
): Promise<DeclineReason | undefined> {
  if (card.state === 'closed' || card.state === 'closing') return 'card_closed'
  if (card.state === 'frozen') return 'card_frozen'
  if (card.state !== 'active') return 'card_not_ready'
  if (card.validUntil && card.validUntil <= deps.clock.now()) return 'card_closed'
  if ((await selectInactiveUsers(sql, [card.userId])).size) return 'account_frozen'
  if (await isWrongType(deps, card, merchant)) return 'card_type'
  if ((await deps.settings.get(blockedMerchants)).includes(merchant.mcc)) return 'merchant_blocked'
  if (hasReachedLossLimit(card, has, parseUsd((await deps.settings.get(spendingLimits)).house))) return 'house_limit'
  if (has.owed > 0n) return 'card_in_debt'
  // Owed by the account (a disputed payment, whose money may be on this card) or on another card.
  return (await readDebt(sql, card.userId)) > 0n ? 'account_in_debt' : undefined
}

/** True once our possible loss on a card, its debt plus approvals without cover, reaches the limit. */
export const hasReachedLossLimit = (card: Pick<Card, 'uncovered'>, has: CardBalance, limit: Nano): boolean =>
  addNano(has.owed, card.uncovered) >= limit && limit > 0n

async function isWrongType(deps: Deps, card: Card, merchant: CardMerchant): Promise<boolean> {
  const types = await deps.settings.get(cardTypes)
  const name = merchant.name.toUpperCase()
  return types[card.type].notFor.some((service) => types.merchants[service]?.some((begins) => name.startsWith(begins.toUpperCase())))
}

/** Sum missing for an amount; positive. */
export const computeShortfall = (free: Nano, amount: Nano): Nano => subtractNano(amount, free)
