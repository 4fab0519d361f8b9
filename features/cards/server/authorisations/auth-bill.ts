import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { maxNano, subtractNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { upsertBill } from '../bills/data.ts'
import type { Bill } from '../bills/data.ts'
import type { Card } from '../cards/data.ts'
import { computeForeignFee } from '../figures.ts'
import type { Auth } from './data.ts'

/**
 * Writes the bill row of an authorisation, with the sum that it holds. Once captured, the captures have their own rows and this one leaves
 * the list; released without a capture, it stays as `reversed`.
 */
export async function upsertAuthBill(deps: Deps, tx: Tx, { card, auth }: { readonly card: Pick<Card, 'id' | 'userId'>; readonly auth: Auth }): Promise<void> {
  const fee = auth.held > 0n ? await computeForeignFee(deps, auth.merchant.country, auth.issuerHeld) : 0n
  await upsertBill(tx, {
    id: auth.id,
    cardId: card.id,
    userId: card.userId,
    at: auth.createdAt,
    kind: auth.asked > 0n ? 'purchase' : 'verification',
    merchant: auth.merchant,
    ...(auth.local ? { local: auth.local } : {}),
    authorizationId: auth.id,
    ...toAuthBill(auth, fee),
  })
}

interface AuthBill {
  readonly state: Bill['state']
  readonly amount: Nano
  readonly fee?: Nano
  readonly reason?: string
}

function toAuthBill(auth: Auth, fee: Nano): AuthBill {
  if (auth.state === 'declined') return { state: 'fail', amount: subtractNano(0n, auth.asked), reason: auth.reason }
  if (auth.asked === 0n && auth.issuerHeld === 0n && auth.captured === 0n) return { state: 'success', amount: 0n }
  if (auth.held > 0n) {
    const held = maxNano(subtractNano(auth.held, fee), 0n)
    return { state: 'processing', amount: subtractNano(0n, held), fee: subtractNano(held, auth.held) }
  }
  if (auth.captured > 0n) return { state: 'merged', amount: 0n }
  if (auth.state === 'approved') return { state: 'processing', amount: 0n }
  return { state: 'reversed', amount: subtractNano(0n, auth.asked), reason: auth.state }
}
