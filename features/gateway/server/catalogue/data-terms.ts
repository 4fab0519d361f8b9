import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { GatewayPriceTermsRow } from '../tables.ts'

/** Queries of prices negotiated with customers. */

export interface TermRow extends Omit<GatewayPriceTermsRow, 'modelId' | 'millionths' | 'madeAt' | 'droppedBy'> {
  /** Null: all models without terms for that model. */
  readonly modelId: string | null
  /** Share of the list price; a million is the list price itself. */
  readonly millionths: number
}
const KEPT_TERMS = `select distinct on (user_id, coalesce(model_id, '')) * from gateway_price_terms where dropped_at is null`
const NEWEST_FIRST = `order by user_id, coalesce(model_id, ''), valid_from desc, id desc`

/** Current terms of all customers. */
export const selectCurrentTerms = (sql: Sql) => sql.query<TermRow>(`${KEPT_TERMS} and valid_from <= now() ${NEWEST_FIRST}`)

/** Terms of a customer at a given time. */
export const selectTermsAt = (sql: Sql, userId: string, at: Date) =>
  sql.query<TermRow>(`${KEPT_TERMS} and user_id = $1 and valid_from <= $2 ${NEWEST_FIRST}`, [userId, at])

/** All terms of a customer, including cancelled ones, latest start first. */
export const selectAllPriceTerms = (sql: Sql, userId: string) =>
  sql.query<TermRow>('select * from gateway_price_terms where user_id = $1 order by valid_from desc, id desc limit 500', [userId])

export const selectTermsByTitle = (sql: Sql, userId: string, title: string) =>
  sql.query<TermRow>(`select * from gateway_price_terms where user_id = $1 and title = $2 order by coalesce(model_id, '') for update`, [userId, title])

export async function insertTerm(sql: Sql, made: Omit<TermRow, 'id' | 'droppedAt'>): Promise<void> {
  await sql.query('insert into gateway_price_terms (user_id, model_id, valid_from, millionths, title, rises, made_by) values ($1,$2,$3,$4,$5,$6,$7)', [
    ...[made.userId, made.modelId, made.validFrom, made.millionths, made.title, made.rises, made.madeBy],
  ])
}

export async function cancelTerms(
  sql: Sql,
  userId: string,
  { title, by, at }: { readonly title: string; readonly by: string; readonly at: Date },
): Promise<void> {
  await sql.query('update gateway_price_terms set dropped_at = $4, dropped_by = $3 where user_id = $1 and title = $2 and dropped_at is null', [
    ...[userId, title, by, at],
  ])
}

export interface SharedPrice {
  readonly version: bigint
  readonly ofVersion: bigint
  readonly millionths: number
  readonly classes: (string | null)[]
  readonly longAbove: number | null
  readonly longClasses: (string | null)[] | null
  readonly factors: (string | null)[] | null
}
/** Prices that result from shares of these list prices. */
export const selectSharedPrices = (sql: Sql, versions: readonly bigint[]) =>
  sql.query<SharedPrice>('select version, of_version, millionths, classes, long_above, long_classes, factors from gateway_prices where of_version = any($1)', [
    versions,
  ])

/** Start time of the next terms, if any are pending. */
export const selectNextTermsAt = async (sql: Sql) =>
  first(await sql.query<{ at: Date | null }>('select min(valid_from) as at from gateway_price_terms where dropped_at is null and valid_from > now()'))?.at ??
  undefined

export interface PriceRise {
  readonly source: string
  readonly validFrom: Date
  readonly models: string[]
}
/** Planned price changes that raise at least one class of a model, with the affected models. */
export const selectPlannedRises = (sql: Sql) =>
  sql.query<PriceRise>(
    `select n.source, min(n.valid_from) as valid_from, array_agg(n.model_id order by n.model_id) as models
     from gateway_prices_kept n cross join lateral (
       select classes, long_classes from gateway_prices_kept b where b.model_id = n.model_id and b.valid_from < n.valid_from order by b.valid_from desc, b.version desc limit 1) b
     where n.valid_from > now() and (
       exists (select from unnest(n.classes, b.classes) as c (then_price, now_price) where then_price > now_price)
       or exists (select from unnest(n.long_classes, b.long_classes) as c (then_price, now_price) where then_price > now_price))
     group by n.source order by 2, 1`,
  )

/** Marks users of these models since that day as notified of a plan and returns them; concurrent jobs share the work. */
export const claimRiseRecipients = async (
  sql: Sql,
  source: string,
  { models, since, limit }: { readonly models: readonly string[]; readonly since: string; readonly limit: number },
) =>
  (
    await sql.query<{ userId: string }>(
      `insert into gateway_price_notices (source, user_id)
       select distinct $1, k.user_id from gateway_usage_days d join gateway_keys k on k.key_id = d.key_id
       where d.model = any($2) and d.day >= $3 and not exists (select from gateway_price_notices n where n.source = $1 and n.user_id = k.user_id)
       limit $4 on conflict do nothing returning user_id`,
      [source, models, since, limit],
    )
  ).map((row) => row.userId)

/** Marks the users who were notified of a plan that was cancelled before it started, and returns them. */
export const claimWithdrawalRecipients = (sql: Sql, limit: number) =>
  sql.query<{ source: string; userId: string }>(
    `update gateway_price_notices n set taken_back_at = now() where (source, user_id) in (
       select source, user_id from gateway_price_notices w where taken_back_at is null
         and exists (select from gateway_prices p join gateway_price_drops d on d.version = p.version where p.source = w.source)
         and not exists (select from gateway_prices_kept p where p.source = w.source) limit $1 for update skip locked)
     returning source, user_id`,
    [limit],
  )
