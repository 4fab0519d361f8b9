import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { atLeast, minus } from '#platform/shared/money.ts'
import { changeBill, insertBill } from '../bills/data.ts'
import type { Card } from '../cards/data.ts'
import type { Auth } from './data.ts'
import { feeAbroad } from './figures.ts'

/**
 * The row that tells of an authorisation: what it holds while it holds something. Once it is captured, the captures have rows of
 * their own and this one leaves the list; let go without one, it stays as `reversed`.
 */
export async function showHeld(deps: Deps, tx: Tx, card: Pick<Card, 'id' | 'user_id'>, auth: Auth): Promise<void> {
  const fee = auth.held > 0n ? await feeAbroad(deps, auth.merchant.country, auth.issuer_held) : 0n
  const held = auth.held > 0n ? atLeast(minus(auth.held, fee), 0n) : 0n
  await insertBill(tx, {
    id: auth.id,
    cardId: card.id,
    userId: card.user_id,
    at: auth.created_at,
    kind: auth.asked > 0n ? 'purchase' : 'verification',
    state: 'processing',
    amount: minus(0n, auth.asked),
    merchant: auth.merchant,
    ...(auth.local ? { local: auth.local } : {}),
    authorizationId: auth.id,
  })
  const kind = auth.asked > 0n ? 'purchase' : 'verification'
  if (auth.state === 'declined') return changeBill(tx, auth.id, { state: 'fail', kind, amount: minus(0n, auth.asked), fee: 0n, reason: auth.reason })
  if (auth.asked === 0n && auth.issuer_held === 0n && auth.captured === 0n)
    return changeBill(tx, auth.id, { state: 'success', kind, amount: 0n, fee: 0n, reason: '' })
  if (auth.held > 0n) return changeBill(tx, auth.id, { state: 'processing', kind, amount: minus(0n, held), fee: minus(held, auth.held), reason: '' })
  if (auth.captured > 0n) return changeBill(tx, auth.id, { state: 'merged', kind, amount: 0n, fee: 0n, reason: '' })
  const state = auth.state === 'approved' ? 'processing' : 'reversed'
  return changeBill(tx, auth.id, {
    state,
    kind,
    amount: state === 'reversed' ? minus(0n, auth.asked) : 0n,
    fee: 0n,
    reason: state === 'reversed' ? auth.state : '',
  })
}
