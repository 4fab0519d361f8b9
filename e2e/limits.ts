import type { Sql } from '#platform/server/database/db.ts'

/** Settings by which one address is held to so many tries; in a test everybody comes from one. */
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

/** Nobody is held up for coming from the address of everybody else. What a test set before stays. */
export async function liftLimitsIn(db: Sql): Promise<void> {
  await db.query(`insert into settings (key, value, updated_by) select unnest($1::text[]), $2, 'test' on conflict do nothing`, [
    LIMITS_OF_AN_ADDRESS,
    String(MANY),
  ])
}
