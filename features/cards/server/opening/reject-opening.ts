import { countEvent } from '#platform/server/metrics.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { abandonOrder, ORDER_TYPE } from '#features/payments/server/door.ts'
import type { OpenReason } from '../../words.ts'
import { changeCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { deleteOpeningWait, resetIssuerHolder, upsertIssuerRefusal } from './data.ts'
import { endCard, takeBackOpening } from './take-back.ts'

export interface Rejection {
  readonly reason: OpenReason
  /** The issuer's own words, for operators. */
  readonly detail: string
  /** True if the issuer refused the holder; the same data is not sent again. */
  readonly byIssuer: boolean
}

/**
 * Rejects an opening: ends the order, refunds it with fee and deposit, takes back its years and mails the reason. The order and the
 * card must be locked. `isBack`: the money was refunded before.
 */
export async function rejectOpening(
  deps: Deps,
  tx: Tx,
  { card, rejection: { reason, detail, byIssuer }, isBack }: { readonly card: Card; readonly rejection: Rejection; readonly isBack: boolean },
): Promise<void> {
  countEvent('cards.open_rejected')
  await tx.audit('card.open_rejected', `card:${card.id}`, { reason, detail: detail.slice(0, 200), issuer: card.issuer })
  await deleteOpeningWait(tx, card)
  // An opening that failed in an earlier version keeps its state; only the reason changes.
  const failed = await changeCard(tx, card, { change: { state: 'failed', failReason: reason, stuck: '' }, options: { seconds: null, reason } })
  if (byIssuer) {
    await upsertIssuerRefusal(tx, card, { reason, now: deps.clock.now() })
    await resetIssuerHolder(tx, card.issuer, card.userId)
  }
  if (isBack) return endCard(tx, failed)
  const order = card.orderNo === null ? undefined : await abandonOrder(deps, tx, { orderNo: card.orderNo, reason: `the card could not be opened: ${reason}` })
  if (order?.orderType === ORDER_TYPE.OPEN_ACCOUNT || order?.orderType === ORDER_TYPE.MULTIPLE_CARD) await takeBackOpening(deps, tx, order)
  await tx.emit('card.open_failed', { cardId: card.id, userId: card.userId, reason, moneyBack: order !== undefined })
}

const WORDS: readonly (readonly [RegExp, OpenReason])[] = [
  [/address|postal/, 'address'],
  [/name/, 'name'],
  [/duplicate/, 'duplicate'],
  [/country/, 'country'],
  [/phone/, 'phone'],
  [/document|identity|verif|dob|listed|terms/, 'document'],
]

/** Maps an issuer's own words about a card that it did not make to a reason that has a text. */
export const parseIssuerReason = (words: string): OpenReason => WORDS.find(([pattern]) => pattern.test(words.toLowerCase()))?.[1] ?? 'declined'
