import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { subtractNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readCardBalances } from '#features/wallet/server/door.ts'
import { insertBill } from '../bills/data.ts'
import { addCardTotals, selectCardById, lockCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { bookSweep, readNetCardBalance } from './bookings.ts'

/**
 * Moves money that reached a closed card to its replacement, else to the balance. The card is closed at the issuer, so no issuer
 * call is needed. The card must be locked. Returns the sum moved.
 */
export async function sweepClosed(tx: Tx, card: Card): Promise<Nano> {
  const { available } = (await readCardBalances(tx, [card.id])).get(card.id)!
  if (available <= 0n) return 0n
  const heir = await findCardSuccessor(tx, card)
  const id = createId('swp')
  await bookSweep(tx, id, { cardId: card.id, to: heir ? { cardId: heir.id } : { userId: card.userId }, amount: available })
  const bill = { userId: card.userId, at: card.now, state: 'success' as const }
  await insertBill(tx, {
    ...bill,
    id: `${id}o`,
    cardId: card.id,
    kind: heir ? 'moved_out' : 'returned',
    amount: subtractNano(0n, available),
    after: await readNetCardBalance(tx, card.id),
  })
  if (heir) {
    await addCardTotals(tx, heir.id, { spent: 0n, recharged: 0n, uncovered: 0n })
    await insertBill(tx, { ...bill, id: `${id}i`, cardId: heir.id, kind: 'moved_in', amount: available, after: await readNetCardBalance(tx, heir.id) })
  }
  return available
}

/** Finds the last replacement of a card, if it can hold money. Replaced cards are older, so locks are taken in one order. */
async function findCardSuccessor(tx: Tx, card: Card): Promise<Card | undefined> {
  let next = card
  while (next.replacedBy !== null) next = (await selectCardById(tx, next.replacedBy))!
  if (next.id === card.id) return undefined
  const heir = await lockCard(tx, next.id)
  return heir.state === 'active' || heir.state === 'frozen' ? heir : undefined
}
