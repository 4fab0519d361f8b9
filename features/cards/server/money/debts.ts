import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { subtractNano, minNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readCardBalances, roundDebtUp } from '#features/wallet/server/door.ts'
import { insertBill } from '../bills/data.ts'
import { selectAllCards } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { bookDebtFromDeposit, readNetCardBalance } from './bookings.ts'

/** A member's cards with debt, closed ones included. */
export async function listCardsInDebt(sql: Sql, userId: string): Promise<{ readonly card: Card; readonly owed: Nano }[]> {
  const all = await selectAllCards(sql, userId)
  const balances = await readCardBalances(
    sql,
    all.map(({ id }) => id),
  )
  return all.map((card) => ({ card, owed: balances.get(card.id)!.owed })).filter(({ owed }) => owed > 0n)
}

/** Refuses users with card debt a further card, a new number or money off another card, so that no debt is left behind. */
export async function requireNoCardDebt(sql: Sql, userId: string): Promise<void> {
  const [first] = await listCardsInDebt(sql, userId)
  if (first) fail('CARD_IN_DEBT', { last4: first.card.last4, owed: formatUsd(roundDebtUp(first.owed)) })
}

/** Pays the debt of a member's cards from the deposit, as far as it reaches. Returns the rest of the deposit. */
export async function payDebtsFromDeposit(tx: Tx, userId: string, { ref, deposit }: { readonly ref: string; readonly deposit: Nano }): Promise<Nano> {
  let left = deposit
  for (const { card, owed } of await listCardsInDebt(tx, userId)) {
    const paid = minNano(owed, left)
    if (paid === 0n) return 0n
    const id = `${ref}:${card.id}`
    await bookDebtFromDeposit(tx, userId, { cardId: card.id, ref: id, amount: paid })
    const bill = { id: `set_${id}`, cardId: card.id, userId, at: card.now, kind: 'settled_debt' as const, state: 'success' as const }
    await insertBill(tx, { ...bill, amount: paid, after: await readNetCardBalance(tx, card.id) })
    left = subtractNano(left, paid)
  }
  return left
}
