import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'

/** Queries of upstream servers and routes. */

export interface UpstreamRow {
  readonly upstreamId: string
  readonly vendor: string
  readonly baseUrl: string
  readonly credentialEnv: string
  readonly billsAfterAbort: boolean | null
  readonly concurrent: number | null
  readonly perMinute: number | null
  readonly queueLength: number
  readonly queueMs: number
  readonly firstByteMs: number | null
  readonly betweenMs: number | null
  readonly state: 'active' | 'draining' | 'off'
}

/** Includes the key that an operator stored; without one both are null. */
export interface KeyedUpstreamRow extends UpstreamRow {
  readonly keyId: string | null
  readonly keySealed: Buffer | null
}

export interface RouteRow {
  readonly modelId: string
  readonly upstreamId: string
  readonly upstreamModel: string
  readonly priority: number
  readonly weight: number
  readonly costBp: number
  readonly dialects: string[] | null
  readonly firstByteMs: number | null
  readonly betweenMs: number | null
}

const UPSTREAM_COLUMNS =
  'upstream_id, vendor, base_url, credential_env, bills_after_abort, concurrent, per_minute, queue_length, queue_ms, first_byte_ms, between_ms, state'
const ROUTE_COLUMNS = 'model_id, upstream_id, upstream_model, priority, weight, cost_bp, dialects, first_byte_ms, between_ms'

export const selectUpstreams = (sql: Sql) =>
  sql.query<KeyedUpstreamRow>(
    `select u.*, k.key_id, k.sealed as key_sealed from (select ${UPSTREAM_COLUMNS} from gateway_upstreams) u
    left join gateway_upstream_keys k on k.upstream_id = u.upstream_id and k.retired_at is null order by u.upstream_id`,
  )
export const selectRoutes = (sql: Sql) => sql.query<RouteRow>(`select ${ROUTE_COLUMNS} from gateway_routes order by model_id, priority, upstream_id`)

export const selectUpstream = async (sql: Sql, id: string) =>
  first(await sql.query<UpstreamRow>(`select ${UPSTREAM_COLUMNS} from gateway_upstreams where upstream_id = $1`, [id]))

export const selectUpstreamsByEnv = (sql: Sql, name: string) =>
  sql.query<UpstreamRow>(`select ${UPSTREAM_COLUMNS} from gateway_upstreams where credential_env = $1`, [name])

export const lockUpstream = async (sql: Sql, id: string) =>
  first(await sql.query<UpstreamRow>(`select ${UPSTREAM_COLUMNS} from gateway_upstreams where upstream_id = $1 for update`, [id]))

export const writeUpstream = (sql: Sql, row: UpstreamRow) =>
  sql.query(
    `insert into gateway_upstreams (${UPSTREAM_COLUMNS}) values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)
   on conflict (upstream_id) do update set vendor = excluded.vendor, base_url = excluded.base_url, credential_env = excluded.credential_env,
     bills_after_abort = excluded.bills_after_abort, concurrent = excluded.concurrent, per_minute = excluded.per_minute,
     queue_length = excluded.queue_length, queue_ms = excluded.queue_ms, first_byte_ms = excluded.first_byte_ms, between_ms = excluded.between_ms,
     state = excluded.state`,
    [
      row.upstreamId,
      row.vendor,
      row.baseUrl,
      row.credentialEnv,
      row.billsAfterAbort,
      row.concurrent,
      row.perMinute,
      row.queueLength,
      row.queueMs,
      row.firstByteMs,
      row.betweenMs,
      row.state,
    ],
  )

export const lockRoute = async (sql: Sql, model: string, upstream: string) =>
  first(await sql.query<RouteRow>(`select ${ROUTE_COLUMNS} from gateway_routes where model_id = $1 and upstream_id = $2 for update`, [model, upstream]))

export const writeRoute = (sql: Sql, row: RouteRow) =>
  sql.query(
    `insert into gateway_routes (${ROUTE_COLUMNS}) values ($1,$2,$3,$4,$5,$6,$7,$8,$9)
   on conflict (model_id, upstream_id) do update set upstream_model = excluded.upstream_model, priority = excluded.priority, weight = excluded.weight,
     cost_bp = excluded.cost_bp, dialects = excluded.dialects, first_byte_ms = excluded.first_byte_ms, between_ms = excluded.between_ms`,
    [row.modelId, row.upstreamId, row.upstreamModel, row.priority, row.weight, row.costBp, row.dialects, row.firstByteMs, row.betweenMs],
  )

export const deleteRoute = (sql: Sql, model: string, upstream: string) =>
  sql.query('delete from gateway_routes where model_id = $1 and upstream_id = $2 returning model_id', [model, upstream])

/** Returns the existing ones of these models, with their vendor and dialects. */
export const selectKnownModels = (sql: Sql, ids: readonly string[]) =>
  sql.query<{ modelId: string; vendor: string; dialects: string[] }>('select model_id, vendor, dialects from gateway_models where model_id = any($1)', [ids])

/** Counts calls under way by upstream, on all nodes: a drain waits for them. */
export const countOpenCallsByUpstream = async (sql: Sql) =>
  new Map(
    (await sql.query<{ upstream: string; n: bigint }>('select upstream, count(*) as n from gateway_calls group by 1')).map((row) => [
      row.upstream,
      Number(row.n),
    ]),
  )

/** Other upstreams of a call's model, for the sweeper: a call that failed over ran on an upstream other than the promised one. */
export const selectUpstreamsOfModel = async (sql: Sql, model: string) =>
  (await sql.query<{ upstreamId: string }>('select upstream_id from gateway_routes where model_id = $1 order by priority, upstream_id', [model])).map(
    (row) => row.upstreamId,
  )

/** Makes every process reload the routes. */
export const notifyRoutesChanged = (sql: Sql) => sql.query(`select pg_notify('gateway_routes', '')`)
