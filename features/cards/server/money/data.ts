import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'

export type MoveKind = 'recharge' | 'withdrawal' | 'returned' | 'moved'
export type MoveState = 'unloading' | 'loading' | 'done' | 'failed'

export interface Move {
  readonly id: string
  readonly userId: string
  readonly kind: MoveKind
  readonly fromCard: string | null
  readonly toCard: string | null
  readonly state: MoveState
  readonly amount: Nano
  readonly fee: Nano
  readonly orderNo: string | null
  readonly channelType: number | null
  readonly reason: string
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly checks: number
  readonly now: Date
}
const ALL = '*, clock_timestamp() as now'

export interface NewMove {
  readonly id: string
  readonly userId: string
  readonly kind: MoveKind
  readonly from?: string
  readonly to?: string
  readonly state: 'unloading' | 'loading'
  readonly amount: Nano
  readonly fee?: Nano
  readonly orderNo?: string
  readonly channelType?: number
}

export async function insertMove(tx: Tx, move: NewMove): Promise<Move> {
  const [row] = await tx.query<Move>(
    `insert into cards_moves (id, user_id, kind, from_card, to_card, state, amount, fee, order_no, channel_type, next_check_at)
    values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10, clock_timestamp()) returning ${ALL}`,
    [
      move.id,
      move.userId,
      move.kind,
      move.from ?? null,
      move.to ?? null,
      move.state,
      move.amount,
      move.fee ?? 0n,
      move.orderNo ?? null,
      move.channelType ?? null,
    ],
  )
  return row!
}

export async function selectMoveById(sql: Sql, id: string): Promise<Move | undefined> {
  return first(await sql.query<Move>(`select ${ALL} from cards_moves where id = $1`, [id]))
}

/** Advances a move from one state to the next, once; undefined if another process advanced it first. */
export async function advanceMove(
  tx: Tx,
  id: string,
  { from, to, reason = '' }: { readonly from: MoveState; readonly to: MoveState; readonly reason?: string },
): Promise<Move | undefined> {
  const ends = to === 'done' || to === 'failed'
  return first(
    await tx.query<Move>(
      `update cards_moves set state = $3, reason = $4, finished_at = case when $5 then clock_timestamp() end,
        next_check_at = case when $5 then null else clock_timestamp() end where id = $1 and state = $2 returning ${ALL}`,
      [id, from, to, reason, ends],
    ),
  )
}

export async function takeDueMoves(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update cards_moves set next_check_at = clock_timestamp() + interval '30 seconds', checks = checks + 1 where id in (
      select id from cards_moves where next_check_at <= clock_timestamp() order by next_check_at limit $1 for update skip locked) returning id`,
    [limit],
  )
  return rows.map((row) => row.id)
}

export async function scheduleMove(sql: Sql, id: string, seconds: number): Promise<void> {
  await sql.query('update cards_moves set next_check_at = clock_timestamp() + make_interval(secs => $2::float8) where id = $1 and finished_at is null', [
    id,
    seconds,
  ])
}

export interface RechargePart {
  /** Id of the recharge. */
  readonly id: string
  readonly part: Nano
}

/**
 * Allots a sum to a user's recharges, latest first, each up to the part not yet returned. Locks them: call it before the money passes
 * `in_transit`.
 */
export async function returnToRecharges(tx: Tx, userId: string, amount: Nano): Promise<RechargePart[]> {
  return tx.query<RechargePart>(
    `with open as (select id, created_at, amount - given_back as rest from cards_moves
        where user_id = $1 and kind = 'recharge' and state = 'done' and given_back < amount order by created_at desc, id desc for update),
      parts as (select id, least(rest, $2 - before)::bigint as part
        from (select *, (sum(rest) over (order by created_at desc, id desc) - rest) as before from open) o where before < $2)
    update cards_moves m set given_back = given_back + part from parts p where p.id = m.id returning m.id, part`,
    [userId, amount],
  )
}

/** Moves of a card that have not ended: `off` it, or `on` to it. */
export async function selectOpenMoves(sql: Sql, cardId: string): Promise<Move[]> {
  return sql.query<Move>(`select ${ALL} from cards_moves where finished_at is null and (from_card = $1 or to_card = $1) order by created_at`, [cardId])
}

/** Sum of a user's recharges over a channel since the first of the month, completed or in progress. */
export async function sumRecharges(sql: Sql, userId: string, { channelType, month }: { readonly channelType: number; readonly month: string }): Promise<Nano> {
  const [row] = await sql.query<{ sum: Nano }>(
    `select coalesce(sum(amount), 0)::bigint as sum from cards_moves where user_id = $1 and kind = 'recharge' and channel_type = $2 and state <> 'failed'
      and created_at >= $3::timestamp at time zone 'Asia/Shanghai'`,
    [userId, channelType, month],
  )
  return row!.sum
}
