import type { Sql } from '#platform/server/db.ts'
import { first } from '#platform/server/db.ts'
import type { ReservedCall, SettledCall } from '../hot/deps.ts'
import { plain, texts } from './columns.ts'
import { packLines } from './lines.ts'

/** The journal's statements. A lease is a wallet hold named after its number; the wallet's functions do the money. */
const HOLD = `'gateway.lease.'`
/** The wallet gives an abandoned hold back after this; living leases are renewed long before. */
const HOLD_LIFE = `interval '40 minutes'`

/**
 * One flush, one round trip, one commit: opens calls, writes usage rows once by call id, charges the sum of the rows that
 * were new to each lease, adds to the day sums, closes the calls that were open. The lease holds that money in the ledger;
 * `gateway_post` moves it there soon, once for many calls (decision 0005). Charges of a lease that has ended go to the wallet at
 * once. Locks are taken in one order by every flush: usage rows, leases, day rows (sorted here).
 * Plain inserts: ON CONFLICT writes a third more log. A row that another transaction wrote at the same moment breaks the
 * primary key, and the flush is tried again. The scalar subquery keeps the planner from reading the whole table.
 */
const FLUSH = `
with opened as (
  insert into gateway_calls (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, node, started_at)
  select call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, $11, to_timestamp(started / 1000.0)
  from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::float8[])
    as r (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, held, started)
), settled as (
  insert into gateway_usage (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, started_at, dialect, stream, status, outcome, provenance,
    amount, input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines, request_id, upstream_request_id, first_byte_ms, total_ms)
  select call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, to_timestamp(started / 1000.0), dialect, stream, status, outcome, provenance,
    amount, input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines::bigint[], request_id, upstream_request_id, first_byte_ms, total_ms
  from unnest($12::text[], $13::bigint[], $14::bigint[], $15::text[], $16::text[], $17::text[], $18::text[], $19::bigint[], $20::float8[], $21::text[], $22::bool[], $23::int[], $24::text[], $25::text[],
    $26::bigint[], $27::bigint[], $28::bigint[], $29::bigint[], $30::bigint[], $31::text[], $32::text[], $33::text[], $34::int[], $35::int[])
    as s (call_id, lease_id, account_id, key_id, user_id, model, upstream, price_version, started, dialect, stream, status, outcome, provenance,
    amount, input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines, request_id, upstream_request_id, first_byte_ms, total_ms)
  where (select true from gateway_usage u where u.call_id = s.call_id and u.started_at = to_timestamp(s.started / 1000.0)) is null
  returning call_id, lease_id, account_id, key_id, model, started_at, amount, input_tokens + output_tokens as tokens
), sums as (
  select array_agg(lease_id order by lease_id) as leases, array_agg(amount order by lease_id) as amounts, array_agg(ref order by lease_id) as refs
  from (select lease_id, sum(amount)::bigint as amount, min(call_id) as ref from settled group by lease_id having sum(amount) > 0) l
), charged as (
  select gateway_charge(leases, amounts) as late from sums where leases is not null
), late as (
  select array_agg(${HOLD} || u.lease_id order by u.n) as holds, array_agg(u.amount order by u.n) as amounts, array_agg(u.ref order by u.n) as refs
  from charged cross join sums cross join unnest(sums.leases, sums.amounts, sums.refs) with ordinality u (lease_id, amount, ref, n)
  where u.lease_id = any (charged.late)
), captured as (
  select c.outcome from late, wallet_capture_many(late.holds, late.amounts, late.refs, 'gateway.usage') c where late.holds is not null
), days as (
  insert into gateway_usage_days as d (account_id, day, model, key_id, calls, tokens, amount)
  select account_id, (started_at at time zone 'Asia/Shanghai')::date, model, key_id, count(*), sum(tokens), sum(amount)
  from settled group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (account_id, day, model, key_id) do update set calls = d.calls + excluded.calls, tokens = d.tokens + excluded.tokens, amount = d.amount + excluded.amount
), closed as (
  delete from gateway_calls where call_id = any ($36::text[])
)
select gateway_must(not exists (select from captured where outcome <> 'captured'), 'the wallet refused a capture') as fine`

/** Posts what is due of a process's leases, or of the leases named. */
export const postCharges = (sql: Sql, due: { node?: string; leaseIds?: readonly bigint[] }) =>
  sql.query('select gateway_post($1, $2::bigint[])', [due.node ?? '', plain(due.leaseIds ?? [])], 'gateway_post')

const pick = <T, V>(rows: readonly T[], of: (row: T) => V): V[] => rows.map(of)

/** Idempotent: a call that has its usage row changes nothing. `closed` are calls whose open row was written before. */
export async function writeFlush(
  sql: Sql,
  node: string,
  opened: readonly ReservedCall[],
  settled: readonly SettledCall[],
  closed: readonly string[],
): Promise<void> {
  await sql.query(
    FLUSH,
    [
      texts(pick(opened, (c) => c.callId)),
      plain(pick(opened, (c) => c.leaseId)),
      plain(pick(opened, (c) => c.accountId)),
      texts(pick(opened, (c) => c.keyId)),
      texts(pick(opened, (c) => c.userId)),
      texts(pick(opened, (c) => c.model)),
      texts(pick(opened, (c) => c.upstream)),
      plain(pick(opened, (c) => c.priceVersion)),
      plain(pick(opened, (c) => c.held)),
      plain(pick(opened, (c) => Math.floor(c.startedAt))),
      node,
      texts(pick(settled, (c) => c.callId)),
      plain(pick(settled, (c) => c.leaseId)),
      plain(pick(settled, (c) => c.accountId)),
      texts(pick(settled, (c) => c.keyId)),
      texts(pick(settled, (c) => c.userId)),
      texts(pick(settled, (c) => c.model)),
      texts(pick(settled, (c) => c.upstream)),
      plain(pick(settled, (c) => c.priceVersion)),
      plain(pick(settled, (c) => Math.floor(c.startedAt))),
      texts(pick(settled, (c) => c.dialect)),
      plain(pick(settled, (c) => c.stream)),
      plain(pick(settled, (c) => c.status)),
      texts(pick(settled, (c) => c.outcome)),
      texts(pick(settled, (c) => c.provenance)),
      plain(pick(settled, (c) => c.amount)),
      plain(pick(settled, (c) => c.inputTokens)),
      plain(pick(settled, (c) => c.cachedTokens)),
      plain(pick(settled, (c) => c.outputTokens)),
      plain(pick(settled, (c) => c.reasoningTokens)),
      texts(pick(settled, (c) => packLines(c.lines))),
      texts(pick(settled, (c) => c.requestId)),
      texts(pick(settled, (c) => c.upstreamRequestId)),
      plain(pick(settled, (c) => Math.round(c.firstByteMs))),
      plain(pick(settled, (c) => Math.round(c.totalMs))),
      texts(closed),
    ],
    'gateway_flush',
  )
}

export const parkLetter = (sql: Sql, letter: { callId: string; kind: string; reason: string; payload: string }) =>
  sql.query('insert into gateway_dead_letters (call_id, kind, reason, payload) values ($1,$2,$3,$4)', [
    letter.callId,
    letter.kind,
    letter.reason,
    letter.payload,
  ])

// Leases

export interface Drawn {
  readonly amount: bigint
  readonly others: boolean
}

/**
 * Takes at least `min`, all of `wanted` where there is as much, and up to `spare` more from half of what is left then, so
 * that one process does not take the whole of a small balance. Nothing is written when there is too little.
 */
const GRANT = `select a.free, greatest($3::bigint, least($4::bigint, a.free)) + least($5::bigint, greatest(0, a.free - greatest($3::bigint, least($4::bigint, a.free))) / 2) as ask
  from (select posted - held as free from wallet_accounts where id = $1) a where a.free >= $3::bigint`
const OTHERS = `exists (select from gateway_leases where account_id = $1 and node <> $2) as others`

export async function openLease(
  sql: Sql,
  lease: { leaseId: bigint; accountId: bigint; userId: string; node: string; min: bigint; wanted: bigint; spare: bigint },
): Promise<Drawn> {
  const row = first(
    await sql.query<{ amount: bigint | null; others: boolean }>(
      `with grant_ as (${GRANT}), hold as (
       select h.status, h.amount from grant_, wallet_hold(${HOLD} || $6::bigint, 'user:' || $7, grant_.ask, ${HOLD_LIFE}, 'lease', p_at_least => $3::bigint) h
     ), noted as (
       insert into gateway_leases (lease_id, account_id, node) select $6, $1, $2 from hold where status = 'pending'
     )
     select (select amount from hold where status = 'pending') as amount, ${OTHERS}`,
      [lease.accountId, lease.node, lease.min, lease.wanted, lease.spare, lease.leaseId, lease.userId],
      'gateway_open_lease',
    ),
  )!
  return { amount: row.amount ?? 0n, others: row.others }
}

/** Throws the wallet's HOLD_CLOSED when the lease has ended under us. */
export async function growLease(
  sql: Sql,
  lease: { leaseId: bigint; accountId: bigint; node: string; min: bigint; wanted: bigint; spare: bigint },
): Promise<Drawn> {
  const row = first(
    await sql.query<{ amount: bigint | null; others: boolean }>(
      `with grant_ as (${GRANT})
     select (select r.changed from grant_, wallet_resize(${HOLD} || $6::bigint, grant_.ask, ${HOLD_LIFE}, $3::bigint) r) as amount, ${OTHERS}`,
      [lease.accountId, lease.node, lease.min, lease.wanted, lease.spare, lease.leaseId],
      'gateway_grow_lease',
    ),
  )!
  return { amount: row.amount ?? 0n, others: row.others }
}

export const shrinkLease = (sql: Sql, leaseId: bigint, by: bigint) =>
  sql.query(`select wallet_resize(${HOLD} || $1::bigint, - $2::bigint)`, [leaseId, by], 'gateway_shrink_lease')

/** Ends leases that promise nothing any more; accounts in order, so that two processes do not wait for each other in a ring. */
export async function closeLeases(sql: Sql, leaseIds: readonly bigint[]): Promise<void> {
  await postCharges(sql, { leaseIds })
  await sql.query(
    `with gone as (delete from gateway_leases where lease_id = any ($1::bigint[]) and charged = posted returning lease_id, account_id)
   select wallet_void(${HOLD} || lease_id) from (select lease_id from gone order by account_id offset 0) sorted`,
    [plain(leaseIds)],
    'gateway_close_leases',
  )
}

/** The hold is closed already: only our note of it goes. */
export async function forgetLease(sql: Sql, leaseId: bigint): Promise<void> {
  await postCharges(sql, { leaseIds: [leaseId] })
  await sql.query('delete from gateway_leases where lease_id = $1 and charged = posted', [leaseId])
}

/** Gives the rest of a lease back; a hold that has run out or was closed is already given back. */
export async function endLease(sql: Sql, leaseId: bigint): Promise<void> {
  await forgetLease(sql, leaseId)
  const hold = first(await sql.query<{ status: string }>(`select status from wallet_holds where id = ${HOLD} || $1::bigint`, [leaseId]))
  if (hold?.status === 'pending') await sql.query(`select wallet_void(${HOLD} || $1::bigint)`, [leaseId])
}

export const extendLease = (sql: Sql, leaseId: bigint) => sql.query(`select wallet_extend(${HOLD} || $1::bigint, ${HOLD_LIFE})`, [leaseId])

export const recall = (sql: Sql, accountId: bigint, node: string) => sql.query(`select pg_notify('gateway_lease_recall', $1)`, [`${accountId} ${node}`])

// Nodes

export const addNode = (sql: Sql, node: string) =>
  sql.query('insert into gateway_nodes (node) values ($1) on conflict (node) do update set beat_at = now()', [node])
/** False when the node was declared dead. */
export const beat = async (sql: Sql, node: string) =>
  (await sql.query('update gateway_nodes set beat_at = now() where node = $1 returning 1 as alive', [node], 'gateway_beat')).length > 0
export const removeNode = (sql: Sql, node: string) => sql.query('delete from gateway_nodes where node = $1', [node])
