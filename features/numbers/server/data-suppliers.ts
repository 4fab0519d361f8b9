import type { Sql } from '#platform/server/database/db.ts'
import type { NumbersStrangersRow } from './tables.ts'

export async function insertRentAttempt(
  sql: Sql,
  one: { supplier: string; service: string; country: string; outcome: 'rented' | 'refused' | 'unknown'; why: string },
): Promise<void> {
  await sql.query('insert into numbers_tries (supplier, service, country, outcome, why) values ($1,$2,$3,$4,$5)', [
    one.supplier,
    one.service,
    one.country,
    one.outcome,
    one.why.slice(0, 200),
  ])
}

export interface SupplierRecord {
  readonly supplier: string
  /** Figures of the last week, for one service and country. */
  readonly rented: number
  readonly received: number
  /** Failed tries of the last five minutes since the last success. */
  readonly broken: number
}

export async function listSupplierRecords(sql: Sql, service: string, country: string): Promise<SupplierRecord[]> {
  return sql.query<SupplierRecord>(
    `select s.supplier, coalesce(r.rented, 0)::int as rented, coalesce(r.received, 0)::int as received, coalesce(t.broken, 0)::int as broken
    from (select supplier from numbers_rentals group by 1 union select supplier from numbers_tries group by 1) s
    left join (select supplier, count(*) as rented, count(received_at) as received from numbers_rentals
      where service = $1 and country = $2 and since > clock_timestamp() - interval '7 days' and (received_at is not null or state <> 'open') group by 1) r using (supplier)
    left join (select supplier, count(*) as broken from numbers_tries one where at > clock_timestamp() - interval '5 minutes' and outcome = 'unknown'
      and not exists (select from numbers_tries later where later.supplier = one.supplier and later.id > one.id and later.outcome <> 'unknown') group by 1) t using (supplier)`,
    [service, country],
  )
}

export interface ServiceWait {
  readonly service: string
  readonly count: bigint
  readonly received: bigint
  readonly half: number | null
  /** Waiting time in seconds of each number that got a message. */
  readonly waits: readonly number[] | null
}

/** Recent outcomes of numbers by service: those that ended or have a message. */
export async function listServiceWaits(sql: Sql, days: number): Promise<ServiceWait[]> {
  return sql.query<ServiceWait>(
    `select service, count(*) as count, count(received_at) as received,
      percentile_cont(0.5) within group (order by extract(epoch from received_at - since)) as half,
      array_agg(extract(epoch from received_at - since)::int) filter (where received_at is not null) as waits
    from numbers_rentals where since > clock_timestamp() - make_interval(days => $1) and (received_at is not null or state <> 'open') group by service`,
    [days],
  )
}

export type UnmatchedNumber = Pick<NumbersStrangersRow, 'supplier' | 'ref' | 'number'>

/** Records numbers that a supplier holds for us without a matching rental; returns those unmatched for at least `minutes`. */
export async function recordUnmatchedNumbers(
  sql: Sql,
  supplier: string,
  { open, minutes }: { readonly open: readonly { ref: string; number: string }[]; readonly minutes: number },
): Promise<UnmatchedNumber[]> {
  await sql.query(
    `insert into numbers_strangers (supplier, ref, number) select $1, o.ref, o.number from unnest($2::text[], $3::text[]) as o(ref, number)
      where not exists (select from numbers_rentals r where r.supplier = $1 and r.ref = o.ref) on conflict do nothing`,
    [supplier, open.map(({ ref }) => ref), open.map(({ number }) => number)],
  )
  return sql.query<UnmatchedNumber>(
    `select supplier, ref, number from numbers_strangers s where supplier = $1 and state = 'seen' and seen_at < clock_timestamp() - make_interval(mins => $2)
      and ref = any($3) and not exists (select from numbers_rentals r where r.supplier = s.supplier and r.ref = s.ref)`,
    [supplier, minutes, open.map(({ ref }) => ref)],
  )
}

export async function endUnmatchedNumber(sql: Sql, { supplier, ref }: UnmatchedNumber, state: 'given_back' | 'kept'): Promise<void> {
  await sql.query(`update numbers_strangers set state = $3 where supplier = $1 and ref = $2`, [supplier, ref, state])
}
