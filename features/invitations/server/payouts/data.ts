import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { InvitationsPayoutsRow } from '../tables.ts'

/** Sum of the entries without a payout: the balance of the reward account. */
export async function sumOpenEntries(sql: Sql, userId: string): Promise<bigint> {
  const rows = await sql.query<{ sum: bigint }>(
    'select coalesce(sum(amount_nano), 0)::bigint as sum from invitations_entries where user_id = $1 and payout_id is null',
    [userId],
  )
  return rows[0]!.sum
}

/** Takes all open entries for a payout, and marks their rewards as paid. The inviter must be locked. Returns their sum. */
export async function takeEntries(tx: Tx, payout: { payoutNo: string; userId: string; way: 'balance' | 'withdrawal'; amount: bigint }): Promise<bigint> {
  const rows = await tx.query<{ sum: bigint }>(
    `with made as (insert into invitations_payouts (payout_no, user_id, way, amount_nano) values ($1,$2,$3,$4) returning id),
    taken as (update invitations_entries set payout_id = (select id from made) where user_id = $2 and payout_id is null returning reward_id, amount_nano),
    paid as (update invitations_rewards set state = 'paid' where id in (select reward_id from taken) and state = 'available')
    select coalesce(sum(amount_nano), 0)::bigint as sum from taken`,
    [payout.payoutNo, payout.userId, payout.way, payout.amount],
  )
  return rows[0]!.sum
}

export type PayoutRow = Pick<InvitationsPayoutsRow, 'id' | 'userId' | 'amountNano' | 'state'>

export async function selectPayout(sql: Sql, payoutNo: string): Promise<PayoutRow | undefined> {
  return first(await sql.query<PayoutRow>('select id, user_id, amount_nano, state from invitations_payouts where payout_no = $1', [payoutNo]))
}

/** Releases the entries of a payout, once; rewards paid by it alone are available again. Returns false if it was returned before. */
export async function releaseEntries(tx: Tx, payoutNo: string): Promise<boolean> {
  const rows = await tx.query<{ id: bigint }>(`update invitations_payouts set state = 'returned' where payout_no = $1 and state = 'done' returning id`, [
    payoutNo,
  ])
  if (!rows[0]) return false
  await tx.query(
    `with freed as (update invitations_entries set payout_id = null where payout_id = $1 returning reward_id)
    update invitations_rewards set state = 'available' where id in (select reward_id from freed) and state = 'paid'`,
    [rows[0].id],
  )
  return true
}
