import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { CardsBookFaultsRow } from '../tables.ts'

export interface OurRow {
  readonly ref: string
  readonly kind: string
  readonly amount: Nano
  readonly cardRef: string | null
  /** True if its time is within the day; otherwise it is listed because the issuer names it. */
  readonly ofDay: boolean
}
export type CardDiscrepancy = Pick<CardsBookFaultsRow, 'ref' | 'fault' | 'ours' | 'theirs'>

export const selectOurRows = (sql: Sql, issuer: string, { from, to, refs }: { readonly from: Date; readonly to: Date; readonly refs: readonly string[] }) =>
  sql.query<OurRow>(
    `select t.ref, t.kind, t.amount, c.card_ref, t.at >= $2 and t.at < $3 as of_day from cards_transactions t join cards_cards c on c.id = t.card_id
    where t.issuer = $1 and (t.at >= $2 and t.at < $3 or t.ref = any ($4))`,
    [issuer, from, to, refs],
  )

/** The UTC day on which the first card of an issuer was requested. */
export async function selectFirstCardDay(sql: Sql, issuer: string): Promise<string | undefined> {
  return first(
    await sql.query<{ day: string }>(
      `select to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD') as day from cards_cards where issuer = $1 having count(*) > 0`,
      [issuer],
    ),
  )?.day
}

export async function selectLastComparedDay(sql: Sql, issuer: string): Promise<string | undefined> {
  return first(
    await sql.query<{ day: string }>(`select to_char(max(day), 'YYYY-MM-DD') as day from cards_book_days where issuer = $1 having max(day) is not null`, [
      issuer,
    ]),
  )?.day
}

export async function upsertComparedDay(
  tx: Tx,
  issuer: string,
  { day, rows, faults }: { readonly day: string; readonly rows: number; readonly faults: number },
): Promise<void> {
  await tx.query(
    `insert into cards_book_days (issuer, day, rows, faults) values ($1,$2,$3,$4)
    on conflict (issuer, day) do update set rows = excluded.rows, faults = excluded.faults, compared_at = now()`,
    [issuer, day, rows, faults],
  )
}

export async function insertCardDiscrepancy(
  tx: Tx,
  issuer: string,
  { day, discrepancy: { ref, fault, ours, theirs } }: { readonly day: string; readonly discrepancy: CardDiscrepancy },
): Promise<void> {
  await tx.query(
    `insert into cards_book_faults (issuer, day, ref, fault, ours, theirs) values ($1,$2,$3,$4,$5,$6)
    on conflict (issuer, day, ref, fault) do update set ours = excluded.ours, theirs = excluded.theirs, mended_at = null`,
    [issuer, day, ref, fault, ours, theirs],
  )
}

/** Closes faults of earlier comparisons that no longer exist. */
export async function resolveCardDiscrepancies(
  tx: Tx,
  issuer: string,
  { day, standing }: { readonly day: string; readonly standing: readonly CardDiscrepancy[] },
): Promise<void> {
  await tx.query(`update cards_book_faults set mended_at = now() where issuer = $1 and day = $2 and mended_at is null and ref || ':' || fault <> all ($3)`, [
    issuer,
    day,
    standing.map(({ ref, fault }) => `${ref}:${fault}`),
  ])
}
