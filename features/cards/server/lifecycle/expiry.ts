import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { changeCard, selectExpiringCards, lockCard } from '../cards/data.ts'
import { expiringDays } from '../settings.ts'

const BATCH = 200

/** Job: notifies members of cards about to expire, once per card, and closes expired ones; their money goes to the balance. */
export async function processExpiringCards(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const { id } of await selectExpiringCards(deps.db, await deps.settings.get(expiringDays), { now, limit: BATCH })) {
    await transact(deps.db, SYSTEM, async (tx) => {
      const card = await lockCard(tx, id)
      if (card.state !== 'active' && card.state !== 'frozen') return
      const isOver = card.validUntil !== null && card.validUntil <= now
      await tx.audit(isOver ? 'card.expired' : 'card.expiring', `card:${id}`)
      if (isOver)
        return void (await changeCard(tx, card, {
          change: { state: 'closing', closeReason: 'expired', issuerWanted: 'frozen', checks: 0 },
          options: { seconds: 0, reason: 'expired' },
        }))
      if (card.warned['expiring']) return
      await changeCard(tx, card, { change: { warned: { ...card.warned, expiring: now.toISOString() } } })
      await tx.emit('card.expiring', { cardId: id, userId: card.userId })
    })
  }
}
