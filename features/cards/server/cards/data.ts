import { toColumnName } from '#platform/server/database/column-names.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { CardState, CardType, CloseReason, Freezer, OpenReason } from '../../words.ts'
import type { IssuerAddress } from '../vendors/port.ts'

export type IssuerState = 'opening' | 'active' | 'frozen' | 'closed'
export type CardChangeReason = 'user' | 'risk' | 'lost' | 'expired'

export interface Card {
  readonly id: string
  readonly userId: string
  readonly type: CardType
  readonly state: CardState
  readonly frozenBy: Freezer | null
  readonly closeReason: CloseReason | null
  readonly failReason: string
  readonly issuer: string
  readonly attempt: number
  readonly cardRef: string | null
  readonly issuerState: IssuerState
  readonly issuerWanted: 'active' | 'frozen' | 'closed'
  readonly bin: string
  readonly last4: string
  readonly expMonth: number | null
  readonly expYear: number | null
  readonly holder: string
  readonly months: number
  readonly validUntil: Date | null
  readonly address: IssuerAddress
  /** `address`: the billing address held by the issuer. */
  readonly addressKnown: boolean
  /** Time at which the running attempt was requested. */
  readonly askedAt: Date
  /** Failure of the last call of the running attempt. */
  readonly stuck: '' | 'retryable' | 'unknown'
  readonly orderNo: string | null
  readonly replaces: string | null
  readonly replacedBy: string | null
  readonly changeWhy: CardChangeReason | null
  readonly mustChange: boolean
  readonly activated: boolean
  readonly refusals: number
  readonly totalSpent: Nano
  readonly totalRecharged: Nano
  readonly uncovered: Nano
  readonly warned: Readonly<Record<string, string>>
  readonly readAt: Date | null
  readonly hiddenAt: Date | null
  readonly createdAt: Date
  readonly openedAt: Date | null
  readonly closedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly checks: number
  /** The database's clock. */
  readonly now: Date
}

const ALL = '*, clock_timestamp() as now'

export interface NewCard {
  readonly id: string
  readonly userId: string
  readonly type: CardType
  readonly issuer: string
  readonly months: number
  readonly orderNo: string | null
  readonly replaces?: string
  readonly why?: CardChangeReason
  readonly activated?: boolean
}

export async function insertCard(tx: Tx, card: NewCard): Promise<Card> {
  const [row] = await tx.query<Card>(
    `insert into cards_cards (id, user_id, type, issuer, months, order_no, replaces, change_why, activated)
    values ($1,$2,$3,$4,$5,$6,$7,$8,$9) returning ${ALL}`,
    [card.id, card.userId, card.type, card.issuer, card.months, card.orderNo, card.replaces ?? null, card.why ?? null, card.activated ?? false],
  )
  await insertCardStep(tx, card.id, { from: null, to: 'requested', reason: card.why ?? '' })
  return row!
}

const insertCardStep = (tx: Tx, cardId: string, { from, to, reason }: { readonly from: CardState | null; readonly to: CardState; readonly reason: string }) =>
  tx.query('insert into cards_card_steps (card_id, from_state, to_state, actor, reason) values ($1,$2,$3,$4,$5)', [
    cardId,
    from,
    to,
    `${tx.actor.kind}:${tx.actor.id}`,
    reason,
  ])

export async function selectCardById(sql: Sql, id: string, userId?: string): Promise<Card | undefined> {
  return first(await sql.query<Card>(`select ${ALL} from cards_cards where id = $1 and user_id = coalesce($2, user_id)`, [id, userId ?? null], 'cards.card'))
}

/** Locks a card until the transaction ends. Every change to a card, its months or its account starts with this lock. */
export async function lockCard(tx: Tx, id: string): Promise<Card> {
  const [row] = await tx.query<Card>(`select ${ALL} from cards_cards where id = $1 for no key update`, [id], 'cards.lock')
  return row ?? fail('CARD_NOT_FOUND')
}

/** Card of the caller. Errors: CARD_NOT_FOUND. */
export async function requireOwnCard({ db, userId }: { readonly db: Sql; readonly userId: string }, id: string): Promise<Card> {
  return (await selectCardById(db, id, userId)) ?? fail('CARD_NOT_FOUND')
}

export async function lockOwnCard(tx: Tx, id: string, userId: string): Promise<Card> {
  const card = await lockCard(tx, id)
  return card.userId === userId ? card : fail('CARD_NOT_FOUND')
}

export async function lockCardByRef(tx: Tx, issuer: string, cardRef: string): Promise<Card | undefined> {
  return first(
    await tx.query<Card>(`select ${ALL} from cards_cards where issuer = $1 and card_ref = $2 for no key update`, [issuer, cardRef], 'cards.lock-ref'),
  )
}

export async function selectCardByRef(sql: Sql, issuer: string, cardRef: string): Promise<Card | undefined> {
  return first(await sql.query<Card>(`select ${ALL} from cards_cards where issuer = $1 and card_ref = $2`, [issuer, cardRef], 'cards.by-ref'))
}

/** Cards that are not hidden: the one in use first, then the newest that work. */
export async function selectListedCards(sql: Sql, userId: string): Promise<Card[]> {
  return sql.query<Card>(
    `select c.*, clock_timestamp() as now from cards_cards c left join cards_members m on m.user_id = c.user_id
    where c.user_id = $1 and c.hidden_at is null
    order by (c.id = m.chosen_card) is true desc, c.state not in ('active','frozen'), c.state in ('closed','failed'), c.created_at desc, c.id`,
    [userId],
  )
}

export async function selectAllCards(sql: Sql, userId: string): Promise<Card[]> {
  return sql.query<Card>(`select ${ALL} from cards_cards where user_id = $1 order by created_at, id`, [userId])
}

/** Cards of a customer as operators see them, newest first. */
export const selectCustomerCards = (sql: Sql, userId: string): Promise<Card[]> =>
  sql.query(`select ${ALL} from cards_cards where user_id = $1 order by created_at desc limit 200`, [userId])

export interface CardChange {
  readonly state?: CardState
  readonly frozenBy?: Freezer | null
  readonly closeReason?: CloseReason
  readonly failReason?: OpenReason | ''
  readonly askedAt?: Date
  readonly stuck?: '' | 'retryable' | 'unknown'
  readonly addressKnown?: boolean
  readonly attempt?: number
  readonly cardRef?: string
  readonly issuerState?: IssuerState
  readonly issuerWanted?: 'active' | 'frozen' | 'closed'
  readonly bin?: string
  readonly last4?: string
  readonly expMonth?: number
  readonly expYear?: number
  readonly holder?: string
  readonly validUntil?: Date
  readonly address?: IssuerAddress
  readonly replacedBy?: string
  readonly mustChange?: boolean
  readonly activated?: boolean
  readonly refusals?: number
  readonly warned?: Readonly<Record<string, string>>
  readonly readAt?: Date
  readonly hiddenAt?: Date
  readonly openedAt?: Date
  readonly closedAt?: Date
  readonly checks?: number
}

/** Changes a locked card. `seconds`: delay until its next check; null: no further check; absent: unchanged. */
export async function changeCard(
  tx: Tx,
  card: Card,
  { change, options = {} }: { readonly change: CardChange; readonly options?: { seconds?: number | null; reason?: string } },
): Promise<Card> {
  const names = Object.keys(change).map(toColumnName)
  const values = Object.values(change).map((value) => (value !== null && typeof value === 'object' && !(value instanceof Date) ? JSON.stringify(value) : value))
  const at = options.seconds === undefined ? '' : `, next_check_at = clock_timestamp() + make_interval(secs => $${names.length + 2}::float8)`
  const [row] = await tx.query<Card>(
    `update cards_cards set ${names.map((name, n) => `${name} = $${n + 2}`).join(', ') || 'id = id'}${at} where id = $1 returning ${ALL}`,
    [card.id, ...values, ...(options.seconds === undefined ? [] : [options.seconds])],
  )
  if (change.state && change.state !== card.state) await insertCardStep(tx, card.id, { from: card.state, to: change.state, reason: options.reason ?? '' })
  return row!
}

export async function addCardTotals(
  tx: Tx,
  id: string,
  { spent, recharged, uncovered }: { readonly spent: Nano; readonly recharged: Nano; readonly uncovered: Nano },
): Promise<void> {
  await tx.query(
    'update cards_cards set total_spent = total_spent + $2, total_recharged = total_recharged + $3, uncovered = uncovered + $4 where id = $1',
    [id, spent, recharged, uncovered],
    'cards.totals',
  )
}

/** Claims due cards and leases each for 30 s. */
export async function takeDueCards(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update cards_cards set next_check_at = clock_timestamp() + interval '30 seconds', checks = checks + 1 where id in (
      select id from cards_cards where next_check_at <= clock_timestamp() order by next_check_at limit $1 for update skip locked) returning id`,
    [limit],
  )
  return rows.map((row) => row.id)
}

export async function nudgeCard(sql: Sql, id: string, seconds: number): Promise<void> {
  await sql.query('update cards_cards set next_check_at = least(next_check_at, clock_timestamp() + make_interval(secs => $2)) where id = $1', [id, seconds])
}

export async function scheduleCard(sql: Sql, id: string, seconds: number): Promise<void> {
  await sql.query('update cards_cards set next_check_at = clock_timestamp() + make_interval(secs => $2::float8) where id = $1', [id, seconds])
}

/** Starts another attempt to open a locked card, under its own key. A card already sent to the issuer stays `opening`. */
export const retryCardOpening = (tx: Tx, card: Card, reason: string): Promise<Card> => {
  const state = card.state === 'failed' ? ({ state: 'requested' } as const) : {}
  return changeCard(tx, card, {
    change: { ...state, failReason: '', attempt: card.attempt + 1, checks: 0, askedAt: card.now, stuck: '' },
    options: { seconds: 0, reason },
  })
}

/** Schedules a later check of an attempt whose last call failed. */
export async function markCardStuck(
  sql: Sql,
  id: string,
  { stuck, seconds }: { readonly stuck: 'retryable' | 'unknown'; readonly seconds: number },
): Promise<void> {
  await sql.query('update cards_cards set stuck = $2, next_check_at = clock_timestamp() + make_interval(secs => $3::float8) where id = $1', [
    id,
    stuck,
    seconds,
  ])
}

/** Ends the checks of a card unless work is pending: a member may have requested some at this moment. */
export async function unscheduleCard(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `update cards_cards set next_check_at = null where id = $1 and (state = 'closed' or state in ('active','frozen','failed') and (card_ref is null or issuer_state in (issuer_wanted, 'closed')))`,
    [id],
  )
}

export async function selectNewestReplacement(sql: Sql, id: string): Promise<Card | undefined> {
  return first(await sql.query<Card>(`select ${ALL} from cards_cards where replaces = $1 order by created_at desc limit 1`, [id]))
}

/** Active cards that expire within so many days, or have expired. */
export async function selectExpiringCards(sql: Sql, days: number, { now, limit }: { readonly now: Date; readonly limit: number }): Promise<Card[]> {
  return sql.query<Card>(
    `select ${ALL} from cards_cards where state in ('active','frozen') and valid_until < $2::timestamptz + make_interval(days => $1)
      and (valid_until <= $2 or not warned ? 'expiring') order by valid_until limit $3`,
    [days, now, limit],
  )
}

/** Cards that were ever issued. */
export async function countIssuedCards(sql: Sql): Promise<number> {
  return (await sql.query<{ n: number }>(`select count(*)::int as n from cards_cards where card_ref is not null`))[0]!.n
}
