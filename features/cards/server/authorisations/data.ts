import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Local } from '../bills/data.ts'
import type { Merchant } from '../vendors/port.ts'

export type AuthState = 'approved' | 'declined' | 'closed' | 'reversed' | 'expired'

export interface Auth {
  readonly id: string
  readonly issuer: string
  readonly ref: string
  readonly card_id: string
  readonly state: AuthState
  readonly asked: Nano
  readonly issuer_held: Nano
  /** What is held of the card's account for it, fee included. */
  readonly held: Nano
  readonly hold_id: string | null
  readonly holds: number
  readonly captured: Nano
  readonly counted: Nano
  readonly month: string
  readonly uncovered: Nano
  readonly reversals: number
  readonly reason: string
  readonly missing: Nano | null
  readonly merchant: Merchant
  readonly local: Local | null
  readonly created_at: Date
  readonly decided_at: Date | null
  readonly release_at: Date | null
  readonly version: number
  readonly checks: number
  readonly now: Date
}
const ALL = `*, to_char(month, 'YYYY-MM-DD') as month, clock_timestamp() as now`

export interface NewAuth {
  readonly id: string
  readonly issuer: string
  readonly ref: string
  readonly cardId: string
  readonly state: AuthState
  readonly asked: Nano
  readonly month: string
  readonly merchant: Merchant
  readonly local: Local | null
  readonly createdAt: Date
  readonly decided: boolean
}

export async function insertAuth(tx: Tx, auth: NewAuth): Promise<Auth | undefined> {
  return first(
    await tx.query<Auth>(
      `insert into cards_authorizations (id, issuer, ref, card_id, state, asked, month, merchant, local, created_at, decided_at, next_check_at)
      values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10, case when $11 then clock_timestamp() end, clock_timestamp() + interval '15 seconds')
      on conflict (issuer, ref) do nothing returning ${ALL}`,
      [
        auth.id,
        auth.issuer,
        auth.ref,
        auth.cardId,
        auth.state,
        auth.asked,
        auth.month,
        JSON.stringify(auth.merchant),
        auth.local && JSON.stringify(auth.local),
        auth.createdAt,
        auth.decided,
      ],
      'cards.auth-insert',
    ),
  )
}

export async function authByRef(sql: Sql, issuer: string, ref: string): Promise<Auth | undefined> {
  return first(await sql.query<Auth>(`select ${ALL} from cards_authorizations where issuer = $1 and ref = $2`, [issuer, ref], 'cards.auth-ref'))
}

export async function authById(sql: Sql, id: string): Promise<Auth | undefined> {
  return first(await sql.query<Auth>(`select ${ALL} from cards_authorizations where id = $1`, [id]))
}

export interface AuthChange {
  readonly state?: AuthState
  readonly asked?: Nano
  readonly issuer_held?: Nano
  readonly held?: Nano
  readonly hold_id?: string | null
  readonly holds?: number
  readonly captured?: Nano
  readonly counted?: Nano
  readonly uncovered?: Nano
  readonly reversals?: number
  readonly reason?: string
  readonly missing?: Nano | null
  readonly decided_at?: Date
  readonly release_at?: Date | null
}

/** Its card is locked. `seconds`: when the issuer is asked next; null: when something is heard of it. */
export async function changeAuth(tx: Tx, id: string, change: AuthChange, seconds: number | null): Promise<Auth> {
  const names = Object.keys(change)
  const [row] = await tx.query<Auth>(
    `update cards_authorizations set ${names.map((name, n) => `${name} = $${n + 3}, `).join('')}version = version + 1,
      next_check_at = clock_timestamp() + make_interval(secs => $2::float8) where id = $1 returning ${ALL}`,
    [id, seconds, ...Object.values(change)],
  )
  return row!
}

export async function scheduleAuth(sql: Sql, id: string, seconds: number): Promise<void> {
  await sql.query('update cards_authorizations set next_check_at = clock_timestamp() + make_interval(secs => $2::float8) where id = $1', [id, seconds])
}

export async function takeDueAuths(sql: Sql, limit: number): Promise<Pick<Auth, 'id' | 'issuer' | 'ref' | 'checks'>[]> {
  return sql.query(
    `update cards_authorizations set next_check_at = clock_timestamp() + interval '30 seconds', checks = checks + 1 where id in (
      select id from cards_authorizations where next_check_at <= clock_timestamp() order by next_check_at limit $1 for update skip locked)
    returning id, issuer, ref, checks`,
    [limit],
  )
}

/** Of a card, still holding something. */
export async function openAuths(sql: Sql, cardId: string): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(
    `select count(*) as n from cards_authorizations where card_id = $1 and (state = 'approved' and asked > 0 or held > 0)`,
    [cardId],
  )
  return Number(row!.n)
}

// Decisions

/** For a lock, in this transaction. */
export async function waitAtMost(tx: Tx, ms: number): Promise<void> {
  await tx.query(`select set_config('lock_timeout', $1, true)`, [`${ms}ms`], 'cards.wait')
}

export interface DecisionRow {
  readonly approved: boolean
  readonly asked: Nano
  readonly amount: Nano
  readonly reason: string
}

export async function decisionOf(sql: Sql, issuer: string, eventId: string): Promise<DecisionRow | undefined> {
  return first(
    await sql.query<DecisionRow>(
      'select approved, asked, amount, reason from cards_decisions where issuer = $1 and event_id = $2',
      [issuer, eventId],
      'cards.decision',
    ),
  )
}

/** The first answer about an authorisation: its question may be put again under another event. */
export async function firstDecision(sql: Sql, issuer: string, ref: string): Promise<DecisionRow | undefined> {
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

/** Authorisations of a card in so many days, and how many of them were refused for what the card or its balance is. */
export async function refusalRate(sql: Sql, cardId: string, days: number): Promise<{ all: number; refused: number }> {
  const [row] = await sql.query<{ total: bigint; refused: bigint }>(
    `select count(*) as total, count(*) filter (where state = 'declined') as refused from cards_authorizations
    where card_id = $1 and created_at > clock_timestamp() - make_interval(days => $2)
      and reason not in ('no_answer','card_frozen','account_frozen','card_closed','card_not_ready')`,
    [cardId, days],
    'cards.rate',
  )
  return { all: Number(row!.total), refused: Number(row!.refused) }
}

// Transactions

export interface Transaction {
  readonly id: string
  readonly issuer: string
  readonly ref: string
  readonly card_id: string
  readonly authorization_id: string | null
  readonly kind: 'capture' | 'refund' | 'refund_reversal'
  readonly amount: Nano
  readonly fee: Nano
  readonly at: Date
}

export async function isBooked(sql: Sql, issuer: string, ref: string): Promise<boolean> {
  return (await sql.query('select 1 from cards_transactions where issuer = $1 and ref = $2', [issuer, ref], 'cards.booked')).length === 1
}

/** False: it was booked before. */
export async function insertTransaction(tx: Tx, row: Transaction): Promise<boolean> {
  const rows = await tx.query(
    `insert into cards_transactions (id, issuer, ref, card_id, authorization_id, kind, amount, fee, at) values ($1,$2,$3,$4,$5,$6,$7,$8,$9)
    on conflict (issuer, ref) do nothing returning 1`,
    [row.id, row.issuer, row.ref, row.card_id, row.authorization_id, row.kind, row.amount, row.fee, row.at],
    'cards.transaction',
  )
  return rows.length === 1
}

export async function transactionById(sql: Sql, id: string): Promise<Transaction | undefined> {
  return first(await sql.query<Transaction>('select * from cards_transactions where id = $1', [id]))
}

// Notices

export interface NoticeRow {
  readonly issuer: string
  readonly event_id: string
  readonly kind: string
  readonly ref: string
  readonly card_ref: string
  readonly checks: number
}

/** False: it was taken before. */
export async function insertNotice(tx: Sql, row: { issuer: string; eventId: string; kind: string; ref: string; cardRef: string }): Promise<boolean> {
  const rows = await tx.query(
    `insert into cards_notices (issuer, event_id, kind, ref, card_ref, next_check_at) values ($1,$2,$3,$4,$5, clock_timestamp() + interval '5 seconds')
    on conflict do nothing returning 1`,
    [row.issuer, row.eventId, row.kind, row.ref, row.cardRef],
    'cards.notice',
  )
  return rows.length === 1
}

export async function takeDueNotices(sql: Sql, limit: number): Promise<NoticeRow[]> {
  return sql.query<NoticeRow>(
    `update cards_notices n set next_check_at = clock_timestamp() + interval '30 seconds', checks = checks + 1 from (
      select issuer, event_id from cards_notices where next_check_at <= clock_timestamp() order by next_check_at limit $1 for update skip locked) due
    where n.issuer = due.issuer and n.event_id = due.event_id returning n.*`,
    [limit],
  )
}

export async function noticeDone(sql: Sql, issuer: string, eventId: string): Promise<void> {
  await sql.query('update cards_notices set done_at = clock_timestamp(), next_check_at = null where issuer = $1 and event_id = $2 and done_at is null', [
    issuer,
    eventId,
  ])
}

export async function noticeLater(sql: Sql, issuer: string, eventId: string, seconds: number): Promise<void> {
  await sql.query(
    'update cards_notices set next_check_at = clock_timestamp() + make_interval(secs => $3::float8) where issuer = $1 and event_id = $2 and done_at is null',
    [issuer, eventId, seconds],
  )
}

// Challenges

export interface ChallengeRow {
  readonly issuer: string
  readonly ref: string
  readonly card_id: string
  readonly last4: string
}

/** False: it was known. */
export async function insertChallenge(tx: Tx, issuer: string, ref: string, cardId: string): Promise<boolean> {
  const rows = await tx.query('insert into cards_challenges (issuer, ref, card_id) values ($1,$2,$3) on conflict do nothing returning 1', [issuer, ref, cardId])
  return rows.length === 1
}

/** Of the last quarter of an hour: none lives longer. */
export const freshChallenges = (sql: Sql, userId: string) =>
  sql.query<ChallengeRow>(
    `select h.issuer, h.ref, h.card_id, c.last4 from cards_challenges h join cards_cards c on c.id = h.card_id
    where c.user_id = $1 and h.at > clock_timestamp() - interval '15 minutes' order by h.at desc limit 5`,
    [userId],
  )
