import type { Tx } from '#platform/server/database/transact.ts'
import { newId } from '#platform/shared/ids.ts'
import { minus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { cardBalancesOf } from '#features/wallet/server/door.ts'
import { insertBill } from '../bills/data.ts'
import { addTotals, cardById, lockCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { bookSwept, standOf } from './bookings.ts'

/**
 * Moves money that reached a closed card to its replacement, else to the balance. The card is closed at the issuer, so no issuer
 * call is needed. The card must be locked. Returns the sum moved.
 */
export async function sweepClosed(tx: Tx, card: Card): Promise<Nano> {
  const { available } = (await cardBalancesOf(tx, [card.id])).get(card.id)!
  if (available <= 0n) return 0n
  const heir = await heirOf(tx, card)
  const id = newId('swp')
  await bookSwept(tx, id, card.id, heir ? { cardId: heir.id } : { userId: card.user_id }, available)
  const bill = { userId: card.user_id, at: card.now, state: 'success' as const }
  await insertBill(tx, {
    ...bill,
    id: `${id}o`,
    cardId: card.id,
    kind: heir ? 'moved_out' : 'returned',
    amount: minus(0n, available),
    after: await standOf(tx, card.id),
  })
  if (heir) {
    await addTotals(tx, heir.id, 0n, 0n, 0n)
    await insertBill(tx, { ...bill, id: `${id}i`, cardId: heir.id, kind: 'moved_in', amount: available, after: await standOf(tx, heir.id) })
  }
  return available
}

/** The last of the cards that came after it, if money can be on it. Replaced ones are older, so that locks are taken in one order. */
async function heirOf(tx: Tx, card: Card): Promise<Card | undefined> {
  let next = card
  while (next.replaced_by !== null) next = (await cardById(tx, next.replaced_by))!
  if (next.id === card.id) return undefined
  const heir = await lockCard(tx, next.id)
  return heir.state === 'active' || heir.state === 'frozen' ? heir : undefined
}
