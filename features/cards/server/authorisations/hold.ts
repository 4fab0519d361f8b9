import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { least, minus, plus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { cardAccount, cardBalancesOf, hold, resizeHold, voidHold } from '#features/wallet/server/door.ts'
import { HOLD_SECONDS } from '../money/bookings.ts'
import { addTotals } from '../cards/data.ts'
import type { Auth } from './data.ts'

export interface HeldNow {
  readonly held: Nano
  readonly hold_id: string | null
  readonly holds: number
  /** What there was too little for. */
  readonly uncovered: Nano
}

/** Brings what is held for an authorisation to `target`, as far as the card has it. The card is locked; `free` is what it can spend, where that was read. */
export async function holdAt(
  tx: Tx,
  auth: Pick<Auth, 'id' | 'card_id' | 'held' | 'hold_id' | 'holds' | 'uncovered'>,
  target: Nano,
  free?: Nano,
): Promise<HeldNow> {
  const now = await bringHold(tx, auth, target, free === undefined ? {} : { free })
  const uncovered = minus(target, now.held)
  if (uncovered !== auth.uncovered) await addTotals(tx, auth.card_id, 0n, 0n, minus(uncovered, auth.uncovered))
  return { ...now, uncovered }
}

/** Brings a hold of a card's account to `target`, as far as the card has it: a new one of the ledger's where there is none. The card is locked. */
export async function bringHold(
  tx: Tx,
  auth: Pick<Auth, 'id' | 'card_id' | 'held' | 'hold_id' | 'holds'>,
  target: Nano,
  { free, purpose = 'card.authorization' }: { readonly free?: Nano; readonly purpose?: string } = {},
): Promise<Omit<HeldNow, 'uncovered'>> {
  const { held, hold_id, holds } = auth
  if (target === 0n) {
    if (hold_id !== null) await voidHold(tx, hold_id)
    return { held: 0n, hold_id: null, holds }
  }
  if (target === held) return { held, hold_id, holds }
  if (target < held) {
    await resizeHold(tx, hold_id!, minus(target, held))
    return { held: target, hold_id, holds }
  }
  const available = free ?? (await cardBalancesOf(tx, [auth.card_id])).get(auth.card_id)!.available
  const more = least(available, minus(target, held))
  if (more <= 0n) return { held, hold_id, holds }
  if (hold_id !== null) {
    await resizeHold(tx, hold_id, more)
    return { held: plus(held, more), hold_id, holds }
  }
  const id = `${auth.id}.${holds + 1}`
  const made = await hold(tx, { id, account: cardAccount(auth.card_id), amount: more, ttlSeconds: HOLD_SECONDS, purpose })
  if (made.status !== 'pending') fail('INTERNAL')
  return { held: more, hold_id: id, holds: holds + 1 }
}
