import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readPostedBalance, userAccount } from '#features/wallet/server/door.ts'
import { bookDepositReturn } from '../money/bookings.ts'
import { payDebtsFromDeposit } from '../money/debts.ts'
import { countLivingCards, lockOpenings } from './data.ts'

/** Returns the deposit with the user's last card, less the debt of the cards. Returns the sum paid back. */
export async function returnDeposit(tx: Tx, userId: string): Promise<Nano> {
  await lockOpenings(tx, userId)
  if ((await countLivingCards(tx, userId)) > 0) return 0n
  const amount = await readPostedBalance(tx, userAccount(userId, 'deposit'))
  if (amount <= 0n) return 0n
  const ref = createId('dep')
  const left = await payDebtsFromDeposit(tx, userId, { ref, deposit: amount })
  if (left > 0n) await bookDepositReturn(tx, userId, { ref, amount: left, to: 'customer' })
  await tx.audit('card.deposit_returned', `user:${userId}`, { returned: formatUsd(left), paidDebts: formatUsd(subtractNano(amount, left)) })
  return left
}
