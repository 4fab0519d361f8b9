import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { allowCorrection } from '#features/identity/server/door.ts'
import { ORDER_TYPE } from '#features/payments/server/door.ts'
import type { SoldOrder } from '#features/payments/server/door.ts'
import { readPostedBalance, userAccount } from '#features/wallet/server/door.ts'
import { changeCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { bookDepositReturn } from '../money/bookings.ts'
import { revokeMembershipYears } from '../members/data.ts'
import { countLivingCards, lockOpenings } from './data.ts'
import { computeDepositPart } from './terms.ts'

/**
 * Ends a card whose order was fully refunded; idempotent. The card and its order must be locked. An opening request in progress at
 * the issuer ends with its answer (open-card.ts): until then it is unknown whether there is a card to close.
 */
export async function endCard(tx: Tx, card: Card): Promise<void> {
  const end = { close_reason: 'account' as const, issuer_wanted: 'frozen' as const }
  if (card.state === 'requested' || card.state === 'failed')
    await changeCard(tx, card, { change: { state: 'closed', closedAt: card.now, ...end }, options: { seconds: null, reason: 'refunded' } })
  else if (card.state === 'active' || card.state === 'frozen')
    await changeCard(tx, card, { change: { state: 'closing', ...end }, options: { seconds: 0, reason: 'refunded' } })
}

/** Takes back what an order of type 1 or 2 added beside its card, once: years, deposit, and the mark that the holder's data is final. */
export async function takeBackOpening(deps: Pick<Deps, 'settings' | 'clock'>, tx: Tx, order: SoldOrder): Promise<void> {
  const { orderNo, userId, orderType } = order
  const isFirst = orderType === ORDER_TYPE.OPEN_ACCOUNT
  if (isFirst) await revokeMembershipYears(tx, orderNo, deps.clock.now())
  if (isFirst && (await countLivingCards(tx, userId)) === 0) await allowCorrection(tx, userId, deps.clock.now())
  if (!isFirst && (await computeDepositPart(deps, order)) === 0n) return
  await lockOpenings(tx, userId)
  const deposit = await readPostedBalance(tx, userAccount(userId, 'deposit'))
  if (deposit > 0n) await bookDepositReturn(tx, userId, { ref: `undo:${orderNo}`, amount: deposit, to: 'revenue' })
}
