import type { Tx } from '#platform/server/database/transact.ts'
import { minus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { addTotals } from '../cards/data.ts'
import { bringHold } from '../money/hold.ts'
import type { HeldNow } from '../money/hold.ts'
import type { Auth } from './data.ts'

interface AuthHeld extends HeldNow {
  /** Part of the target above what the card has. */
  readonly uncovered: Nano
}

/** Brings what is held for an authorisation to `target`, as far as the card has it. The card is locked; `free` is what it can spend, where that was read. */
export async function holdAt(
  tx: Tx,
  auth: Pick<Auth, 'id' | 'card_id' | 'held' | 'hold_id' | 'holds' | 'uncovered'>,
  target: Nano,
  free?: Nano,
): Promise<AuthHeld> {
  const now = await bringHold(tx, auth, target, free === undefined ? {} : { free })
  const uncovered = minus(target, now.held)
  if (uncovered !== auth.uncovered) await addTotals(tx, auth.card_id, 0n, 0n, minus(uncovered, auth.uncovered))
  return { ...now, uncovered }
}
