import type { Sql } from '#platform/server/database/db.ts'

/** Limits per IP address; in tests all requests come from one address. */
export const ADDRESS_LIMITS = [
  'account.codesPerIpHour',
  'account.codesPerBlockHour',
  'account.codesPerTargetHour',
  'account.codesPerTargetDay',
  'account.loginsPerIp',
  'account.googlePerIpHour',
  'risk.challengesPerMinute',
] as const
export const LIFTED_LIMIT = 10_000

/** Raises the limits per address, which all tests share. Keeps values that a test has set. */
export async function liftLimitSettings(db: Sql): Promise<void> {
  await db.query(`insert into settings (key, value, updated_by) select unnest($1::text[]), $2, 'test' on conflict do nothing`, [
    ADDRESS_LIMITS,
    String(LIFTED_LIMIT),
  ])
}
