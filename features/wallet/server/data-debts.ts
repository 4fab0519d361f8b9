import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import { callLedger, requireRow } from './data.ts'
import type { AccountOwner } from './accounts.ts'

export async function selectOwed(sql: Sql, owner: AccountOwner, currency = 'USD'): Promise<Nano> {
  return requireRow(await sql.query<{ owed: Nano }>('select wallet_owed($1, $2) as owed', [owner, currency], 'wallet.owed')).owed
}

export async function settleOwed(sql: Sql, owner: AccountOwner, currency = 'USD'): Promise<Nano> {
  return requireRow(await callLedger<{ owed: Nano }>(sql, 'select wallet_settle($1, $2) as owed', { values: [owner, currency], name: 'settle' })).owed
}

export interface UnpaidRow {
  readonly accountId: bigint
  readonly payer: string
  readonly currency: string
  /** Part of the debt that the credit beside it can pay. */
  readonly payable: Nano
}

export async function selectUnpaid(sql: Sql, limit: number): Promise<UnpaidRow[]> {
  return sql.query<UnpaidRow>('select * from wallet_unpaid($1)', [limit], 'wallet.unpaid')
}
