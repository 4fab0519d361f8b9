import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { LeaseRef } from '../data-posting.ts'

/** What the sweeper reads, locks and ends. */

export interface DeadLease {
  readonly lease_id: bigint
  readonly account_id: bigint
  readonly node: string
}
const DEAD = `not exists (select from gateway_nodes n where n.node = l.node and n.beat_at > now() - $1::int * interval '1 millisecond')`

export const deadLeases = (sql: Sql, deadMs: number, limit: number) =>
  sql.query<DeadLease>(`select l.lease_id, l.account_id, l.node from gateway_leases l where ${DEAD} order by l.drawn_at limit $2`, [deadMs, limit])

/** Locks one dead lease; undefined when another sweeper has it or its node lives again. */
export const lockDeadLease = async (sql: Sql, lease: LeaseRef, deadMs: number) =>
  first(
    await sql.query<DeadLease>(
      `select l.lease_id, l.account_id, l.node from gateway_leases l where l.account_id = $3 and l.lease_id = $2 and ${DEAD} for update skip locked`,
      [deadMs, lease.leaseId, lease.accountId],
    ),
  )

export interface OpenCallRow {
  readonly call_id: string
  readonly lease_id: bigint
  readonly account_id: bigint
  readonly key_id: string
  readonly user_id: string
  readonly model: string
  readonly upstream: string
  readonly price_version: bigint
  readonly held: bigint
  readonly started_at: Date
  /** Empty where the caller named the model itself. */
  readonly asked_model: string
}
export const openCallsOf = (sql: Sql, lease: LeaseRef, limit: number) =>
  sql.query<OpenCallRow>(
    'select call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, started_at, asked_model from gateway_calls where account_id = $1 and lease_id = $2 order by call_id limit $3',
    [lease.accountId, lease.leaseId, limit],
  )

/** Calls whose lease is gone, which no order of events should leave: found by the sweeper all the same. */
export const strayCalls = (sql: Sql, olderThanMs: number, limit: number) =>
  sql.query<OpenCallRow>(
    `select c.call_id, c.lease_id, c.account_id, c.key_id, c.user_id, c.model, c.upstream, c.price_version, c.held, c.started_at, c.asked_model from gateway_calls c
   where c.started_at < now() - $1::int * interval '1 millisecond' and not exists (select from gateway_leases l where l.account_id = c.account_id and l.lease_id = c.lease_id)
   order by c.call_id limit $2 for update of c skip locked`,
    [olderThanMs, limit],
  )

export const deadNodes = (sql: Sql, deadMs: number) =>
  sql.query(
    `delete from gateway_nodes n where n.beat_at <= now() - $1::int * interval '1 millisecond' and not exists (select from gateway_leases l where l.node = n.node)`,
    [deadMs],
  )

export const priceOf = async (sql: Sql, version: bigint) =>
  first(
    await sql.query<{ classes: (string | null)[]; long_above: number | null; long_classes: (string | null)[] | null; factors: (string | null)[] | null }>(
      'select classes, long_above, long_classes, factors from gateway_prices where version = $1',
      [version],
    ),
  )
