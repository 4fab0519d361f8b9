import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { CardsMonthsRow } from '../tables.ts'

/** Spending of a card in a Shanghai month. */
export type CardMonth = Omit<CardsMonthsRow, 'cardId' | 'month'>

export async function selectCardMonths(sql: Sql, cardIds: readonly string[], month: string): Promise<ReadonlyMap<string, CardMonth>> {
  const rows = await sql.query<CardMonth & { cardId: string }>(
    'select * from cards_months where card_id = any ($1) and month = $2',
    [cardIds, month],
    'cards.months',
  )
  return new Map(rows.map((row) => [row.cardId, row]))
}

/** Spends part of the monthly limit. Returns false, without a change, if the limit is exceeded. */
export async function spendMonthlyLimit(
  tx: Tx,
  cardId: string,
  { month, amount, ceiling }: { readonly month: string; readonly amount: Nano; readonly ceiling: Nano },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into cards_months as m (card_id, month, spent, ceiling) select $1::text, $2::date, $3::bigint, $4::bigint where $3::bigint <= $4::bigint
    on conflict (card_id, month) do update set spent = m.spent + excluded.spent, ceiling = excluded.ceiling
      where m.spent + excluded.spent <= excluded.ceiling returning 1`,
    [cardId, month, amount, ceiling],
    'cards.spend-month',
  )
  return rows.length === 1
}

/** Moves the monthly sums to a replacement card: a new number is no new limit. */
export async function moveMonthsToCard(tx: Tx, cardId: string, replaced: string): Promise<void> {
  await tx.query('update cards_months set card_id = $1 where card_id = $2', [cardId, replaced], 'cards.inherit-months')
}

/** Counts a posting of the issuer even above the monthly limit; a replaced card's posting counts for its newest replacement. */
export async function addForcedSpending(
  tx: Tx,
  cardId: string,
  { month, delta, ceiling }: { readonly month: string; readonly delta: Nano; readonly ceiling: Nano },
): Promise<void> {
  await tx.query(
    `with recursive line as (
      select id, replaced_by from cards_cards where id = $1 union all select c.id, c.replaced_by from line join cards_cards c on c.id = line.replaced_by)
    insert into cards_months as m (card_id, month, spent, forced, ceiling)
      select id, $2::date, greatest($3::bigint, 0), greatest($3::bigint - $4::bigint, 0), $4::bigint from line where replaced_by is null
    on conflict (card_id, month) do update set spent = greatest(m.spent + $3::bigint, 0), forced = greatest(m.spent + $3::bigint - m.ceiling, 0)`,
    [cardId, month, delta, ceiling],
    'cards.force-month',
  )
}
