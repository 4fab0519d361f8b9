import type { Sql } from '#platform/server/database/db.ts'

export interface CardMoveRow {
  readonly moveId: string
  readonly cardId: string
  readonly type: 'standard' | 'pro'
  readonly last4: string
  readonly fee: bigint
  readonly amount: bigint
  readonly isFirst: boolean
  readonly state: string
}

/** The card of each move between a user's balance and a card. */
export const selectCardsOfMoves = (sql: Sql, userId: string, ids: readonly string[]) =>
  sql.query<CardMoveRow>(
    `select m.id as move_id, c.id as card_id, c.type, c.last4, m.fee, m.amount, m.fee > 0 as is_first, m.state
     from cards_moves m join cards_cards c on c.id = coalesce(m.to_card, m.from_card) where m.id = any ($2) and m.user_id = $1`,
    [userId, ids],
  )
