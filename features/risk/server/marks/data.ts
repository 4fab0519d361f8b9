import type { Sql } from '#platform/server/database/db.ts'
import type { RiskMarksRow } from '../tables.ts'
import type { MarkKind } from './mark-kind.ts'

export type MarkRow = Pick<RiskMarksRow, 'kind' | 'digest' | 'keyId'>

/** Inserts in key order, so that concurrent writers of the same marks cannot deadlock. */
export async function upsertMarks(sql: Sql, rows: readonly (MarkRow & { readonly subject: string })[], now: Date): Promise<void> {
  await sql.query(
    `insert into risk_marks as m (kind, digest, key_id, subject, first_at, last_at)
    select distinct r.kind, r.digest, r.key_id, r.subject, $5::timestamptz, $5::timestamptz
      from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) as r (subject, kind, digest, key_id) order by r.kind, r.digest, r.subject
    on conflict (kind, digest, subject) do update set last_at = excluded.last_at where m.last_at < excluded.last_at - interval '1 hour'`,
    [rows.map(({ subject }) => subject), rows.map(({ kind }) => kind), rows.map(({ digest }) => digest), rows.map(({ keyId }) => keyId), now],
    'risk.marks',
  )
}

/** Selects which of `others` share marks with the subject, and the kinds. A network counts only if the subject's keys are used from it. */
export async function selectSharedMarks(sql: Sql, subject: string, others: readonly string[]): Promise<{ kind: MarkKind; subject: string }[]> {
  return sql.query(
    `select distinct a.kind, b.subject from risk_marks a
      join risk_marks b on b.digest = a.digest and b.kind = any (case a.kind when 'keys' then array['keys', 'network'] else array[a.kind] end)
    where a.subject = $1 and a.kind <> 'network' and b.subject = any($2) and b.subject <> $1 order by 1, 2`,
    [subject, others],
    'risk.shared',
  )
}

/** Marks that identify a person. Browsers and networks do not: families share them. */
const ONE_PERSON: readonly MarkKind[] = ['payer', 'person', 'mailbox', 'payout']

/** Accounts that share a mark with a user, in all. From this many on they are a crowd. */
const CROWD = 101

/**
 * Accounts that share marks: a list, or `crowd` if there are too many to list. A truncated list could hide the account that had an offer, so
 * callers treat a crowd as if one of its accounts had it.
 */
export type SharingAccounts = readonly string[] | 'crowd'

/** A user and the other accounts of the same person. */
export async function selectAccountsOfPerson(sql: Sql, userId: string): Promise<SharingAccounts> {
  const others = await selectAccountsSharing(sql, userId, ONE_PERSON)
  return others === 'crowd' ? others : [userId, ...others]
}

/** Other users that share a mark of these kinds with a user. Reads at most `CROWD` accounts of each mark, however many share it. */
export async function selectAccountsSharing(sql: Sql, userId: string, kinds: readonly MarkKind[]): Promise<SharingAccounts> {
  const others = await sql.query<{ subject: string }>(
    `select distinct b.subject from risk_marks a cross join lateral (select subject from risk_marks
        where kind = a.kind and digest = a.digest and subject <> $1 and subject not like 'operator:%' limit $3) b
    where a.subject = $1 and a.kind = any($2) limit $3`,
    [userId, kinds, CROWD - 1],
    'risk.person',
  )
  return others.length < CROWD - 1 ? others.map(({ subject }) => subject) : 'crowd'
}

/** True if a user has any mark of these kinds. */
export async function hasMark(sql: Sql, userId: string, kinds: readonly MarkKind[]): Promise<boolean> {
  return (await sql.query('select 1 from risk_marks where subject = $1 and kind = any($2) limit 1', [userId, kinds])).length > 0
}

/**
 * Users that belong to our own staff: they have an operator's mailbox, or share a payer, payout, papers or
 * browser with such a user or an operator. A shared network does not count, since an office has neighbours.
 */
export async function selectStaff(sql: Sql, userIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ subject: string }>(
    `with own as (select u.subject from risk_marks o join risk_marks u on u.kind = o.kind and u.digest = o.digest
        where o.subject like 'operator:%' and o.kind = 'mailbox' and u.subject not like 'operator:%')
    select distinct m.subject from risk_marks m where m.subject = any($1) and (m.subject in (select subject from own)
      or m.kind in ('payer', 'payout', 'person', 'device') and exists (select from risk_marks o where o.kind = m.kind and o.digest = m.digest
        and (o.subject like 'operator:%' or o.subject in (select subject from own))))`,
    [userIds],
  )
  return rows.map((row) => row.subject)
}

export interface SharedMark {
  readonly kind: MarkKind
  /** First bytes of the hash, to distinguish marks; the fact cannot be recovered from it. */
  readonly mark: string
  readonly subjects: readonly string[]
}

/**
 * Marks shared by two or more subjects, at least one of which is among these; most shared first. A common sign-in network alone is not a
 * signal.
 */
export async function selectMarksAround(sql: Sql, subjects: readonly string[], most: number): Promise<SharedMark[]> {
  return sql.query<SharedMark>(
    `select kind, encode(substr(digest, 1, 6), 'hex') as mark, (array_agg(subject order by subject))[1:200] as subjects from risk_marks
    where kind <> 'network' and (kind, digest) in (select kind, digest from risk_marks where subject = any($1))
    group by kind, digest having count(*) > 1 order by count(*) desc, kind, digest limit $2`,
    [subjects, most],
  )
}

export async function countMarksByKey(sql: Sql) {
  return sql.query<{ key: string; rows: number }>(`select encode(key_id, 'hex') as key, count(*)::int as rows from risk_marks group by 1`)
}

export async function deleteOldMarks(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from risk_marks where last_at < $1', [before])
}
