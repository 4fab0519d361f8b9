import { type Sql, first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { NumbersMessagesRow, NumbersRentalsRow, NumbersStrangersRow } from './tables.ts'

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

export type Rental = Omit<NumbersRentalsRow, 'endedAt' | 'nextLookAt'>

/** Notifies the requests that wait for this number. */
export const notifyNumberWaiters = (sql: Sql, taskId: string) => sql.query(`select pg_notify('numbers', $1)`, [taskId])

export async function insertRental(tx: Tx, rental: Omit<Rental, 'state' | 'since' | 'receivedAt' | 'failures'>): Promise<void> {
  await tx.query(
    `insert into numbers_rentals (supplier, ref, task_id, user_id, number, service, country, cost) values ($1,$2,$3,$4,$5,$6,$7,$8)
      on conflict (supplier, ref) do nothing`,
    [rental.supplier, rental.ref, rental.taskId, rental.userId, rental.number, rental.service, rental.country, rental.cost],
  )
}

/** Takes due rentals with a lease of 12 seconds each: if the worker dies, the rental is due again after it. */
export async function takeDueRentals(sql: Sql, limit: number): Promise<Rental[]> {
  return sql.query<Rental>(
    `update numbers_rentals set next_look_at = clock_timestamp() + interval '12 seconds' where (supplier, ref) in (
      select supplier, ref from numbers_rentals where next_look_at <= clock_timestamp() order by next_look_at limit $1 for update skip locked) returning *`,
    [limit],
    'numbers.due',
  )
}

/** Schedules the next check of a rental. */
export async function scheduleRentalCheck(
  sql: Sql,
  { supplier, ref }: Pick<Rental, 'supplier' | 'ref'>,
  { seconds, failed }: { readonly seconds: number; readonly failed: boolean },
): Promise<void> {
  await sql.query(
    `update numbers_rentals set next_look_at = clock_timestamp() + make_interval(secs => $3), failures = case when $4 then failures + 1 else 0 end
      where supplier = $1 and ref = $2 and state = 'open'`,
    [supplier, ref, seconds, failed],
    'numbers.again',
  )
}

export async function endRental(sql: Sql, { supplier, ref }: Pick<Rental, 'supplier' | 'ref'>, state: 'kept' | 'given_back'): Promise<void> {
  await sql.query(
    `update numbers_rentals set state = $3, next_look_at = null, ended_at = clock_timestamp() where supplier = $1 and ref = $2 and state = 'open'`,
    [supplier, ref, state],
  )
}

export async function listRentals(sql: Sql, taskIds: readonly string[]): Promise<Rental[]> {
  return sql.query<Rental>('select * from numbers_rentals where task_id = any($1) order by since', [taskIds])
}

export async function findRental(sql: Sql, supplier: string, ref: string): Promise<Rental | undefined> {
  return first(await sql.query<Rental>('select * from numbers_rentals where supplier = $1 and ref = $2', [supplier, ref]))
}

/** Finds the rental that receives messages at a number now. */
export async function findOpenRental(sql: Sql, supplier: string, number: string): Promise<Rental | undefined> {
  return first(await sql.query<Rental>(`select * from numbers_rentals where supplier = $1 and number = $2 and state = 'open'`, [supplier, number]))
}

/** True if an earlier rental had the same number. */
export async function hasEarlierRental(sql: Sql, { supplier, number, ref }: Pick<Rental, 'supplier' | 'number' | 'ref'>): Promise<boolean> {
  return (await sql.query('select 1 from numbers_rentals where supplier = $1 and number = $2 and ref <> $3 limit 1', [supplier, number, ref])).length > 0
}

export type Message = Pick<NumbersMessagesRow, 'id' | 'taskId' | 'at' | 'late' | 'sealed'>

type NewMessage = Omit<Message, 'at'> & { readonly digest: Buffer; readonly origin: Buffer; readonly sealed: Buffer }

/** Stores a message; false if it is stored already, for this rental (digest) or any rental of the number (origin). */
export async function insertMessage(tx: Tx, { id, taskId, digest, origin, late, sealed }: NewMessage): Promise<boolean> {
  const rows = await tx.query(
    `insert into numbers_messages (id, task_id, digest, origin, late, sealed) values ($1,$2,$3,$4,$5,$6) on conflict do nothing returning 1 as new`,
    [id, taskId, digest, origin, late, sealed],
  )
  return rows.length > 0
}

export async function markReceived(tx: Tx, supplier: string, ref: string): Promise<void> {
  await tx.query('update numbers_rentals set received_at = coalesce(received_at, clock_timestamp()) where supplier = $1 and ref = $2', [supplier, ref])
}

export async function listNumberMessages(sql: Sql, taskIds: readonly string[]): Promise<Message[]> {
  return sql.query<Message>('select id, task_id, at, late, sealed from numbers_messages where task_id = any($1) order by at, id', [taskIds])
}

/** Deletes the texts of old messages. */
export async function forgetMessages(sql: Sql, olderThanHours: number): Promise<void> {
  await sql.query('update numbers_messages set sealed = null where sealed is not null and at < clock_timestamp() - make_interval(hours => $1)', [
    olderThanHours,
  ])
}

/** Serializes a user's operations on numbers. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('numbers:' || $1, 0))`, [userId])
}

export async function forgetUser(sql: Sql, userId: string): Promise<void> {
  await sql.query('update numbers_messages set sealed = null where task_id in (select task_id from numbers_rentals where user_id = $1)', [userId])
}

export async function listRentalsByUser(sql: Sql, userId: string): Promise<Rental[]> {
  return sql.query<Rental>('select * from numbers_rentals where user_id = $1 order by since', [userId])
}
