import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { LeaseRef } from '../data-posting.ts'

/** Queries of the sweeper: reads, locks and ends leases of dead processes. */

export interface DeadLease {
  readonly lease_id: bigint
  readonly account_id: bigint
  readonly node: string
  /** Its process may still come back for what it promised in memory. */
  readonly is_awaited: boolean
  /** Its node has been silent for so long that open calls are charged what they hold. */
  readonly is_due: boolean
}
/** Limits on the silence of a process, in milliseconds since its last heartbeat. */
export interface SilenceLimits {
  /** Until then it is awaited: its leases keep all that they hold. */
  readonly returnMs: number
  /** From then on open calls are charged what they hold, provisionally. */
  readonly silentMs: number
}
/** Without a living node of that name. */
const DEAD = 'not exists (select from gateway_nodes n where n.node = l.node and n.dead_at is null)'
/** Silent since the last heartbeat; a node that is gone altogether since the lease was drawn. By the database's clock. */
const SILENT = 'now() - coalesce((select n.beat_at from gateway_nodes n where n.node = l.node), l.drawn_at)'
const LEASE_COLUMNS = `l.lease_id, l.account_id, l.node, ${SILENT} < $1::int * interval '1 millisecond' as is_awaited, ${SILENT} >= $2::int * interval '1 millisecond' as is_due`

/** Those that are due first; the others are looked at every few seconds, in no order, so that none keeps another out. */
export const selectDeadLeases = (sql: Sql, { returnMs, silentMs }: SilenceLimits, limit: number) =>
  sql.query<DeadLease>(
    `select lease_id, account_id, node, is_awaited, is_due from (select ${LEASE_COLUMNS}, l.looked_at from gateway_leases l where ${DEAD}) l
     where is_due or looked_at is null or looked_at < now() - interval '5 seconds' order by is_due desc, random() limit $3`,
    [returnMs, silentMs, limit],
  )

export const markLeaseChecked = (sql: Sql, lease: LeaseRef) =>
  sql.query('update gateway_leases set looked_at = now() where account_id = $1 and lease_id = $2', [lease.accountId, lease.leaseId])

/** Locks one dead lease; undefined when another sweeper has it or its process came back. */
export const lockDeadLease = async (sql: Sql, lease: LeaseRef, { returnMs, silentMs }: SilenceLimits) =>
  first(
    await sql.query<DeadLease>(
      `select ${LEASE_COLUMNS} from gateway_leases l where l.account_id = $4 and l.lease_id = $3 and ${DEAD} for update of l skip locked`,
      [returnMs, silentMs, lease.leaseId, lease.accountId],
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
  readonly node: string
  readonly started_at: Date
  /** Empty where the caller named the model itself. */
  readonly asked_model: string
}
export const selectOpenCallsOfLease = (sql: Sql, lease: LeaseRef, limit: number) =>
  sql.query<OpenCallRow>(
    'select call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, node, started_at, asked_model from gateway_calls where account_id = $1 and lease_id = $2 order by call_id limit $3',
    [lease.accountId, lease.leaseId, limit],
  )

/** Calls of dead nodes whose lease is gone, due as others are: a process that came back late wrote its open rows and died again. */
export const selectStrayCalls = (sql: Sql, silentMs: number, limit: number, lock = false) =>
  sql.query<OpenCallRow>(
    `select c.call_id, c.lease_id, c.account_id, c.key_id, c.user_id, c.model, c.upstream, c.price_version, c.held, c.node, c.started_at, c.asked_model from gateway_calls c
   where c.started_at < now() - $1::int * interval '1 millisecond' and not exists (select from gateway_leases l where l.account_id = c.account_id and l.lease_id = c.lease_id)
     and not exists (select from gateway_nodes n where n.node = c.node and n.dead_at is null)
   order by c.call_id limit $2 ${lock ? 'for update of c skip locked' : ''}`,
    [silentMs, limit],
  )

/** Dead names under which nothing is left. */
export const deleteDeadNodes = (sql: Sql) =>
  sql.query(
    `delete from gateway_nodes n where n.dead_at is not null and not exists (select from gateway_leases l where l.node = n.node) and not exists (select from gateway_calls c where c.node = n.node)`,
  )

export const selectPriceVersion = async (sql: Sql, version: bigint) =>
  first(
    await sql.query<{ classes: (string | null)[]; long_above: number | null; long_classes: (string | null)[] | null; factors: (string | null)[] | null }>(
      'select classes, long_above, long_classes, factors from gateway_prices where version = $1',
      [version],
    ),
  )
