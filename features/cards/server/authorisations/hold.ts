import type { Tx } from '#platform/server/database/transact.ts'
import { subtractNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { addCardTotals } from '../cards/data.ts'
import { resizeCardHold } from '../money/hold.ts'
import type { CardHoldState } from '../money/hold.ts'
import type { Auth } from './data.ts'

interface AuthHold extends CardHoldState {
  /** Part of the target above what the card has. */
  readonly uncovered: Nano
}

/**
 * Resizes the hold of an authorisation to `target`, as far as the card's balance allows. The card must be locked; `free` is its available
 * balance, if already read.
 */
export async function resizeAuthHold(
  tx: Tx,
  auth: Pick<Auth, 'id' | 'cardId' | 'held' | 'holdId' | 'holds' | 'uncovered'>,
  { target, free }: { readonly target: Nano; readonly free?: Nano },
): Promise<AuthHold> {
  const now = await resizeCardHold(tx, auth, free === undefined ? { target } : { target, free })
  const uncovered = subtractNano(target, now.held)
  if (uncovered !== auth.uncovered) await addCardTotals(tx, auth.cardId, { spent: 0n, recharged: 0n, uncovered: subtractNano(uncovered, auth.uncovered) })
  return { ...now, uncovered }
}
