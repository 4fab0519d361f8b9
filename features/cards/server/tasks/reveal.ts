import type { Ctx } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { fail } from '#platform/shared/errors.ts'
import type { CardRow } from '../../contract.ts'
import { selectCardById } from '../cards/data.ts'
import { findIssuer } from '../vendors/index.ts'
import { selectTaskHold } from './data.ts'

export interface TaskReveal {
  /** Task of the kept sum. */
  readonly taskId: string
  /** Origin of the operators' pages, the only ones that may embed the frame. */
  readonly origin: string
  readonly theme: 'light' | 'dark'
  /** Display time of the frame in seconds, 900 at most. */
  readonly seconds: number
}

export interface RevealedTask {
  readonly url: string
  readonly expiresAt: Date
  /** Billing address at the issuer, which checkouts require beside the number. */
  readonly billingAddress: CardRow['billingAddress']
}

/**
 * Returns the issuer's frame with a task's card, for the one operator who performs it; the number never passes this server. The task
 * decides who may see it, and how often. Errors: CARD_ISSUER_AWAY (nothing was shown), CARD_NOT_READY.
 */
export async function revealForTask(ctx: Ctx, { taskId, origin, theme, seconds }: TaskReveal): Promise<RevealedTask> {
  const kept = await selectTaskHold(ctx.db, taskId)
  const card = kept && !kept.closedAt ? await selectCardById(ctx.db, kept.cardId) : undefined
  if (!card || card.state !== 'active' || card.cardRef === null) return fail('CARD_NOT_READY')
  const issuer = findIssuer(ctx, card.issuer)
  try {
    const frame = await issuer?.reveal({ cardRef: card.cardRef, origin, lang: ctx.lang, theme, seconds })
    if (frame?.form === 'frame')
      return { url: frame.url, expiresAt: frame.expiresAt, billingAddress: card.addressKnown ? { ...card.address, line2: card.address.line2 ?? '' } : null }
  } catch (error) {
    countEvent('cards.reveal_failed')
    ctx.log.warn({ cardId: card.id, why: (error as Error).name }, 'an issuer gave no frame')
  }
  return fail('CARD_ISSUER_AWAY')
}
