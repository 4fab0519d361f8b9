import type { Sql } from '#platform/server/database/db.ts'

/** Limits per IP address; in tests all requests come from one address. */
export const LIMITS_OF_AN_ADDRESS = [
  'account.codesPerIpHour',
  'account.codesPerBlockHour',
  'account.codesPerTargetHour',
  'account.codesPerTargetDay',
  'account.loginsPerIp',
  'account.googlePerIpHour',
  'risk.challengesPerMinute',
] as const
export const MANY = 10_000

/** Raises the limits per address, which all tests share. Keeps values that a test has set. */
export async function liftLimitsIn(db: Sql): Promise<void> {
  await db.query(`insert into settings (key, value, updated_by) select unnest($1::text[]), $2, 'test' on conflict do nothing`, [
    LIMITS_OF_AN_ADDRESS,
    String(MANY),
  ])
}
