import type { Sql } from '#platform/server/database/db.ts'
import { formatUsd } from '#platform/shared/money.ts'

/** A reward's state as its owner sees it. */
export async function formatRewards(db: Sql, inviterId: string): Promise<string[]> {
  const rows = await db.query<{ kind: string; amountNano: bigint; state: string; reason: string }>(
    'select kind, amount_nano, state, reason from invitations_rewards where inviter_id = $1 order by id',
    [inviterId],
  )
  return rows.map(({ kind, amountNano, state, reason }) => `${kind} ${formatUsd(amountNano)} ${state}${reason ? ` ${reason}` : ''}`)
}
