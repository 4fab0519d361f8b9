import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { MovementFactsSource, MovementFacts } from '#features/wallet/server/door.ts'
import { cardServerTexts } from '../mail-texts.ts'
import { selectCardsOfMoves } from './data-movements.ts'
import type { CardMoveRow } from './data-movements.ts'

const NAMES = { standard: 'funds_standard', pro: 'funds_pro' } as const

function buildMoveFacts(lang: Lang, kind: string, move: CardMoveRow): MovementFacts {
  const texts = cardServerTexts[lang]
  const subject = `${texts[NAMES[move.type]]} ${move.last4}`.trim()
  if (kind !== 'card.recharge') return { subject, from: subject, cardId: move.cardId }
  const arrives = { amount: formatUsd(subtractNano(move.amount, move.fee)), fee: formatUsd(move.fee) }
  const about = move.state === 'failed' ? '' : fill(move.isFirst ? texts.funds_arrives_first : texts.funds_arrives_card, arrives)
  return { subject, to: subject, about, cardId: move.cardId, ...(move.state === 'loading' ? { state: 'processing' as const } : {}) }
}

/** Moves between balance and card, by the card's type and last four digits. */
export const cardMovementFacts: MovementFactsSource = {
  kinds: ['card.recharge', 'card.refused', 'card.to_balance'],
  read: async ({ db }, { lang, userId, rows }) => {
    const moves = await selectCardsOfMoves(
      db,
      userId,
      rows.map((row) => row.ref),
    )
    const found = new Map(moves.map((move) => [move.moveId, move]))
    return new Map(
      rows.flatMap((row) => {
        const move = found.get(row.ref)
        return move ? [[row.id, buildMoveFacts(lang, row.kind, move)] as const] : []
      }),
    )
  },
}
