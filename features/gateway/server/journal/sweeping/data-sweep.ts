import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { LeaseRef } from '../data-posting.ts'

/** Queries of the sweeper: reads, locks and ends leases of dead processes. */

export interface DeadLease {
  readonly leaseId: bigint
  readonly accountId: bigint
  readonly node: string
  /** True while its process may still come back for money promised in memory only. */
  readonly isAwaited: boolean
  /** True if its node has been silent for so long that open calls are charged their holds. */
  readonly isDue: boolean
}
/** Limits on the silence of a process, in milliseconds since its last heartbeat. */
export interface SilenceLimits {
  /** Until this limit the process is awaited: its leases keep all their holds. */
  readonly returnMs: number
  /** From this limit on, open calls are provisionally charged their holds. */
  readonly silentMs: number
}
/** Condition: no living node of that name exists. */
const DEAD = 'not exists (select from gateway_nodes n where n.node = l.node and n.dead_at is null)'
/** Silence since the last heartbeat, or since the lease was drawn if the node's row is gone. By the database's clock. */
const SILENT = 'now() - coalesce((select n.beat_at from gateway_nodes n where n.node = l.node), l.drawn_at)'
const LEASE_COLUMNS = `l.lease_id, l.account_id, l.node, ${SILENT} < $1::int * interval '1 millisecond' as is_awaited, ${SILENT} >= $2::int * interval '1 millisecond' as is_due`

/** Dead leases, those due first; others are returned every few seconds in random order, so that none starves another. */
export const selectDeadLeases = (sql: Sql, { returnMs, silentMs }: SilenceLimits, limit: number) =>
  sql.query<DeadLease>(
    `select lease_id, account_id, node, is_awaited, is_due from (select ${LEASE_COLUMNS}, l.looked_at from gateway_leases l where ${DEAD}) l
     where is_due or looked_at is null or looked_at < now() - interval '5 seconds' order by is_due desc, random() limit $3`,
    [returnMs, silentMs, limit],
  )

export const markLeaseChecked = (sql: Sql, lease: LeaseRef) =>
  sql.query('update gateway_leases set looked_at = now() where account_id = $1 and lease_id = $2', [lease.accountId, lease.leaseId])

/** Locks a dead lease; undefined if another sweeper has it or its process came back. */
export const lockDeadLease = async (sql: Sql, lease: LeaseRef, { returnMs, silentMs }: SilenceLimits) =>
  first(
    await sql.query<DeadLease>(
      `select ${LEASE_COLUMNS} from gateway_leases l where l.account_id = $4 and l.lease_id = $3 and ${DEAD} for update of l skip locked`,
      [returnMs, silentMs, lease.leaseId, lease.accountId],
    ),
  )

export interface OpenCallRow {
  readonly callId: string
  readonly leaseId: bigint
  readonly accountId: bigint
  readonly keyId: string
  readonly userId: string
  readonly model: string
  readonly upstream: string
  readonly priceVersion: bigint
  readonly held: bigint
  readonly node: string
  readonly startedAt: Date
  /** Empty if the caller named the model itself. */
  readonly askedModel: string
}
export const selectOpenCallsOfLease = (sql: Sql, lease: LeaseRef, limit: number) =>
  sql.query<OpenCallRow>(
    'select call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, node, started_at, asked_model from gateway_calls where account_id = $1 and lease_id = $2 order by call_id limit $3',
    [lease.accountId, lease.leaseId, limit],
  )

/** Due calls of dead nodes whose lease is gone: a process that came back late wrote its open rows and died again. */
export const selectStrayCalls = (sql: Sql, silentMs: number, { limit, lock = false }: { readonly limit: number; readonly lock?: boolean }) =>
  sql.query<OpenCallRow>(
    `select c.call_id, c.lease_id, c.account_id, c.key_id, c.user_id, c.model, c.upstream, c.price_version, c.held, c.node, c.started_at, c.asked_model from gateway_calls c
   where c.started_at < now() - $1::int * interval '1 millisecond' and not exists (select from gateway_leases l where l.account_id = c.account_id and l.lease_id = c.lease_id)
     and not exists (select from gateway_nodes n where n.node = c.node and n.dead_at is null)
   order by c.call_id limit $2 ${lock ? 'for update of c skip locked' : ''}`,
    [silentMs, limit],
  )

/** Deletes dead names without remaining leases or calls. */
export const deleteDeadNodes = (sql: Sql) =>
  sql.query(
    `delete from gateway_nodes n where n.dead_at is not null and not exists (select from gateway_leases l where l.node = n.node) and not exists (select from gateway_calls c where c.node = n.node)`,
  )

export const selectPriceVersion = async (sql: Sql, version: bigint) =>
  first(
    await sql.query<{ classes: (string | null)[]; longAbove: number | null; longClasses: (string | null)[] | null; factors: (string | null)[] | null }>(
      'select classes, long_above, long_classes, factors from gateway_prices where version = $1',
      [version],
    ),
  )
