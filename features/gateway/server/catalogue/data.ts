import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { ModelKind } from '../hot/deps.ts'

/** Queries of models and prices. */

export interface SeedModel {
  readonly id: string
  readonly vendor: string
  readonly name: string
  readonly kind: string
  readonly dialects: readonly string[]
  readonly capabilities: readonly string[]
  readonly contextTokens: number | null
  readonly maxOutputTokens: number | null
  readonly releasedOn: string | null
  readonly deprecatedOn: string | null
  readonly retiresOn: string | null
  readonly successor: string | null
  readonly aliases: readonly string[]
}
export interface SeedPrice {
  readonly modelId: string
  readonly classes: readonly (bigint | null)[]
  readonly longAbove: number | null
  readonly longClasses: readonly (bigint | null)[] | null
  /** In millionths, in the order of FACTORS; none where absent. */
  readonly factors?: readonly (bigint | null)[] | null
}
export interface DatedPrice extends SeedPrice {
  readonly validFrom: Date
  readonly source: string
}

/** Inserts the models of a file once, like its prices; an operator's later changes are kept. `position` is that of the first model. */
export const seedModels = (sql: Sql, models: readonly SeedModel[], { position, source }: { readonly position: number; readonly source: string }) =>
  sql.query(
    `insert into gateway_models as m (model_id, vendor, name, kind, dialects, capabilities, context_tokens, max_output_tokens, released_on, deprecated_on, retires_on, successor, aliases, position)
    select r.id, r.vendor, r.name, r.kind, r.dialects, r.capabilities, r."contextTokens", r."maxOutputTokens", r."releasedOn", r."deprecatedOn", r."retiresOn", r.successor, r.aliases, $2 + no - 1
      from rows from (jsonb_to_recordset($1) as (id text, vendor text, name text, kind text, dialects text[], capabilities text[], "contextTokens" int,
        "maxOutputTokens" int, "releasedOn" date, "deprecatedOn" date, "retiresOn" date, successor text, aliases text[])) with ordinality
        as r (id, vendor, name, kind, dialects, capabilities, "contextTokens", "maxOutputTokens", "releasedOn", "deprecatedOn", "retiresOn", successor, aliases, no)
    on conflict (model_id) do update set
      vendor = excluded.vendor, name = excluded.name, kind = excluded.kind, dialects = excluded.dialects, capabilities = excluded.capabilities, context_tokens = excluded.context_tokens,
      max_output_tokens = excluded.max_output_tokens, released_on = excluded.released_on, deprecated_on = excluded.deprecated_on, retires_on = excluded.retires_on,
      successor = excluded.successor, aliases = excluded.aliases, position = excluded.position
    where not exists (select from gateway_prices p where p.model_id = m.model_id and p.source = $3)`,
    [JSON.stringify(models), position, source],
  )

/** Prices as the rows of a statement, in their order. */
const PRICES_FROM_JSON = `rows from (jsonb_to_recordset($1) as ("modelId" text, "validFrom" timestamptz, classes bigint[], "longAbove" int, "longClasses" bigint[], source text, factors bigint[]))
  with ordinality as r (model_id, valid_from, classes, long_above, long_classes, source, factors, no)`
const toPriceJson = (prices: readonly DatedPrice[]): string => JSON.stringify(prices, (_key, value) => (typeof value === 'bigint' ? String(value) : value))

/** Inserts the prices of a price file; idempotent by model and source. */
export const seedFilePrices = (sql: Sql, prices: readonly DatedPrice[]) =>
  sql.query(
    `insert into gateway_prices (model_id, valid_from, classes, long_above, long_classes, source)
      select model_id, least(valid_from, now()), classes, long_above, long_classes, source from ${PRICES_FROM_JSON}
      where not exists (select from gateway_prices p where p.model_id = r.model_id and p.source = r.source) order by no`,
    [toPriceJson(prices)],
  )

/** Inserts prices that start on a later day, once. Skips models whose price an operator has set. */
export const announcePrices = (sql: Sql, prices: readonly DatedPrice[]) =>
  sql.query(
    `insert into gateway_prices (model_id, valid_from, classes, long_above, long_classes, source, factors)
      select model_id, valid_from, classes, long_above, long_classes, source, factors from ${PRICES_FROM_JSON}
      where not exists (select from gateway_prices_kept p where p.model_id = r.model_id and (p.source = r.source or p.source not like 'prices/%')) order by no`,
    [toPriceJson(prices)],
  )

export const lockSeeding = (sql: Sql) => sql.query(`select pg_advisory_xact_lock(hashtextextended('gateway_seed', 0))`)

export interface ModelWithPrice {
  readonly modelId: string
  readonly vendor: string
  readonly name: string
  readonly kind: ModelKind
  readonly dialects: string[]
  readonly capabilities: string[]
  readonly contextTokens: number | null
  readonly maxOutputTokens: number | null
  readonly releasedOn: string | null
  readonly deprecatedOn: string | null
  readonly retiresOn: string | null
  readonly successor: string | null
  readonly aliases: string[]
  readonly version: bigint
  readonly validFrom: Date
  readonly classes: (string | null)[]
  readonly longAbove: number | null
  readonly longClasses: (string | null)[] | null
  readonly factors: (string | null)[] | null
  /** Start of the next price. */
  readonly nextFrom: Date | null
  readonly nextClasses: (string | null)[] | null
}

/** All listed models with their current prices. */
export const selectCurrentModels = (sql: Sql) =>
  sql.query<ModelWithPrice>(
    `select m.model_id, m.vendor, m.name, m.kind, m.dialects, m.capabilities, m.context_tokens, m.max_output_tokens, m.released_on::text, m.deprecated_on::text, m.retires_on::text,
     m.successor, m.aliases, p.version, p.valid_from, p.classes, p.long_above, p.long_classes, p.factors, n.valid_from as next_from, n.classes as next_classes
   from gateway_models m cross join lateral (
     select * from gateway_prices_kept p where p.model_id = m.model_id and p.valid_from <= now() order by p.valid_from desc, p.version desc limit 1) p
   left join lateral (
     select * from gateway_prices_kept n where n.model_id = m.model_id and n.valid_from > now() order by n.valid_from, n.version desc limit 1) n on true
   where m.shown order by m.position, m.model_id`,
  )

/** Start time of the next price, if one is pending. */
export const selectNextPriceAt = async (sql: Sql) =>
  first(await sql.query<{ at: Date | null }>('select min(valid_from) as at from gateway_prices_kept where valid_from > now()'))?.at ?? undefined

export const insertPrice = async (sql: Sql, price: SeedPrice, { validFrom, source }: { readonly validFrom: Date; readonly source: string }) =>
  first(
    await sql.query<{ version: bigint }>(
      `insert into gateway_prices (model_id, valid_from, classes, long_above, long_classes, source, factors) values ($1,$2,$3::bigint[],$4,$5::bigint[],$6,$7::bigint[])
       returning version`,
      [price.modelId, validFrom, price.classes, price.longAbove, price.longClasses, source, price.factors ?? null],
    ),
  )!.version

export interface RetiringModel {
  readonly modelId: string
  readonly retiresOn: string
  readonly successor: string | null
}

/** Models with an announced end in the future. */
export const selectRetiringModels = (sql: Sql, today: string) =>
  sql.query<RetiringModel>(
    `select model_id, retires_on::text, successor from gateway_models where shown and deprecated_on <= $1 and retires_on > $1 order by retires_on, model_id`,
    [today],
  )

/** Marks users of a model since that day as notified and returns them; concurrent jobs share the work. */
export const claimRetirementRecipients = async (sql: Sql, model: string, { since, limit }: { readonly since: string; readonly limit: number }) =>
  (
    await sql.query<{ userId: string }>(
      `insert into gateway_model_notices (model_id, user_id)
     select distinct $1, k.user_id from gateway_usage_days d join gateway_keys k on k.key_id = d.key_id
     where d.model = $1 and d.day >= $2 and not exists (select from gateway_model_notices n where n.model_id = $1 and n.user_id = k.user_id)
     limit $3 on conflict do nothing returning user_id`,
      [model, since, limit],
    )
  ).map((row) => row.userId)
