import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { GatewayModelsRow, GatewayPricesRow } from '../tables.ts'

/** Queries of the price book. */

export interface PriceRow extends Pick<GatewayPricesRow, 'version' | 'modelId' | 'validFrom' | 'longAbove' | 'source'> {
  readonly classes: (string | null)[]
  readonly longClasses: (string | null)[] | null
  readonly factors: (string | null)[] | null
}
const PRICE_COLUMNS = 'p.version, p.model_id, p.valid_from, p.classes, p.long_above, p.long_classes, p.factors, p.source'

/** Prices of these models at a given time. */
export function selectPricesAt(sql: Sql, models: readonly string[], at: Date): Promise<PriceRow[]> {
  return sql.query<PriceRow>(
    `select distinct on (p.model_id) ${PRICE_COLUMNS} from gateway_prices_kept p where p.model_id = any($1) and p.valid_from <= $2
      order by p.model_id, p.valid_from desc, p.version desc`,
    [models, at],
  )
}

/** The vendor's list prices at a given time, from the dated price files in the code. */
export function selectVendorPricesAt(sql: Sql, models: readonly string[], at: Date): Promise<PriceRow[]> {
  return sql.query<PriceRow>(
    `select distinct on (p.model_id) ${PRICE_COLUMNS} from gateway_prices_kept p where p.model_id = any($1) and p.valid_from <= $2 and p.source like 'prices/%'
      order by p.model_id, p.valid_from desc, p.version desc`,
    [models, at],
  )
}

/** Price rows that are not in force yet, earliest start first. */
export function selectPlannedPrices(sql: Sql): Promise<PriceRow[]> {
  return sql.query<PriceRow>(`select ${PRICE_COLUMNS} from gateway_prices_kept p where p.valid_from > now() order by p.valid_from, p.version`)
}

export function selectPlanPrices(sql: Sql, source: string): Promise<PriceRow[]> {
  return sql.query<PriceRow>(`select ${PRICE_COLUMNS} from gateway_prices_kept p where p.source = $1 order by p.model_id`, [source])
}

/** True if a plan of that name was ever created. */
export async function isPlanned(sql: Sql, source: string): Promise<boolean> {
  return (await sql.query('select 1 from gateway_prices where source = $1 limit 1', [source])).length > 0
}

export async function cancelPlannedPrices(sql: Sql, versions: readonly bigint[], operatorId: string): Promise<void> {
  await sql.query('insert into gateway_price_drops (version, by_operator) select unnest($1::bigint[]), $2', [versions, operatorId])
}

/** Serializes planners until the transaction ends. */
export const lockPrices = (sql: Sql) => sql.query(`select pg_advisory_xact_lock(hashtextextended('gateway_prices', 0))`)

export type PriceBookModel = Pick<GatewayModelsRow, 'modelId' | 'name' | 'vendor'>
export const selectShownModels = (sql: Sql) =>
  sql.query<PriceBookModel>('select model_id, name, vendor from gateway_models where shown order by position, model_id')

export interface ModelUse {
  readonly model: string
  readonly customers: number
  readonly calls: bigint
  readonly amount: Nano
}
/** Use of the last days by model, from the sums. */
export function selectModelUse(sql: Sql, since: string): Promise<ModelUse[]> {
  return sql.query<ModelUse>(
    `select model, count(distinct account_id)::int as customers, sum(calls)::bigint as calls, sum(amount)::bigint as amount from gateway_usage_days where day >= $1 group by model`,
    [since],
  )
}

/** Number of customers who have used one of these models since that time. */
export async function countModelCustomers(sql: Sql, models: readonly string[], since: string): Promise<number> {
  const rows = await sql.query<{ n: number }>('select count(distinct account_id)::int as n from gateway_usage_days where day >= $1 and model = any($2)', [
    since,
    models,
  ])
  return rows[0]!.n
}

export interface ClassUse {
  readonly model: string
  readonly kind: number
  readonly tokens: bigint
}
/** Tokens by class in the newest calls since that time, to estimate each class's share. A sample is enough. */
export function selectTokensByClass(
  sql: Sql,
  models: readonly string[],
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<ClassUse[]> {
  return sql.query<ClassUse>(
    `select model, kind::int, sum(tokens)::bigint as tokens from (
       select model, lines from gateway_usage where started_at >= $2 and model = any($1) and amount > 0 order by started_at desc limit $3) u
       cross join lateral (select lines[i] as kind, lines[i + 1] as tokens from generate_series(1, cardinality(lines), 4) i) l
     group by 1, 2`,
    [models, since, limit],
  )
}
