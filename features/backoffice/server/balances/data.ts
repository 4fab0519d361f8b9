import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { BackofficeBalancePointsRow, BackofficeBalanceReadsRow, BackofficeBalancesRow, BackofficeCertificatesRow } from '../tables.ts'

export type BalanceRow = BackofficeBalancesRow
export type BalanceReadRow = BackofficeBalanceReadsRow
export type BalancePointRow = Pick<BackofficeBalancePointsRow, 'source' | 'currency' | 'at' | 'amountNano'>
export type CertificateRow = BackofficeCertificatesRow

export const listBalances = (sql: Sql) => sql.query<BalanceRow>('select * from backoffice_balances order by source, currency')
export const listBalanceReads = (sql: Sql) => sql.query<BalanceReadRow>('select * from backoffice_balance_reads order by source')
export const listCertificates = (sql: Sql) => sql.query<CertificateRow>('select * from backoffice_certificates order by expires_at nulls first, name')

/** The last point of each hour since `since`. */
export function listPointsSince(sql: Sql, since: Date): Promise<BalancePointRow[]> {
  return sql.query<BalancePointRow>(
    `select distinct on (source, currency, date_trunc('hour', at)) * from backoffice_balance_points where at > $1 order by source, currency, date_trunc('hour', at), at desc`,
    [since],
  )
}

/** Stores a reading: the current balance, and a history point if the balance changed or an hour passed. */
export async function storeBalance(
  sql: Sql,
  source: string,
  { read, at }: { readonly read: readonly { readonly currency: string; readonly amount: Nano }[]; readonly at: Date },
): Promise<void> {
  for (const { currency, amount } of read) {
    await sql.query(
      `with last as (select amount_nano, at from backoffice_balance_points where source = $1 and currency = $2 order by at desc limit 1)
       insert into backoffice_balance_points (source, currency, at, amount_nano) select $1, $2, $4, $3
       where not exists (select from last where amount_nano = $3 and at > $4::timestamptz - interval '1 hour') on conflict do nothing`,
      [source, currency, amount, at],
    )
    await sql.query(
      `insert into backoffice_balances (source, currency, amount_nano, read_at) values ($1,$2,$3,$4)
       on conflict (source, currency) do update set amount_nano = excluded.amount_nano, read_at = excluded.read_at`,
      [source, currency, amount, at],
    )
  }
  await sql.query('delete from backoffice_balances where source = $1 and read_at < $2', [source, at])
}

export async function recordBalanceRead(sql: Sql, source: string, { problem, at }: { readonly problem: string | null; readonly at: Date }): Promise<void> {
  await sql.query(
    `insert into backoffice_balance_reads as r (source, looked_at, failing_since, problem) values ($1, $2, case when $3::text is not null then $2::timestamptz end, $3)
     on conflict (source) do update set looked_at = excluded.looked_at, problem = excluded.problem,
       failing_since = case when excluded.problem is null then null else coalesce(r.failing_since, excluded.looked_at) end`,
    [source, at, problem],
  )
}

/** Deletes the balances of removed sources; history points are deleted by age. */
export async function deleteBalances(sql: Sql, kept: readonly string[], pointsBefore: Date): Promise<void> {
  await sql.query('delete from backoffice_balances where not source = any($1)', [kept])
  await sql.query('delete from backoffice_balance_reads where not source = any($1)', [kept])
  await sql.query('delete from backoffice_balance_points where at < $1', [pointsBefore])
}

export async function storeCertificate(
  sql: Sql,
  read: { readonly name: string; readonly issuer: string; readonly expiresAt: Date | null; readonly problem: string | null },
  at: Date,
): Promise<void> {
  await sql.query(
    `insert into backoffice_certificates as c (name, expires_at, issuer, looked_at, failing_since, problem)
     values ($1, $2, $3, $4, case when $5::text is not null then $4::timestamptz end, $5)
     on conflict (name) do update set expires_at = coalesce(excluded.expires_at, c.expires_at), issuer = coalesce(nullif(excluded.issuer, ''), c.issuer), looked_at = excluded.looked_at,
       problem = excluded.problem, failing_since = case when excluded.problem is null then null else coalesce(c.failing_since, excluded.looked_at) end`,
    [read.name, read.expiresAt, read.issuer, at, read.problem],
  )
}

export async function deleteCertificates(sql: Sql, kept: readonly string[]): Promise<void> {
  await sql.query('delete from backoffice_certificates where not name = any($1)', [kept])
}
