import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { minNano, subtractNano, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { cardAccount, readCardBalances, placeHold, resizeHold, voidHold } from '#features/wallet/server/door.ts'
import { CARD_HOLD_SECONDS } from './bookings.ts'

export interface CardHoldState {
  readonly held: Nano
  readonly holdId: string | null
  /** Counts the holds made so far; part of the next one's id. */
  readonly holds: number
}

/** An authorisation or a task, with its hold of a card's account. */
export interface CardHoldOwner extends CardHoldState {
  readonly id: string
  readonly cardId: string
}

/** Resizes a hold of a card's account to `target`, as far as the balance allows; creates it if there is none. The card must be locked. */
export async function resizeCardHold(
  tx: Tx,
  owner: CardHoldOwner,
  { target, free, purpose = 'card.authorization' }: { readonly target: Nano; readonly free?: Nano; readonly purpose?: string },
): Promise<CardHoldState> {
  const { held, holdId, holds } = owner
  if (target === 0n) {
    if (holdId !== null) await voidHold(tx, holdId)
    return { held: 0n, holdId: null, holds }
  }
  if (target === held) return { held, holdId, holds }
  if (target < held) {
    await resizeHold(tx, holdId!, { delta: subtractNano(target, held) })
    return { held: target, holdId, holds }
  }
  const available = free ?? (await readCardBalances(tx, [owner.cardId])).get(owner.cardId)!.available
  const more = minNano(available, subtractNano(target, held))
  if (more <= 0n) return { held, holdId, holds }
  if (holdId !== null) {
    await resizeHold(tx, holdId, { delta: more })
    return { held: addNano(held, more), holdId, holds }
  }
  const id = `${owner.id}.${holds + 1}`
  const made = await placeHold(tx, { id, account: cardAccount(owner.cardId), amount: more, ttlSeconds: CARD_HOLD_SECONDS, purpose })
  if (made.status !== 'pending') fail('INTERNAL')
  return { held: more, holdId: id, holds: holds + 1 }
}
