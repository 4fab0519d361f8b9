import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { IssuerAddress, Issuer } from '../vendors/port.ts'
import { changeCard, selectCardByRef, lockCard, nudgeCard } from '../cards/data.ts'

/** Handles an issuer's notice that a card changed: the awaited result of an opening, or a freeze or closure by the issuer. */
export async function syncCard(deps: Deps, issuer: Issuer, cardRef: string): Promise<'done' | 'unknown_card'> {
  const card = await selectCardByRef(deps.db, issuer.name, cardRef)
  if (!card) return 'unknown_card'
  if (card.state === 'requested' || card.state === 'opening') {
    await nudgeCard(deps.db, card.id, 0)
    return 'done'
  }
  const { state, billing } = await issuer.card(cardRef)
  if (billing) await storeAddress(deps, card.id, billing)
  if (state === 'opening' || state === 'failed') return 'done'
  await transact(deps.db, SYSTEM, async (tx) => {
    const now = await lockCard(tx, card.id)
    if (now.issuerState === state || now.issuerWanted === state) return
    await tx.audit('card.changed_by_issuer', `card:${card.id}`, { from: now.issuerState, to: state })
    if (state === 'active') {
      if (now.state === 'frozen' && now.frozenBy === 'issuer')
        await changeCard(tx, now, { change: { state: 'active', frozenBy: null, issuerState: state, issuerWanted: 'active' }, options: { reason: 'issuer' } })
      else await changeCard(tx, now, { change: { issuerState: state }, options: { seconds: 0 } })
      return
    }
    countEvent('cards.issuer_stopped')
    const mustChange = state === 'closed' ? { must_change: true } : {}
    if (now.state === 'active')
      await changeCard(tx, now, {
        change: { state: 'frozen', frozenBy: 'issuer', issuerState: state, issuerWanted: state, ...mustChange },
        options: { reason: 'issuer' },
      })
    else await changeCard(tx, now, { change: { issuerState: state, ...mustChange, ...(state === 'closed' ? { issuerWanted: state } : {}) } })
  })
  return 'done'
}

async function storeAddress(deps: Deps, id: string, billing: IssuerAddress): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const card = await lockCard(tx, id)
    if (card.addressKnown && isSameAddress(card.address, billing)) return
    await changeCard(tx, card, { change: { address: billing, addressKnown: true } })
    await tx.audit('card.address_read', `card:${id}`)
  })
}

const PARTS = ['line1', 'line2', 'city', 'state', 'postalCode', 'country'] as const
const isSameAddress = (a: IssuerAddress, b: IssuerAddress): boolean => PARTS.every((part) => (a[part] ?? '') === (b[part] ?? ''))
