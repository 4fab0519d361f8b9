import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { GatewayKeySecretsRow, GatewayUsageDaysRow } from '../tables.ts'

/** Queries of a key's other attributes: its previous secret, secrets of test calls, and if it is on. */

export type OldSecret = Pick<GatewayKeySecretsRow, 'keyId' | 'last4' | 'madeAt' | 'endsAt' | 'calls' | 'lastUsedAt'>

export const selectKeySecret = async (sql: Sql, keyId: string) =>
  first(
    await sql.query<{ secretHash: string; last4: string }>(`select encode(secret_hash, 'hex') as secret_hash, last4 from gateway_keys where key_id = $1`, [
      keyId,
    ]),
  )

/** Previous secrets that still work. */
export const selectOldSecrets = (sql: Sql, keyIds: readonly string[]) =>
  sql.query<OldSecret>(
    `select key_id, last4, made_at, ends_at, calls, last_used_at from gateway_key_secrets where key_id = any ($1) and kind = 'old' and ends_at > now()`,
    [keyIds],
  )

/** Replaces the key's secret; the previous one works until `endsAt`. The key must be locked (`selectOwnKey`). */
export async function replaceSecret(
  sql: Sql,
  keyId: string,
  { made, endsAt }: { readonly made: { readonly secretHash: string; readonly last4: string }; readonly endsAt: Date },
): Promise<void> {
  await sql.query(
    `insert into gateway_key_secrets (secret_hash, key_id, kind, last4, ends_at) select secret_hash, key_id, 'old', last4, $2 from gateway_keys where key_id = $1`,
    [keyId, endsAt],
  )
  await sql.query(`update gateway_keys set secret_hash = decode($2, 'hex'), last4 = $3 where key_id = $1`, [keyId, made.secretHash, made.last4])
}

/** Ends the previous secrets now; returns their number. */
export const endOldSecrets = async (sql: Sql, keyId: string) =>
  (await sql.query(`update gateway_key_secrets set ends_at = now() where key_id = $1 and kind = 'old' and ends_at > now() returning 1 as one`, [keyId])).length

export const setKeyEnabled = async (sql: Sql, keyId: string, on: boolean) =>
  (
    await sql.query(
      `update gateway_keys set disabled_at = case when $2 then null else now() end where key_id = $1 and (disabled_at is null) <> $2 returning 1 as one`,
      [keyId, on],
    )
  ).length > 0

/** Counts the test calls of a user's keys in the last hour. */
export const countRecentTests = async (sql: Sql, userId: string) =>
  Number(
    first(
      await sql.query<{ n: bigint }>(
        `select count(*) as n from gateway_keys k join gateway_key_secrets s using (key_id)
         where k.user_id = $1 and s.kind = 'test' and s.made_at > now() - interval '1 hour'`,
        [userId],
      ),
    )!.n,
  )
export const insertTestSecret = (sql: Sql, keyId: string, { secretHash, seconds }: { readonly secretHash: string; readonly seconds: number }) =>
  sql.query(
    `insert into gateway_key_secrets (secret_hash, key_id, kind, last4, ends_at) values (decode($2, 'hex'), $1, 'test', '----', now() + $3::int * interval '1 second')`,
    [keyId, secretHash, seconds],
  )
export const endTestSecret = (sql: Sql, secretHash: string) =>
  sql.query(`update gateway_key_secrets set ends_at = least(ends_at, now()) where secret_hash = decode($1, 'hex')`, [secretHash])

/** Records uses of previous secrets, in batches from every process. */
export const recordOldSecretUses = (sql: Sql, uses: ReadonlyMap<string, number>) =>
  sql.query(
    `update gateway_key_secrets s set calls = s.calls + u.n, last_used_at = now()
     from unnest($1::text[], $2::bigint[]) as u (hash, n) where s.secret_hash = decode(u.hash, 'hex')`,
    [[...uses.keys()], [...uses.values()]],
  )

/** Deletes replaced secrets 30 days after their end; until then, calls with one get a specific refusal. */
export const deleteEndedSecrets = (sql: Sql) => sql.query(`delete from gateway_key_secrets where ends_at < now() - interval '30 days'`)

export interface KeyDay extends Pick<GatewayUsageDaysRow, 'keyId' | 'calls' | 'amount'> {
  readonly day: string
}
/** Use per key and Shanghai day since `from`. */
export const selectKeyDays = (sql: Sql, accountId: bigint, from: string) =>
  sql.query<KeyDay>(
    `with sums as (
       select key_id, day, calls, amount from gateway_usage_days where account_id = $1 and day >= $2::date
       union all select key_id, gateway_shanghai_day(hour), calls, amount from gateway_unsummed
       where account_id = $1 and hour >= ($2::date)::timestamp at time zone 'Asia/Shanghai')
     select key_id, day::text, sum(calls)::bigint as calls, sum(amount)::bigint as amount from sums group by key_id, day order by key_id, day`,
    [accountId, from],
  )
