import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { FlexAccountsRow } from '../tables.ts'

export interface SeatAccount extends Omit<FlexAccountsRow, 'platform' | 'createdAt'> {
  readonly platform: 1 | 2 | 6
}

/** Syncs an account with its supplier's state; adds missing seats, and never removes seats in use. */
export async function upsertAccount(
  tx: Tx,
  account: Omit<SeatAccount, 'id' | 'state'> & { readonly seats: number; readonly lost: boolean },
): Promise<SeatAccount> {
  const [row] = await tx.query<SeatAccount>(
    `insert into flex_accounts as a (supplier, ref, platform, tier, state) values ($1,$2,$3,$4, case when $5 then 'lost' else 'open' end)
      on conflict (supplier, ref) do update set state = case when $5 then 'lost' when a.state = 'lost' then 'open' else a.state end returning *`,
    [account.supplier, account.ref, account.platform, account.tier, account.lost],
  )
  await tx.query('insert into flex_seats (account_id, no) select $1, generate_series(1, $2::int) on conflict do nothing', [row!.id, account.seats])
  return row!
}

export async function findAccountByRef(sql: Sql, supplier: string, ref: string): Promise<SeatAccount | undefined> {
  return first(await sql.query<SeatAccount>('select * from flex_accounts where supplier = $1 and ref = $2', [supplier, ref]))
}

export async function updateAccountState(tx: Tx, id: bigint, state: SeatAccount['state']): Promise<void> {
  await tx.query('update flex_accounts set state = $2 where id = $1', [id, state])
}

/**
 * Takes a free seat: one statement locks and assigns the row, and a concurrent order takes the next one (G5). Returns undefined if none is
 * free.
 */
export async function takeSeat(
  tx: Tx,
  taskId: string,
  { platform, tier }: { readonly platform: number; readonly tier: string },
): Promise<SeatAccount | undefined> {
  const taken = first(
    await tx.query<{ accountId: bigint }>(
      `update flex_seats s set task_id = $1, taken_at = clock_timestamp() from (
        select account_id, no from flex_seats join flex_accounts a on a.id = account_id
        where task_id is null and a.state = 'open' and a.platform = $2 and a.tier = $3 order by account_id, no limit 1 for update of flex_seats skip locked) free
      where s.account_id = free.account_id and s.no = free.no returning s.account_id`,
      [taskId, platform, tier],
    ),
  )
  return taken && first(await tx.query<SeatAccount>('select * from flex_accounts where id = $1', [taken.accountId]))
}

/** Frees the seats of a task, once. Returns their number. */
export async function releaseSeats(tx: Tx, taskId: string): Promise<number> {
  const rows = await tx.query(
    `with left_seats as (
      update flex_seats s set task_id = null, taken_at = null from (select account_id, no, taken_at from flex_seats where task_id = $1 for update) was
      where s.account_id = was.account_id and s.no = was.no returning s.account_id, s.no, was.taken_at)
    insert into flex_seat_uses (account_id, no, task_id, taken_at) select account_id, no, $1, taken_at from left_seats returning 1 as one`,
    [taskId],
  )
  return rows.length
}

/** Accounts in which a task has a seat. */
export async function listTaskAccounts(sql: Sql, taskId: string): Promise<SeatAccount[]> {
  return sql.query<SeatAccount>('select a.* from flex_seats s join flex_accounts a on a.id = s.account_id where s.task_id = $1 order by a.platform', [taskId])
}

export interface SeatAvailability {
  readonly platform: number
  readonly tier: string
  readonly free: number
}
export async function listSeatAvailability(sql: Sql): Promise<SeatAvailability[]> {
  return sql.query<SeatAvailability>(
    `select a.platform, a.tier, (count(*) filter (where s.task_id is null))::int as free
      from flex_accounts a join flex_seats s on s.account_id = a.id where a.state = 'open' group by a.platform, a.tier`,
  )
}
