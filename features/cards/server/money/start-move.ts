import { crashPoint } from '#platform/server/crash.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import type { Nano } from '#platform/shared/money.ts'
import { requireNoDebt } from '#features/wallet/server/door.ts'
import { insertBill } from '../bills/data.ts'
import type { Card } from '../cards/data.ts'
import { bookRechargeSent, holdUnload } from './bookings.ts'
import { insertMove } from './data.ts'
import type { Move } from './data.ts'
import { buildIncomingBill, buildOutgoingBill } from './work-moves.ts'

interface Recharge {
  readonly amount: Nano
  readonly fee: Nano
  readonly channelType: number
  readonly orderNo?: string
}

/** Starts a transfer from the balance to a locked card, once the member's debts are paid. Errors: INSUFFICIENT_FUNDS, DEBT_FIRST. */
export async function startRecharge(tx: Tx, card: Card, { amount, fee, channelType, orderNo }: Recharge): Promise<Move> {
  await requireNoDebt(tx, card.userId)
  const move = await insertMove(tx, {
    id: createId('mov'),
    userId: card.userId,
    kind: 'recharge',
    to: card.id,
    state: 'loading',
    amount,
    fee,
    channelType,
    ...(orderNo === undefined ? {} : { orderNo }),
  })
  await bookRechargeSent(tx, move)
  await insertBill(tx, buildIncomingBill(move, 'processing'))
  crashPoint('cards.recharge-before-commit')
  return move
}

/**
 * Starts a transfer off a locked card, to the balance or to its replacement. Returns undefined, without a change, if the card has too
 * little.
 */
export async function startUnload(
  tx: Tx,
  card: Card,
  { kind, amount, to }: { readonly kind: 'withdrawal' | 'returned' | 'moved'; readonly amount: Nano; readonly to?: string },
): Promise<Move | undefined> {
  const id = createId('mov')
  if (!(await holdUnload(tx, id, { cardId: card.id, amount }))) return undefined
  const wish = { id, userId: card.userId, kind, from: card.id, state: 'unloading' as const, amount }
  const move = await insertMove(tx, to === undefined ? wish : { ...wish, to })
  await insertBill(tx, buildOutgoingBill(move))
  crashPoint('cards.off-before-commit')
  return move
}
