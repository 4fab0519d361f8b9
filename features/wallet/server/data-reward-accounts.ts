import type { Sql } from '#platform/server/database/db.ts'

/** For tests: the balance of every reward account, by user. */
export async function selectRewardAccounts(sql: Sql): Promise<ReadonlyMap<string, bigint>> {
  const rows = await sql.query<{ owner: string; posted: bigint }>(`select owner, posted from wallet_accounts where kind = 'reward'`)
  return new Map(rows.map(({ owner, posted }) => [owner.replace(/^user:/, ''), posted]))
}
