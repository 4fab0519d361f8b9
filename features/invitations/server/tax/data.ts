import type { Sql } from '#platform/server/database/db.ts'

export interface PaidRow {
  readonly month: string
  readonly userId: string
  readonly payouts: number
  readonly balanceNano: bigint
  readonly withdrawnNano: bigint
}

/** Payouts of rewards that were not returned, by person and Shanghai month. */
export async function selectPaidRewards(sql: Sql, year: number): Promise<PaidRow[]> {
  return sql.query<PaidRow>(
    `select to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM') as month, user_id, count(*)::int as payouts,
      coalesce(sum(amount_nano) filter (where way = 'balance'), 0)::bigint as balance_nano,
      coalesce(sum(amount_nano) filter (where way = 'withdrawal'), 0)::bigint as withdrawn_nano
    from invitations_payouts where state = 'done'
      and created_at >= make_timestamptz($1, 1, 1, 0, 0, 0, 'Asia/Shanghai') and created_at < make_timestamptz($1 + 1, 1, 1, 0, 0, 0, 'Asia/Shanghai')
    group by 1, 2 order by 2, 1`,
    [year],
  )
}
