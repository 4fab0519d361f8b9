import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { minNano, subtractNano, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { cardAccount, readCardBalances, placeHold, resizeHold, voidHold } from '#features/wallet/server/door.ts'
import { CARD_HOLD_SECONDS } from './bookings.ts'

export interface CardHoldState {
  readonly held: Nano
  readonly hold_id: string | null
  /** Counts the holds made so far; part of the next one's id. */
  readonly holds: number
}

/** An authorisation or a task, with its hold of a card's account. */
export interface CardHoldOwner extends CardHoldState {
  readonly id: string
  readonly card_id: string
}

/** Resizes a hold of a card's account to `target`, as far as the balance allows; creates it if there is none. The card must be locked. */
export async function resizeCardHold(
  tx: Tx,
  owner: CardHoldOwner,
  target: Nano,
  { free, purpose = 'card.authorization' }: { readonly free?: Nano; readonly purpose?: string } = {},
): Promise<CardHoldState> {
  const { held, hold_id, holds } = owner
  if (target === 0n) {
    if (hold_id !== null) await voidHold(tx, hold_id)
    return { held: 0n, hold_id: null, holds }
  }
  if (target === held) return { held, hold_id, holds }
  if (target < held) {
    await resizeHold(tx, hold_id!, subtractNano(target, held))
    return { held: target, hold_id, holds }
  }
  const available = free ?? (await readCardBalances(tx, [owner.card_id])).get(owner.card_id)!.available
  const more = minNano(available, subtractNano(target, held))
  if (more <= 0n) return { held, hold_id, holds }
  if (hold_id !== null) {
    await resizeHold(tx, hold_id, more)
    return { held: addNano(held, more), hold_id, holds }
  }
  const id = `${owner.id}.${holds + 1}`
  const made = await placeHold(tx, { id, account: cardAccount(owner.card_id), amount: more, ttlSeconds: CARD_HOLD_SECONDS, purpose })
  if (made.status !== 'pending') fail('INTERNAL')
  return { held: more, hold_id: id, holds: holds + 1 }
}
