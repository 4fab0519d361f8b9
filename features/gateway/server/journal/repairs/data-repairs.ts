import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { OpenCallRow } from '../sweeping/data-sweep.ts'

/** Selection of the calls that a repair checks. */
export interface RepairScope {
  /** Empty: all nodes, and sweeps from before nodes were recorded. */
  readonly node: string
  readonly from: Date
  readonly to: Date
}

/** A call that was ended without a real figure, in the form of the sweeper's lookup; `held` is its charge. */
export interface UnsureCall extends OpenCallRow {
  readonly basis: 'hold' | 'none'
}
const CALL_COLUMNS = `u.call_id, u.lease_id, u.account_id, u.key_id, u.user_id, u.model, u.upstream, u.price_version, u.amount as held, u.started_at, u.asked_model`
/** Ended by a sweeper on a hold or on nothing, and not settled since. Older sweeps left no record, but no request id either. */
const UNSURE_CALLS = `select ${CALL_COLUMNS}, s.node, s.basis from gateway_swept s join gateway_usage u on u.account_id = s.account_id and u.started_at = s.started_at and u.call_id = s.call_id
    where s.basis in ('hold', 'none') and s.resolved_at is null and ($1 = '' or s.node = $1) and s.started_at >= $2 and s.started_at < $3
  union all
  select ${CALL_COLUMNS}, '', 'none' from gateway_usage u
    where $1 = '' and u.started_at >= $2 and u.started_at < $3 and u.outcome = 'upstream_cut' and u.status = 500 and u.amount = 0 and u.request_id = ''
      and not exists (select from gateway_swept s where s.account_id = u.account_id and s.call_id = u.call_id)`

export const selectUnsureCalls = (sql: Sql, { node, from, to }: RepairScope, limit: number) =>
  sql.query<UnsureCall>(`select * from (${UNSURE_CALLS}) c order by basis, started_at, call_id limit $4`, [node, from, to, limit])

export interface UnsureSums {
  readonly provisional: number
  readonly held: Nano
  readonly zero: number
}
export const selectUnsureSums = async (sql: Sql, { node, from, to }: RepairScope): Promise<UnsureSums> =>
  first(
    await sql.query<UnsureSums>(
      `select count(*) filter (where basis = 'hold')::int as provisional, coalesce(sum(held) filter (where basis = 'hold'), 0)::bigint as held,
        count(*) filter (where basis = 'none')::int as zero from (${UNSURE_CALLS}) c`,
      [node, from, to],
    ),
  )!

/** Provisional charges whose vendor has not been queried for a while; this marks them as queried now. */
export const claimCallsToQuery = (sql: Sql, limit: number) =>
  sql.query<UnsureCall>(
    `with due as (
       select account_id, call_id from gateway_swept where basis = 'hold' and resolved_at is null and asked_at < now() - interval '10 minutes' and swept_at > now() - interval '7 days'
       order by asked_at limit $1 for update skip locked
     ), asked as (
       update gateway_swept s set asked_at = now() from due d where s.account_id = d.account_id and s.call_id = d.call_id returning s.*
     ) select ${CALL_COLUMNS}, s.node, s.basis from asked s join gateway_usage u on u.account_id = s.account_id and u.started_at = s.started_at and u.call_id = s.call_id`,
    [limit],
  )

/** Finds by id a call that a sweeper ended and that is not settled since. */
export const selectUnsureCall = async (sql: Sql, callId: string) =>
  first(
    await sql.query<UnsureCall>(
      `select ${CALL_COLUMNS}, s.node, s.basis from gateway_swept s join gateway_usage u on u.account_id = s.account_id and u.started_at = s.started_at and u.call_id = s.call_id
       where s.call_id = $1 and s.basis in ('hold', 'none') and s.resolved_at is null`,
      [callId],
    ),
  )

/** Ends the work on a node's provisional charges, which become final. Returns their number. */
export const finalizeCharges = async (sql: Sql, node: string): Promise<number> =>
  (
    await sql.query(
      `update gateway_swept set resolved_by = 'operator', resolved_at = now() where node = $1 and basis = 'hold' and resolved_at is null returning call_id`,
      [node],
    )
  ).length
