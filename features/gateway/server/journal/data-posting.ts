import { crashPoint } from '#platform/server/crash.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import { toNumberArrayLiteral } from '#platform/server/database/array-literals.ts'
import { isTransientWriteError } from './writing/database-errors.ts'

/** A lease is looked up by its account, so that the tables can be partitioned by it (docs/scale.md). */
export interface LeaseRef {
  readonly accountId: bigint
  readonly leaseId: bigint
}

/** Converts leases to two parameters: accounts and leases. */
export const toLeaseColumns = (leases: readonly LeaseRef[]) => [
  toNumberArrayLiteral(leases.map((lease) => lease.accountId)),
  toNumberArrayLiteral(leases.map((lease) => lease.leaseId)),
]

/** Accounts per transaction: each is locked until the last one is done (docs/decisions/leases-and-group-commit.md). */
export const ACCOUNTS_PER_POSTING = 50

/**
 * Posts all waiting charges, a few accounts per transaction; returns the number of rows posted. A lease that the wallet refuses is
 * skipped, and its error thrown after the others are posted.
 */
export async function postAllCharges(sql: Sql): Promise<number> {
  let moved = 0
  let refused: unknown
  const postAlone = async (lease: LeaseRef): Promise<void> => {
    try {
      moved += await postCharges(sql, [lease])
    } catch (error) {
      if (isTransientWriteError(error)) throw error
      refused ??= error
    }
  }
  let after: bigint | null = 0n
  while (after !== null) {
    const from: bigint = after
    try {
      const batch = await postNext(sql, from)
      moved += batch.moved
      after = batch.last
    } catch (error) {
      if (isTransientWriteError(error)) throw error
      const leases = await selectUnpostedAfter(sql, from)
      for (const lease of leases) await postAlone(lease)
      after = leases.length < ACCOUNTS_PER_POSTING ? null : leases.at(-1)!.accountId
    }
  }
  if (refused !== undefined) throw refused
  return moved
}

async function postNext(sql: Sql, after: bigint): Promise<{ moved: number; last: bigint | null }> {
  crashPoint('gateway.before-post')
  const rows = await sql.query<{ moved: number; last: bigint | null }>(
    'select moved, last from gateway_post_next($1, $2)',
    [after, ACCOUNTS_PER_POSTING],
    'gateway_post_next',
  )
  crashPoint('gateway.after-post')
  return first(rows)!
}

async function selectUnpostedAfter(sql: Sql, after: bigint): Promise<LeaseRef[]> {
  const rows = await sql.query<{ accountId: bigint; leaseId: bigint }>(
    'select distinct account_id, lease_id from gateway_unposted where account_id > $1 order by account_id, lease_id limit $2',
    [after, ACCOUNTS_PER_POSTING],
  )
  return rows.map((row) => ({ accountId: row.accountId, leaseId: row.leaseId }))
}

/** Posts the waiting charges of these leases, after any concurrent posting of them; returns the number of rows posted. */
export async function postCharges(sql: Sql, leases: readonly LeaseRef[]): Promise<number> {
  crashPoint('gateway.before-post')
  const rows = await sql.query<{ rows: number }>('select gateway_post($1::bigint[], $2::bigint[]) as rows', toLeaseColumns(leases), 'gateway_post')
  crashPoint('gateway.after-post')
  return first(rows)!.rows
}

/** Adds waiting rows to the sums by hour and day; returns the number of rows added. */
export async function sumUsage(sql: Sql): Promise<number> {
  crashPoint('gateway.before-sum')
  const rows = await sql.query<{ rows: number }>('select gateway_sum() as rows', [], 'gateway_sum')
  crashPoint('gateway.after-sum')
  return first(rows)!.rows
}
