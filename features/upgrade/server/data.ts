import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { UpgradeService } from '../plans.ts'
import type { UpgradeOrdersRow } from './tables.ts'

/** An upgrade order; a draft while `task_id` is null. */
export interface UpgradeOrder extends Omit<UpgradeOrdersRow, 'service' | 'updatedAt'> {
  readonly service: UpgradeService
}

export type DraftFields = Pick<UpgradeOrder, 'plan' | 'service' | 'seats' | 'account' | 'link'>

/** Creates or updates the user's only draft. */
export async function upsertUpgradeDraft(
  tx: Tx,
  id: string,
  { userId, fields: { plan, service, seats, account, link } }: { readonly userId: string; readonly fields: DraftFields },
): Promise<UpgradeOrder> {
  const [row] = await tx.query<UpgradeOrder>(
    `insert into upgrade_orders (id, user_id, plan, service, seats, account, link) values ($1,$2,$3,$4,$5,$6,$7)
      on conflict (user_id) where task_id is null do update set plan = excluded.plan, service = excluded.service, seats = excluded.seats,
        account = excluded.account, link = excluded.link, updated_at = clock_timestamp() returning *`,
    [id, userId, plan, service, seats, account, link],
  )
  return row!
}

export async function findUpgradeOrder(sql: Sql, id: string, userId?: string): Promise<UpgradeOrder | undefined> {
  return first(await sql.query<UpgradeOrder>('select * from upgrade_orders where id = $1 and ($2::text is null or user_id = $2)', [id, userId ?? null]))
}

export async function findUpgradeOrderByTask(sql: Sql, taskId: string): Promise<UpgradeOrder | undefined> {
  return first(await sql.query<UpgradeOrder>('select * from upgrade_orders where task_id = $1', [taskId]))
}

export async function lockOrder(tx: Tx, id: string, userId: string): Promise<UpgradeOrder | undefined> {
  return first(await tx.query<UpgradeOrder>('select * from upgrade_orders where id = $1 and user_id = $2 for update', [id, userId]))
}

export async function findUpgradeDraft(sql: Sql, userId: string): Promise<UpgradeOrder | undefined> {
  return first(await sql.query<UpgradeOrder>('select * from upgrade_orders where user_id = $1 and task_id is null', [userId]))
}

/** The user's open order, else the draft, else the latest order. */
export async function findCurrentUpgradeOrder(sql: Sql, userId: string): Promise<UpgradeOrder | undefined> {
  return first(
    await sql.query<UpgradeOrder>(
      `select * from upgrade_orders where user_id = $1
        order by (task_id is not null and ended_at is null) desc, (task_id is null) desc, queued_at desc limit 1`,
      [userId],
    ),
  )
}

/** Open orders of a user. */
export async function listOpenUpgradeOrders(sql: Sql, userId: string): Promise<UpgradeOrder[]> {
  return sql.query<UpgradeOrder>('select * from upgrade_orders where user_id = $1 and task_id is not null and ended_at is null order by queued_at desc', [
    userId,
  ])
}

/** Orders of a user without the draft, newest first. */
export async function listUpgradeOrders(
  sql: Sql,
  userId: string,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): Promise<UpgradeOrder[]> {
  return sql.query<UpgradeOrder>('select * from upgrade_orders where user_id = $1 and task_id is not null order by queued_at desc, id limit $2 offset $3', [
    userId,
    limit,
    offset,
  ])
}

export async function countOrders(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>('select count(*) as n from upgrade_orders where user_id = $1 and task_id is not null', [userId])
  return Number(row!.n)
}

export async function deleteUpgradeDraft(tx: Tx, id: string, userId: string): Promise<boolean> {
  return (await tx.query('delete from upgrade_orders where id = $1 and user_id = $2 and task_id is null returning 1 as gone', [id, userId])).length > 0
}

/** Distinct accounts of a service with an open or successful order on the card in the last days. */
const BOUND_ACCOUNTS = `select distinct lower(account) from upgrade_orders
  where card_id = $1 and service = $2 and lower(account) <> lower($3) and (ended_at is null or outcome = 'done') and queued_at > clock_timestamp() - make_interval(days => $4)`

export async function countCardAccounts(
  sql: Sql,
  cardId: string,
  { service, account, days }: { readonly service: string; readonly account: string; readonly days: number },
): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(`select count(*) as n from (${BOUND_ACCOUNTS}) bound`, [cardId, service, account, days])
  return Number(row!.n)
}

export interface UpgradeQueueEntry {
  readonly taskId: string
  readonly cardId: string
  readonly last4: string
  readonly amount: Nano
  readonly fee: Nano
  readonly most: number
  readonly days: number
}

/** Maps the unique indexes to UPGRADE_TWICE: an account or a link can have only one open order, also in parallel requests. */
async function mapDuplicateOrder(statement: Promise<UpgradeOrder[]>): Promise<UpgradeOrder | undefined> {
  try {
    return first(await statement)
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    return code === '23505' && constraint?.startsWith('upgrade_orders_live_') ? fail('UPGRADE_TWICE') : Promise.reject(error)
  }
}

/** Queues a draft if its card has room for one more account. The card must be locked, so that two requests never take the last place. */
export async function queueOrder(tx: Tx, { id, service, account }: UpgradeOrder, to: UpgradeQueueEntry): Promise<UpgradeOrder | undefined> {
  return mapDuplicateOrder(
    tx.query<UpgradeOrder>(
      `update upgrade_orders set task_id = $5, card_id = $1, last4 = $6, amount = $7, fee = $8, queued_at = clock_timestamp(), ticket = nextval('upgrade_tickets'), lent = 1
      where id = $9 and task_id is null and service = $2 and (select count(*) from (${BOUND_ACCOUNTS}) bound) < $10 returning *`,
      [to.cardId, service, account, to.days, to.taskId, to.last4, to.amount, to.fee, id, to.most],
    ),
  )
}

export async function relinkOrder(tx: Tx, id: string, link: string): Promise<void> {
  await mapDuplicateOrder(
    tx.query<UpgradeOrder>('update upgrade_orders set link = $2, lent = lent + 1, updated_at = clock_timestamp() where id = $1 returning *', [id, link]),
  )
}

/** Claims the reveal of the card number, once per authorization; undefined if it was already shown. */
export async function claimReveal(tx: Tx, taskId: string, operatorId: string): Promise<UpgradeOrder | undefined> {
  return first(
    await tx.query<UpgradeOrder>(
      'update upgrade_orders set shown = lent, shown_at = clock_timestamp(), shown_to = $2 where task_id = $1 and shown < lent returning *',
      [taskId, operatorId],
    ),
  )
}

/**
 * Reverts a claim when the issuer certainly showed nothing. False if the card was authorized again since; claims of that authorization
 * remain.
 */
export async function unclaimReveal(tx: Tx, was: Pick<UpgradeOrder, 'id' | 'lent' | 'shown' | 'shownAt' | 'shownTo'>): Promise<boolean> {
  const rows = await tx.query('update upgrade_orders set shown = $2, shown_at = $3, shown_to = $4 where id = $1 and lent = $5 returning 1 as done', [
    was.id,
    was.shown,
    was.shownAt,
    was.shownTo,
    was.lent,
  ])
  return rows.length > 0
}

/** Ends an order, once. */
export async function endOrder(
  tx: Tx,
  taskId: string,
  { outcome, cause }: { readonly outcome: 'done' | 'failed'; readonly cause: string },
): Promise<UpgradeOrder | undefined> {
  return first(
    await tx.query<UpgradeOrder>(
      'update upgrade_orders set outcome = $2, cause = $3, ended_at = clock_timestamp() where task_id = $1 and ended_at is null returning *',
      [taskId, outcome, cause],
    ),
  )
}

/** Checks for another open order with this account or link. */
export async function hasOtherOpenUpgrade(sql: Sql, order: Pick<UpgradeOrder, 'id' | 'service' | 'account' | 'link'>): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from upgrade_orders where id <> $1 and task_id is not null and ended_at is null
      and (service = $2 and lower(account) = lower($3) or md5(link) = md5($4) and $4 <> '') limit 1`,
    [order.id, order.service, order.account, order.link],
  )
  return rows.length > 0
}

/** Time of the last refusal of an account by a service's risk control. */
export async function findLastUpgradeRefusal(sql: Sql, service: string, account: string): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date | null }>(
    `select max(ended_at) as at from upgrade_orders where service = $1 and lower(account) = lower($2) and task_id is not null and cause = 'risk'`,
    [service, account],
  )
  return row?.at ?? undefined
}

/** Ticket numbers of tasks, in the order given. */
export async function listQueueTickets(sql: Sql, taskIds: readonly string[]): Promise<bigint[]> {
  const rows = await sql.query<{ ticket: bigint }>('select ticket from upgrade_orders where task_id = any($1) order by array_position($1, task_id)', [taskIds])
  return rows.map(({ ticket }) => ticket)
}

export interface EndedUpgradeOrder {
  readonly queuedAt: Date
  readonly endedAt: Date
}
/** Recently completed orders, latest first, by operators or a supplier; without those that left the queue or timed out. */
export async function listRecentlyEndedUpgrades(sql: Sql, days: number, limit: number): Promise<EndedUpgradeOrder[]> {
  return sql.query<EndedUpgradeOrder>(
    `select queued_at, ended_at from upgrade_orders where ended_at > clock_timestamp() - make_interval(days => $1)
      and cause not in ('given_up','link_late','too_late') order by ended_at desc limit $2`,
    [days, limit],
  )
}

export async function deleteOrdersOf(sql: Sql, userId: string): Promise<void> {
  await sql.query('delete from upgrade_orders where user_id = $1 and task_id is null', [userId])
  await sql.query(`update upgrade_orders set account = 'deleted', link = 'deleted' where user_id = $1`, [userId])
}
