import type { Tx } from '#platform/server/database/transact.ts'
import { changeCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'

/**
 * Ends a card whose order was given back in full; the card is locked, its order too. Nothing is done again. What the issuer is being asked
 * for right now ends with its answer (open-card.ts): until then nobody knows whether there is something to close.
 */
export async function endCard(tx: Tx, card: Card): Promise<void> {
  const end = { close_reason: 'account' as const, issuer_wanted: 'frozen' as const }
  if (card.state === 'requested' || card.state === 'failed')
    await changeCard(tx, card, { state: 'closed', closed_at: card.now, ...end }, { seconds: null, reason: 'refunded' })
  else if (card.state === 'active' || card.state === 'frozen') await changeCard(tx, card, { state: 'closing', ...end }, { seconds: 0, reason: 'refunded' })
}
