import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { MaskedAccount } from '../set-aside/data.ts'
import type { PaymentsPayoutAccountsRow } from '../tables.ts'

export interface PayoutAccountRow extends Omit<PaymentsPayoutAccountsRow, 'userId' | 'shown'> {
  readonly shown: MaskedAccount
}

/** The user's payout account. */
export async function selectPayoutAccount(sql: Sql, userId: string): Promise<PayoutAccountRow | undefined> {
  return first(await sql.query<PayoutAccountRow>('select * from payments_payout_accounts where user_id = $1', [userId]))
}

/** Stores an account; a different one counts as changed now. */
export async function storePayoutAccount(
  tx: Tx,
  userId: string,
  { sealed, digest, shown }: { readonly sealed: Buffer; readonly digest: Buffer; readonly shown: MaskedAccount },
): Promise<PayoutAccountRow> {
  const rows = await tx.query<PayoutAccountRow>(
    `insert into payments_payout_accounts as kept (user_id, sealed, digest, shown) values ($1,$2,$3,$4)
    on conflict (user_id) do update set sealed = excluded.sealed, digest = excluded.digest, shown = excluded.shown,
      changed_at = case when kept.digest = excluded.digest then kept.changed_at else clock_timestamp() end returning *`,
    [userId, sealed, digest, JSON.stringify(shown)],
  )
  return rows[0]!
}
