import { crashPoint } from '#platform/server/crash.ts'
import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { cardsContract } from '../../contract.ts'
import { selectMember } from '../members/data.ts'
import { changeCard, lockOwnCard } from '../cards/data.ts'
import { buildCardRow } from '../views/card-view.ts'

type C = typeof cardsContract

/** Freezes a card. Nothing is approved from the commit on; a job informs the issuer. Idempotent. */
export const frozen: Handler<C['frozen']> = async (ctx, { id }) => {
  const tx = ctx.tx
  const card = await lockOwnCard(tx, id, ctx.userId)
  if (card.state === 'closed' || card.state === 'closing') fail('CARD_CLOSED')
  if (card.state === 'frozen') return buildCardRow(ctx, tx, card)
  if (card.state !== 'active') fail('CARD_NOT_READY')
  const now = await changeCard(tx, card, {
    change: { state: 'frozen', frozenBy: 'user', issuerWanted: 'frozen', checks: 0 },
    options: { seconds: 0, reason: 'user' },
  })
  await tx.audit('card.frozen', `card:${id}`)
  crashPoint('cards.freeze-before-commit')
  return buildCardRow(ctx, tx, now)
}

/** Unfreezes a card that its user froze. A risk freeze requires an order; a freeze by the issuer is lifted by the issuer only. */
export const unFrozen: Handler<C['unFrozen']> = async (ctx, { id }) => {
  const tx = ctx.tx
  const card = await lockOwnCard(tx, id, ctx.userId)
  if (card.state === 'closed' || card.state === 'closing') fail('CARD_CLOSED')
  if (card.state === 'active') return buildCardRow(ctx, tx, card)
  if (card.state !== 'frozen') fail('NO_CARD')
  if (card.frozenBy !== 'user') fail('CARD_FROZEN_BY_RISK', { by: card.frozenBy ?? '' })
  if (card.validUntil && card.validUntil <= ctx.clock.now()) fail('CARD_EXPIRED')
  const member = await selectMember(tx, ctx.userId)
  if (!member || member.until <= ctx.clock.now()) fail('MEMBER_EXPIRED')
  const now = await changeCard(tx, card, {
    change: { state: 'active', frozenBy: null, issuerWanted: 'active', checks: 0 },
    options: { seconds: 0, reason: 'user' },
  })
  await tx.audit('card.thawed', `card:${id}`)
  return buildCardRow(ctx, tx, now)
}
