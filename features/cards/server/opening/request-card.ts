import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import type { CardType } from '../../words.ts'
import { cardYears } from '../settings.ts'
import { insertCard } from '../cards/data.ts'
import type { Card, CardChangeReason } from '../cards/data.ts'
import { chooseIssuer } from './choose-issuer.ts'

const newCardId = () => `card_${createRandomCode(16).toLowerCase()}`

/** Creates a card that a job requests from the issuer; undefined if no issuer accepts its holder. */
export async function requestCard(deps: Deps, tx: Tx, wish: { userId: string; type: CardType; orderNo: string | null }): Promise<Card | undefined> {
  const { issuer } = await chooseIssuer(deps, tx, wish.userId)
  if (!issuer) return undefined
  const years = await deps.settings.get(cardYears)
  return insertCard(tx, {
    ...wish,
    id: newCardId(),
    issuer: issuer.name,
    months: years[wish.type] * 12,
  })
}

/**
 * Requests a replacement with all settings of the old card, which works until the new one does. Only a renewal starts a new period of
 * validity; any other keeps the remaining one.
 */
export async function requestReplacement(
  deps: Deps,
  tx: Tx,
  { old, why, orderNo }: { readonly old: Card; readonly why: CardChangeReason; readonly orderNo: string | null },
): Promise<Card> {
  const years = await deps.settings.get(cardYears)
  const { issuer } = await chooseIssuer(deps, tx, old.userId)
  return insertCard(tx, {
    id: newCardId(),
    userId: old.userId,
    type: old.type,
    issuer: issuer?.name ?? old.issuer,
    months: why === 'expired' ? years[old.type] * 12 : monthsLeft(old, deps.clock.now()),
    orderNo,
    replaces: old.id,
    why,
    activated: old.activated,
  })
}

/**
 * Calendar months until the month of the last day. Issuers make no card for less than one; the exact day is kept when the new card arrives.
 */
function monthsLeft({ validUntil: until }: Card, now: Date): number {
  if (!until) return 1
  const last = new Date(until.getTime() - 1)
  return Math.max(1, (last.getUTCFullYear() - now.getUTCFullYear()) * 12 + last.getUTCMonth() - now.getUTCMonth())
}
