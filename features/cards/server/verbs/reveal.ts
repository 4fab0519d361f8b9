import type { Handler } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { requirePayPassword } from '#features/account/server/door.ts'
import { isPartClosed } from '#features/payments/server/door.ts'
import type { cardsContract } from '../../contract.ts'
import { findIssuer } from '../vendors/index.ts'
import type { RevealFrame } from '../vendors/port.ts'
import { requireOwnCard } from '../cards/data.ts'

type C = typeof cardsContract

/**
 * Returns the issuer's frame for one browser, once, for a minute. Neither number nor code passes this server, and the response is not
 * stored, so the call has no idempotency key.
 */
export const cardPrivacyInfo: Handler<C['cardPrivacyInfo']> = async (ctx, { id, payPassword, theme, nonce }) => {
  if (await isPartClosed(ctx, 'revealCard')) fail('CARD_MAINTENANCE')
  await requirePayPassword(ctx, ctx.userId, payPassword)
  const card = await requireOwnCard(ctx, id)
  if (card.state === 'closed' || card.state === 'closing') fail('CARD_CLOSED')
  if (card.cardRef === null || (card.state !== 'active' && card.state !== 'frozen')) fail('CARD_NOT_READY')
  if (card.state === 'frozen' && card.frozenBy !== 'user') fail('CARD_FROZEN_BY_RISK')
  const issuer = findIssuer(ctx, card.issuer) ?? fail('CARD_ISSUER_AWAY')
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('card.revealed', `card:${id}`))
  let frame: RevealFrame
  try {
    frame = await issuer.reveal({ cardRef: card.cardRef, origin: ctx.siteUrl(), lang: ctx.lang, theme, ...(nonce === undefined ? {} : { nonce }) })
  } catch (error) {
    countEvent('cards.reveal_failed')
    ctx.log.warn({ cardId: id, why: (error as Error).name }, 'an issuer gave no frame')
    return fail('CARD_ISSUER_AWAY')
  }
  const { expiresAt, ...rest } = frame
  return { ...rest, expiresTime: expiresAt.toISOString() }
}
