import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { CodePurpose } from '../../contract.ts'
import type { ContactTarget } from '../target.ts'
import type { CodeBinding } from '../sessions/tokens.ts'

interface NewCode {
  readonly id: string
  readonly hmac: Buffer
  /** Identifies the requester; only its guesses use the requester's counter. */
  readonly asker: Buffer
  readonly now: Date
  readonly expiresAt: Date
  readonly notAfter: Date
}

/** Inserts the code or replaces the previous one of the same purpose and target; false if that one was sent after `notAfter`. */
export async function upsertCode(sql: Sql, use: CodeBinding, code: NewCode): Promise<boolean> {
  const rows = await sql.query(
    `insert into account_codes as c (purpose, kind, target, id, code_hmac, sent_at, expires_at, asker) values ($1,$2,$3,$4,$5,$6,$7,$9)
    on conflict (purpose, kind, target) do update set id = excluded.id, code_hmac = excluded.code_hmac, sent_at = excluded.sent_at,
      expires_at = excluded.expires_at, asker = excluded.asker, guesses = 0, strange_guesses = 0, used_at = null where c.sent_at <= $8 returning 1`,
    [use.purpose, use.kind, use.target, code.id, code.hmac, code.now, code.expiresAt, code.notAfter, code.asker],
  )
  return rows.length === 1
}

export async function selectCodeSentAt(sql: Sql, use: CodeBinding): Promise<Date | undefined> {
  return first(
    await sql.query<{ sentAt: Date }>('select sent_at from account_codes where purpose = $1 and kind = $2 and target = $3', [
      use.purpose,
      use.kind,
      use.target,
    ]),
  )?.sentAt
}

export interface Guess {
  readonly right: boolean
  /** Number of guesses on the counter that this guess used: the requester's or that of strangers. */
  readonly guesses: number
  readonly expiresAt: Date
}

/**
 * Checks one guess. Counting, comparison and use are one guarded statement on one row: of any number of parallel guesses at most `max` by
 * the requester of the code and `max` by strangers are compared, and one correct guess uses the code (money.md A1). Returns undefined if
 * there is no code to guess at.
 */
export async function checkGuess(
  sql: Sql,
  use: CodeBinding,
  guess: { hmacs: readonly Buffer[]; askers: readonly Buffer[]; now: Date; max: number },
): Promise<Guess | undefined> {
  return first(
    await sql.query<Guess>(
      `update account_codes
    set guesses = guesses + case when asker = any($7::bytea[]) then 1 else 0 end,
      strange_guesses = strange_guesses + case when asker = any($7::bytea[]) then 0 else 1 end,
      used_at = case when code_hmac = any ($4::bytea[]) then $5::timestamptz end
    where purpose = $1 and kind = $2 and target = $3 and used_at is null and expires_at > $5
      and case when asker = any($7::bytea[]) then guesses else strange_guesses end < $6
    returning used_at is not null as "right", case when asker = any($7::bytea[]) then guesses else strange_guesses end as guesses, expires_at`,
      [use.purpose, use.kind, use.target, guess.hmacs, guess.now, guess.max, guess.askers],
    ),
  )
}

/** Selects the one of these contacts to which the newest code of the purpose was sent. */
export async function selectNewestTarget(sql: Sql, purpose: CodePurpose, targets: readonly ContactTarget[]): Promise<ContactTarget | undefined> {
  const row = first(
    await sql.query<{ kind: string; target: string }>(
      `select kind, target from account_codes where purpose = $1 and (kind, target) in (select * from unnest($2::text[], $3::text[]))
      order by sent_at desc limit 1`,
      [purpose, targets.map((target) => target.kind), targets.map((target) => target.subject)],
    ),
  )
  return row && targets.find((target) => target.kind === row.kind && target.subject === row.target)
}

export async function deleteExpiredCodes(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from account_codes where expires_at < $1', [before])
}
