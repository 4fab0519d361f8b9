import { subtractNano } from '#platform/shared/money.ts'
import { crashPoint } from '#platform/server/crash.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import { ACCOUNTS_PER_POSTING, toLeaseColumns, postCharges } from '../data-posting.ts'
import type { LeaseRef } from '../data-posting.ts'

/** A lease is a wallet hold named after its number; the wallet's functions move the money. */
const HOLD_PREFIX = `'gateway.lease.'`
/** The wallet releases an abandoned hold after this time; live leases are renewed long before. */
const HOLD_LIFE = `interval '40 minutes'`

export interface LeaseDraw {
  readonly amount: bigint
  /** Balance of the account beyond its holds, as of the statement's start. */
  readonly left: bigint
  readonly others: boolean
}

/**
 * Takes at least `min`, all of `wanted` if available, and up to `spare` more from half of the rest, so that one process does not take the
 * whole of a small balance. Writes nothing if there is too little.
 */
const GRANT = `select a.free, greatest($3::bigint, least($4::bigint, a.free)) + least($5::bigint, greatest(0, a.free - greatest($3::bigint, least($4::bigint, a.free))) / 2) as ask
  from (select posted - held as free from wallet_accounts where id = $1) a where a.free >= $3::bigint`
const FREE = `coalesce((select posted - held from wallet_accounts where id = $1), 0) as free`
const OTHERS = `exists (select from gateway_leases where account_id = $1 and node <> $2) as others`

interface DrawRow {
  readonly amount: bigint | null
  readonly free: bigint
  readonly others: boolean
}
const toLeaseDraw = ({ amount, free, others }: DrawRow): LeaseDraw => ({ amount: amount ?? 0n, left: subtractNano(free, amount ?? 0n), others })

export async function openLease(
  sql: Sql,
  lease: { leaseId: bigint; accountId: bigint; node: string; min: bigint; wanted: bigint; spare: bigint },
): Promise<LeaseDraw> {
  crashPoint('gateway.before-draw')
  const row = first(
    await sql.query<DrawRow>(
      `with grant_ as (${GRANT}), hold as (
       select h.status, h.amount from grant_, wallet_hold($1::bigint, ${HOLD_PREFIX} || $6::bigint, grant_.ask, ${HOLD_LIFE}, 'lease', false, $3::bigint) h
     ), noted as (
       insert into gateway_leases (lease_id, account_id, node) select $6, $1, $2 from hold where status = 'pending'
     )
     select (select amount from hold where status = 'pending') as amount, ${FREE}, ${OTHERS}`,
      [lease.accountId, lease.node, lease.min, lease.wanted, lease.spare, lease.leaseId],
      'gateway_open_lease',
    ),
  )!
  crashPoint('gateway.after-draw')
  return toLeaseDraw(row)
}

/** Throws the wallet's HOLD_CLOSED if the lease was ended concurrently. */
export async function growLease(
  sql: Sql,
  lease: { leaseId: bigint; accountId: bigint; node: string; min: bigint; wanted: bigint; spare: bigint },
): Promise<LeaseDraw> {
  crashPoint('gateway.before-draw')
  const row = first(
    await sql.query<DrawRow>(
      `with grant_ as (${GRANT})
     select (select r.changed from grant_, wallet_resize($1::bigint, ${HOLD_PREFIX} || $6::bigint, grant_.ask, ${HOLD_LIFE}, $3::bigint) r) as amount, ${FREE}, ${OTHERS}`,
      [lease.accountId, lease.node, lease.min, lease.wanted, lease.spare, lease.leaseId],
      'gateway_grow_lease',
    ),
  )!
  crashPoint('gateway.after-draw')
  return toLeaseDraw(row)
}

export const shrinkLease = (sql: Sql, lease: LeaseRef, by: bigint) =>
  sql.query(
    `select wallet_resize($1::bigint, ${HOLD_PREFIX} || $2::bigint, - $3::bigint, null::interval, null::bigint)`,
    [lease.accountId, lease.leaseId, by],
    'gateway_shrink_lease',
  )

/** Ends leases without promises, a few accounts per transaction. */
export async function closeLeases(sql: Sql, leases: readonly LeaseRef[]): Promise<void> {
  for (let at = 0; at < leases.length; at += ACCOUNTS_PER_POSTING) await closeLeaseBatch(sql, leases.slice(at, at + ACCOUNTS_PER_POSTING))
}

/** Locks accounts in order, so that two processes do not deadlock. */
async function closeLeaseBatch(sql: Sql, leases: readonly LeaseRef[]): Promise<void> {
  await postCharges(sql, leases)
  crashPoint('gateway.before-return')
  await sql.query(
    `with gone as (delete from gateway_leases l using unnest($1::bigint[], $2::bigint[]) as e (account_id, lease_id)
     where l.account_id = e.account_id and l.lease_id = e.lease_id
       and not exists (select from gateway_unposted u where u.account_id = l.account_id and u.lease_id = l.lease_id)
     returning l.lease_id, l.account_id)
   select wallet_void(account_id, ${HOLD_PREFIX} || lease_id) from (select account_id, lease_id from gone order by account_id offset 0) sorted`,
    toLeaseColumns(leases),
    'gateway_close_leases',
  )
  crashPoint('gateway.after-return')
}

/** Deletes our row of a lease whose hold is closed already. */
export async function deleteLease(sql: Sql, lease: LeaseRef): Promise<void> {
  await postCharges(sql, [lease])
  await sql.query('delete from gateway_leases where account_id = $1 and lease_id = $2', [lease.accountId, lease.leaseId])
}

/** Returns the rest of a lease; a hold that has expired or was closed is already returned. */
export async function endLease(sql: Sql, lease: LeaseRef): Promise<void> {
  const named = [lease.accountId, lease.leaseId]
  await deleteLease(sql, lease)
  const hold = first(await sql.query<{ status: string }>(`select status from wallet_holds where account_id = $1 and id = ${HOLD_PREFIX} || $2::bigint`, named))
  if (hold?.status === 'pending') await sql.query(`select wallet_void($1::bigint, ${HOLD_PREFIX} || $2::bigint)`, named)
}

/** Shrinks a lease to `open` beyond its captures, which frees the rest of a dead process's money. */
export async function narrowLease(sql: Sql, lease: LeaseRef, open: bigint): Promise<void> {
  await postCharges(sql, [lease])
  await sql.query(
    `select wallet_resize(h.account_id, h.id, $3::bigint - (h.amount - h.captured), null::interval, null::bigint) from wallet_holds h
     where h.account_id = $1 and h.id = ${HOLD_PREFIX} || $2::bigint and h.status = 'pending' and h.amount - h.captured > $3::bigint`,
    [lease.accountId, lease.leaseId, open],
  )
}

export const extendLease = (sql: Sql, lease: LeaseRef) =>
  sql.query(`select wallet_extend($1::bigint, ${HOLD_PREFIX} || $2::bigint, ${HOLD_LIFE})`, [lease.accountId, lease.leaseId])

export const notifyLeaseRecall = (sql: Sql, accountId: bigint, node: string) =>
  sql.query(`select pg_notify('gateway_lease_recall', $1)`, [`${accountId} ${node}`])
