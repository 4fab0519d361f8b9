import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { changeCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { closingRules } from '../settings.ts'
import type { DeclineReason } from '../vendors/port.ts'
import { selectRefusalCounts } from './data-decisions.ts'
import type { Auth } from './data.ts'

/** An approved charge ends the row of refused ones. */
export async function countApproval(tx: Tx, card: Card): Promise<void> {
  if (card.refusals > 0) await changeCard(tx, card, { refusals: 0 })
}

/** Refusals for want of balance are counted in a row, all of them as a rate; either closes the card. */
export async function countRefusal(deps: Deps, tx: Tx, card: Card, auth: Auth, reason: DeclineReason): Promise<void> {
  if (card.state !== 'active') return
  const { inRow, warnAt, rate, from, days } = await deps.settings.get(closingRules)
  const isPoor = reason === 'insufficient_funds' || reason === 'card_in_debt' || reason === 'account_in_debt'
  const refusals = isPoor ? card.refusals + 1 : card.refusals
  const now = isPoor ? await changeCard(tx, card, { refusals }) : card
  const share = await selectRefusalCounts(tx, card.id, days)
  const close = refusals >= inRow ? 'refusals' : share.all >= from && share.refused > rate * share.all ? 'refusal_rate' : undefined
  const news = {
    cardId: card.id,
    userId: card.user_id,
    last4: card.last4,
    merchant: auth.merchant.name,
    amount: formatUsd(auth.asked),
    reason,
    refusals,
    closesAt: inRow,
  }
  if (close) {
    await changeCard(tx, now, { state: 'closing', close_reason: close, issuer_wanted: 'frozen' }, { seconds: 0, reason: close })
    await tx.emit('card.closed_by_rule', { ...news, why: close })
  } else if (isPoor && refusals >= warnAt) await tx.emit('card.declined', news)
}
