import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { CardsDecisionsRow } from '../tables.ts'

/** Limits how long this transaction waits for a lock. */
export async function setLockTimeout(tx: Tx, ms: number): Promise<void> {
  await tx.query(`select set_config('lock_timeout', $1, true)`, [`${ms}ms`], 'cards.wait')
}

export type DecisionRow = Pick<CardsDecisionsRow, 'approved' | 'asked' | 'amount' | 'reason'>

/** Decision already given for the same event and sum. */
export async function selectDecision(
  sql: Sql,
  issuer: string,
  { eventId, asked }: { readonly eventId: string; readonly asked: Nano },
): Promise<DecisionRow | undefined> {
  return first(
    await sql.query<DecisionRow>(
      'select approved, asked, amount, reason from cards_decisions where issuer = $1 and event_id = $2 and asked = $3',
      [issuer, eventId, asked],
      'cards.decision',
    ),
  )
}

/** The first decision on an authorisation. */
export async function selectFirstDecision(sql: Sql, issuer: string, ref: string): Promise<DecisionRow | undefined> {
  return first(
    await sql.query<DecisionRow>(
      'select approved, asked, amount, reason from cards_decisions where issuer = $1 and ref = $2 order by at limit 1',
      [issuer, ref],
      'cards.decision-ref',
    ),
  )
}

export async function insertDecision(
  tx: Tx,
  row: { issuer: string; eventId: string; ref: string; cardId: string | null; asked: Nano; approved: boolean; amount: Nano; reason: string },
): Promise<void> {
  await tx.query(
    'insert into cards_decisions (issuer, event_id, ref, card_id, asked, approved, amount, reason) values ($1,$2,$3,$4,$5,$6,$7,$8)',
    [row.issuer, row.eventId, row.ref, row.cardId, row.asked, row.approved, row.amount, row.reason],
    'cards.decision-insert',
  )
}

/** Counts a card's authorisations in so many days, and those refused because of the card or its balance. */
export async function selectRefusalCounts(sql: Sql, cardId: string, days: number): Promise<{ all: number; refused: number }> {
  const [row] = await sql.query<{ total: bigint; refused: bigint }>(
    `select count(*) as total, count(*) filter (where state = 'declined') as refused from cards_authorizations
    where card_id = $1 and created_at > clock_timestamp() - make_interval(days => $2)
      -- looks at the card that ask for no sum would thin the share of refused charges
      and (asked > 0 or state = 'declined') and reason not in ('no_answer','card_frozen','account_frozen','card_closed','card_not_ready')`,
    [cardId, days],
    'cards.rate',
  )
  return { all: Number(row!.total), refused: Number(row!.refused) }
}
