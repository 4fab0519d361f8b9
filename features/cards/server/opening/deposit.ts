import type { Tx } from '#platform/server/database/transact.ts'
import { newId } from '#platform/shared/ids.ts'
import { minus, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { postedOn, userAccount } from '#features/wallet/server/door.ts'
import { bookDepositBack } from '../money/bookings.ts'
import { payDebtsFromDeposit } from '../money/debts.ts'
import { livingCards, lockOpenings } from './data.ts'

/** With the last card its user gets the deposit back, less what the cards owe. Returns what went back. */
export async function returnDeposit(tx: Tx, userId: string): Promise<Nano> {
  await lockOpenings(tx, userId)
  if ((await livingCards(tx, userId)) > 0) return 0n
  const amount = await postedOn(tx, userAccount(userId, 'deposit'))
  if (amount <= 0n) return 0n
  const ref = newId('dep')
  const left = await payDebtsFromDeposit(tx, userId, ref, amount)
  if (left > 0n) await bookDepositBack(tx, userId, ref, left, 'customer')
  await tx.audit('card.deposit_returned', `user:${userId}`, { returned: usd(left), paidDebts: usd(minus(amount, left)) })
  return left
}
